"""The buttons below a paper, and the votes that they show."""

import pytest

from bot.replies.blocks import Actions, Button, PaperCard, PaperLine, PaperList, Reply, Text
from bot.replies.paper_actions import (
    ANSWER_MENUS,
    POST_MENUS,
    SAVE_MENUS,
    answer_actions,
    as_shared,
    can_vote,
    listed_card_actions,
    post_actions,
    shared_vote_button,
    with_votes,
    without_votes,
)

REF = "dair:2026-01-05#3"


def _card(title: str = "Mixture of Experts", votes: int = 0) -> PaperCard:
    return PaperCard(REF, title, "Number 3", None, (), (), None, votes=votes)


def test_below_a_card_in_a_post() -> None:
    """Save and Vote follow what the post has besides, each with a name that says which paper."""
    details = Button("Details 3", f"show {REF}")
    assert post_actions(_card(), details).buttons == (
        details,
        Button("Save", f"save {REF}", aloud="Save Mixture of Experts"),
        Button("Vote", f"vote {REF}", aloud="Vote for Mixture of Experts"),
    )


def test_below_a_card_in_an_answer() -> None:
    """A vote redraws the card in its place, with the new count."""
    save, vote = answer_actions(_card(votes=1_234)).buttons
    assert (save.label, save.turns) == ("Save", False)
    assert vote == Button(
        "Vote (1,234)",
        f"vote {REF} in:card",
        turns=True,
        aloud="Vote for Mixture of Experts, 1,234 so far",
    )


def test_below_one_of_several() -> None:
    """A vote is confirmed in words, for a card would take the place of all of them."""
    save, vote = listed_card_actions(_card(votes=2)).buttons
    assert (save.label, vote.label) == ("Save", "Vote (2)")
    assert (vote.command, vote.turns) == (f"vote {REF} in:words", False)


@pytest.mark.parametrize("voted", [False, True])
@pytest.mark.parametrize("title", ["words " * 60, "深" * 300])
def test_names_fit_what_reads_them(title: str, *, voted: bool) -> None:
    """However long a title is, no name is longer than Slack takes, and none loses its count."""
    card = _card(title, votes=9_999)
    reply = Reply((answer_actions(card, voted=voted),))
    row = reply.blocks[0]
    assert isinstance(row, Actions)
    for button in row.buttons:
        assert len(button.aloud) <= 75
    assert button.aloud.endswith("…, 9,999 so far")


def test_a_card_shows_the_own_vote_until_it_is_shared() -> None:
    """Its button then says how many there are, and is pressed for what all see."""
    own = Reply((answer_actions(_card(votes=3), voted=True),))
    row = own.blocks[0]
    assert isinstance(row, Actions)
    assert row.buttons[1] == Button(
        "Take back vote (3)",
        f"vote {REF} in:card",
        turns=True,
        aloud="Take back vote for Mixture of Experts, 3 so far",
    )
    assert with_votes(own, lambda _: 0) == Reply((answer_actions(_card()),))
    shared = as_shared(own).blocks[0]
    assert isinstance(shared, Actions)
    assert shared.buttons == (row.buttons[0], shared_vote_button(_card(votes=3)))
    assert shared.buttons[1] == Button(
        "Vote (3)", f"vote {REF} in:shared", aloud="Vote for Mixture of Experts, 3 so far"
    )


def test_nothing_votes_where_no_vote_counts() -> None:
    """Neither a button nor a menu; what saves stays."""
    listed = PaperList((), menus=ANSWER_MENUS)
    reply = Reply((Text("x"), listed, _card(), answer_actions(_card())))
    assert can_vote(reply)
    left = without_votes(reply)
    saving = Actions(answer_actions(_card()).buttons[:1])
    assert left.blocks == (Text("x"), PaperList((), menus=SAVE_MENUS), _card(), saving)
    assert not can_vote(left)


def test_menus_of_answers_are_those_of_posts() -> None:
    """But for what opens a paper; a vote is confirmed in words, for no message will show it."""
    opens, *others = [menu.label for menu in POST_MENUS]
    assert opens == "Open a paper"
    assert [menu.label for menu in ANSWER_MENUS] == others
    assert [menu.command for menu in ANSWER_MENUS] == ["save", "vote in:words"]


def test_votes_are_put_in_wherever_papers_are() -> None:
    """In lists, on cards and on the buttons that vote; any count takes the place of another."""
    listed = PaperList((PaperLine("3", "A", None, REF), PaperLine("4", "B", None, "other")))
    other = Actions((Button("Details 3", f"show {REF}"), Button("Vote", "vote other")))
    title = "A (2), 3 so far"
    reply = Reply((Text("x"), listed, _card(title), answer_actions(_card(title)), other))
    for votes in (3, 1, 12_345):
        voted = with_votes(with_votes(reply, lambda _: 7), {REF: votes, "other": 0}.__getitem__)
        assert voted.blocks == (
            Text("x"),
            PaperList((PaperLine("3", "A", None, REF, votes=votes), listed.papers[1])),
            _card(title, votes),
            answer_actions(_card(title, votes)),
            other,
        )
