"""The papers and words of a message are found."""

import pytest

from bot.library.links_in_text import (
    MOST_PAPERS,
    ids_in_line,
    linked_papers,
    may_be_title,
    papers_line,
    papers_reply,
    words_of,
)
from bot.replies.blocks import PaperCard, PaperList, Reply
from bot.replies.paper_actions import ANSWER_MENUS, SAVE_MENUS, answer_actions, without_votes


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("see https://arxiv.org/abs/2501.12948v2, please", ["2501.12948"]),
        (
            "(https://arxiv.org/pdf/2501.12948.pdf) and arXiv:1706.03762!",
            ["2501.12948", "1706.03762"],
        ),
        ("https://huggingface.co/papers/2501.12948 2501.12948", ["2501.12948"]),
        ("the year 2025 and version 1.2345", []),
        ("", []),
    ],
)
def test_papers_are_found_by_their_address_or_id(text: str, ids: list[str]) -> None:
    """Each paper is found once, in the order of the message."""
    assert linked_papers(text) == ids


def test_a_reading_list_is_cut() -> None:
    """Of many papers the first few are looked up."""
    many = " ".join(f"2501.{number:05}" for number in range(1, 40))
    assert linked_papers(many) == many.split()[:MOST_PAPERS]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("@ana has anybody read *Sparse Attention*? :eyes:", "has anybody read Sparse Attention"),
        ("https://arxiv.org/abs/2501.12948 is great", "is great"),
        ("state-of-the-art -- really", "state-of-the-art really"),
        ("word " * 40, ("word " * 16).strip()),
        ("x" * 200, "x" * 80),
    ],
)
def test_a_message_is_searched_for_by_its_first_words(text: str, words: str) -> None:
    """Addresses, people, emoji and markup are no words; what is left is cut at a word."""
    assert words_of(text) == words
    assert len(words_of(text)) <= 80


def test_three_words_may_be_a_title() -> None:
    """One or two words fit too many papers by chance."""
    assert [may_be_title(each) for each in ("", "agents", "sparse attention", "a survey of")] == [
        False, False, False, True,
    ]  # fmt: skip


def test_the_way_back_to_papers_is_told_from_commands() -> None:
    """Only a line of ids is a list of papers; commands and their groups are none."""
    assert ids_in_line(papers_line(["2501.12948", "1706.03762"])) == ["2501.12948", "1706.03762"]
    for line in ("", "papers", "papers please", "papers 2501.12948 please", "lookup latest"):
        assert ids_in_line(line) == []


def test_papers_are_voted_for_where_their_cards_are() -> None:
    """The list has their votes, and its menu votes only where a vote counts."""
    cards = [PaperCard(ref, ref, "", None, (), (), None, votes=2) for ref in ("a", "b")]
    shown = [Reply((card, answer_actions(card))) for card in cards]
    for replies, menus in ((shown, ANSWER_MENUS), (map(without_votes, shown), SAVE_MENUS)):
        listed = papers_reply(list(replies)).blocks[1]
        assert isinstance(listed, PaperList)
        assert ([paper.votes for paper in listed.papers], listed.menus) == ([2, 2], menus)
