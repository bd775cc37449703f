"""One thing of a paper, found among its links."""

import pytest

from bot.replies.blocks import Actions, Button, Notice, PaperCard, Reply, Text
from bot.replies.paper_parts import with_part_alone
from store.records import Link


def _card(*links: Link, arxiv_id: str | None = None, url: str | None = None) -> PaperCard:
    return PaperCard(
        "dair:2026-01-05#1", "A Title", "#1 in dair", "All.", (), links, arxiv_id, url=url
    )


def _found(part: str, card: PaperCard) -> str | None:
    shown = with_part_alone(Reply((card, Actions((Button("Save", "save x"),)))), part)
    first = shown.blocks[0]
    return first.links[0].url if isinstance(first, PaperCard) else None


@pytest.mark.parametrize(
    ("part", "link", "is_it"),
    [
        ("code", Link("Code", "https://example.org/x"), True),
        ("code", Link("Tool", "https://GitHub.com/org/x"), True),
        ("code", Link("Tweet", "https://x.com/github.com"), False),
        ("code", Link("Paper", "https://[broken"), False),
        ("pdf", Link("Paper", "https://example.org/A.PDF?x=1"), True),
        ("pdf", Link("Paper", "https://example.org/pdf"), False),
        ("bibtex", Link("Paper", "https://example.org/a.bib"), False),
    ],
)
def test_a_link_is_told_by_its_label_or_its_address(part: str, link: Link, *, is_it: bool) -> None:
    """The host of code and the end of a PDF's path tell, whatever the link is called."""
    assert _found(part, _card(Link("Other", "https://example.org/"), link)) == (
        link.url if is_it else None
    )


def test_arxiv_has_the_pdf_and_the_bibtex_of_its_papers() -> None:
    """Their addresses are made of the id."""
    card = _card(arxiv_id="2601.00003", url="https://arxiv.org/abs/2601.00003")
    assert _found("pdf", card) == "https://arxiv.org/pdf/2601.00003"
    assert _found("bibtex", card) == "https://arxiv.org/bibtex/2601.00003"
    assert _found("link", card) == card.url


def test_an_answer_without_a_paper_stays() -> None:
    """A choice between papers is no paper; what is missing stands before the whole card."""
    choice = Reply((Text("Which one?"),))
    assert with_part_alone(choice, "pdf") == choice
    notice, card = with_part_alone(Reply((_card(),)), "link").blocks
    assert isinstance(notice, Notice)
    assert card == _card()
