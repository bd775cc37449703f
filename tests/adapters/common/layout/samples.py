"""A few papers, for how they look on each platform."""

from dataclasses import replace

from bot.replies.blocks import PaperCard, PaperLine, TopicMark
from store.records import Highlight, Link

MOE = PaperLine(
    "1",
    "Mixture of Experts",
    "Experts take turns.",
    "dair:2026-01-05#1",
    heading="Scale",
    url="https://arxiv.org/abs/2501.00001",
)
RAG = PaperLine("2", "Retrieval", None, "dair:2026-01-05#2", heading="Scale")
POD = PaperLine("E171", "Agents that talk", "They do.", "paperdive:E171", heading="Agents")
CARD = PaperCard(
    ref="dair:2026-01-05#1",
    title="Mixture of Experts",
    where="Number 1 in dair",
    summary="Experts.\n\nMore.",
    highlights=(Highlight("Routing", "Tokens choose."), Highlight(None, "It is cheap.")),
    links=(Link("Paper", "https://arxiv.org/abs/2501.00001"), Link("Odd", "ftp://a/b")),
    arxiv_id="2501.00001",
    topics=(TopicMark("moe", ("expert", "router")), TopicMark("scaling", ("large",))),
    url="https://arxiv.org/abs/2501.00001",
)


def placed(*papers: PaperLine) -> tuple[PaperLine, ...]:
    """Return papers of no one edition, each with its place and without a heading."""
    return tuple(replace(each, where=each.heading, heading=None) for each in papers)
