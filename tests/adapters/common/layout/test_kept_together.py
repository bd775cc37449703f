"""Cards and their buttons: together in one part, on every platform."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.common.layout.limits import Limits
from adapters.common.layout.parts import ReplyPart, lay_out
from adapters.discord.render.limits import LIMITS as DISCORD
from adapters.slack.render.limits import LIMITS as SLACK
from bot.replies.blocks import Actions, Block, Button, PaperCard, Reply, Text, Title
from store.records import Highlight

_LIMITS = pytest.mark.parametrize("limits", [DISCORD, SLACK], ids=["discord", "slack"])
_BUTTONS = ("show", "save", "vote")


def _brief(words: list[int], highlights: int, *, left_out: bool = False) -> Reply:
    blocks: list[Block] = [Title("A brief"), Text("New to you.")]
    for place, length in enumerate(words, start=1):
        told = (Highlight("Fast", "It is faster."),) * highlights
        summary = "word " * length
        blocks.append(PaperCard(f"a#{place}", f"Paper {place}.", "here", summary, told, (), None))
        if left_out:
            blocks.append(Text("Left out: 1 highlight."))
        blocks.append(Actions(tuple(Button(each, f"{each} a#{place}") for each in _BUTTONS)))
    return Reply((*blocks, Text("Nothing is left.")), command="brief of:1")


def _papers(part: ReplyPart) -> list[int]:
    told = " ".join(span.text for piece in part.pieces for span in piece.spans)
    return [int(each) for each in re.findall(r"Paper (\d+)\.", told)]


def _buttons(part: ReplyPart) -> list[str]:
    return [piece.button.command for piece in part.pieces if piece.button]


def _parts(reply: Reply, limits: Limits) -> list[ReplyPart]:
    parts = lay_out(reply, limits)
    return [parts.part(number) for number in range(1, len(parts.contents) + 1)]


@_LIMITS
@pytest.mark.parametrize("left_out", [False, True])
def test_a_part_has_the_buttons_of_all_its_papers(limits: Limits, *, left_out: bool) -> None:
    """The last paper of a part goes to the next one where its buttons do not fit."""
    parts = _parts(_brief([20] * 60, 2, left_out=left_out), limits)
    assert len(parts) > 1
    for part in parts:
        papers = _papers(part)
        assert _buttons(part) == [f"{each} a#{place}" for place in papers for each in _BUTTONS]


@_LIMITS
@given(
    words=st.lists(st.integers(0, 400), min_size=1, max_size=30),
    highlights=st.integers(0, 6),
)
def test_no_card_is_parted_from_its_buttons(
    limits: Limits, words: list[int], highlights: int
) -> None:
    """That holds for papers of any length that a part can hold, all of which are shown once."""
    parts = _parts(_brief(words, highlights), limits)
    assert [place for part in parts for place in _papers(part)] == [*range(1, len(words) + 1)]
    for part in parts:
        wanted = [f"{each} a#{place}" for place in _papers(part) for each in _BUTTONS]
        assert _buttons(part) == wanted


@_LIMITS
@given(words=st.integers(600, 6000))
def test_the_end_of_a_card_too_long_for_a_part_has_its_buttons(limits: Limits, words: int) -> None:
    """They stand below words, and never alone."""
    parts = _parts(_brief([words], 0), limits)
    [where] = [part for part in parts if _buttons(part)]
    assert _buttons(where) == [f"{each} a#1" for each in _BUTTONS]
    first = next(place for place, piece in enumerate(where.pieces) if piece.button)
    assert first
