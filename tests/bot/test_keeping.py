"""What keeps a paper: the buttons below it, and the votes that they show."""

import pytest

from bot.replies import Actions, Button, PaperCard, PaperLine, PaperList, Reply, Text
from bot.views.keeping import below_answer, below_card, with_votes

REF = "dair:2026-01-05#3"


def _card(title: str = "Mixture of Experts", votes: int = 0) -> PaperCard:
    return PaperCard(REF, title, "Number 3", None, (), (), None, votes=votes)


def test_below_a_card_in_a_post() -> None:
    """Save and Vote follow what the post has besides, each with a name that says which paper."""
    details = Button("Details 3", f"show {REF}")
    assert below_card(_card(), details).buttons == (
        details,
        Button("Save", f"save {REF}", aloud="Save Mixture of Experts"),
        Button("Vote", f"vote {REF}", aloud="Vote for Mixture of Experts"),
    )


def test_below_a_card_in_an_answer() -> None:
    """There a vote puts the card anew in its place, with the new count."""
    save, vote = below_answer(_card(votes=1_234)).buttons
    assert (save.label, save.turns) == ("Save", False)
    assert vote == Button(
        "Vote (1,234)",
        f"vote {REF} in:card",
        turns=True,
        aloud="Vote for Mixture of Experts, 1,234 so far",
    )


@pytest.mark.parametrize("title", ["words " * 60, "深" * 300])
def test_names_fit_what_reads_them(title: str) -> None:
    """However long a title is, no name is longer than Slack takes, and none loses its count."""
    for button in below_answer(_card(title, votes=9_999)).buttons:
        assert len(button.aloud) <= 75
    assert button.aloud.endswith("…, 9,999 so far")


def test_votes_are_put_in_wherever_papers_are() -> None:
    """In lists, on cards and on the buttons that vote; any count takes the place of another."""
    listed = PaperList((PaperLine("3", "A", None, REF), PaperLine("4", "B", None, "other")))
    other = Actions((Button("Details 3", f"show {REF}"), Button("Vote", "vote other")))
    title = "A (2), 3 so far"
    reply = Reply((Text("x"), listed, _card(title), below_answer(_card(title)), other))
    for votes in (3, 1, 12_345):
        voted = with_votes(with_votes(reply, lambda _: 7), {REF: votes, "other": 0}.__getitem__)
        assert voted.blocks == (
            Text("x"),
            PaperList((PaperLine("3", "A", None, REF, votes=votes), listed.papers[1])),
            _card(title, votes),
            below_answer(_card(title, votes)),
            other,
        )
