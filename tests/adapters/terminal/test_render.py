"""Replies on a terminal: width, style, and nothing that a source could smuggle in."""

import re
import unicodedata
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from adapters.terminal.render import TextStyle, render, supported_style
from adapters.terminal.reply_lines import letter_buttons, lettered_lines
from bot.replies.blocks import Reply
from bot.replies.plain_text import Style, StyledLine, StyledSpan, lines
from tests.any_replies import REPLIES, TURNING, squeezed, texts

_WIDTHS = st.integers(1, 200)
_ADDRESS = re.compile(r"[(\[<\"'“‘]*https?://")
_CODE = re.compile(r"\x1b\[\d*m|\x1b\]8;;[!-~]*\x1b\\")


def _fits(row: str, width: int) -> bool:
    """Tell whether a row is within the width, or an address that is longer, with its margin."""
    before, _, last = row.rpartition(" ")
    if _ADDRESS.match(last):
        row = before
    return 0 <= wcswidth(row) <= max(width, 20)


def _steering(text: str) -> list[str]:
    return [sign for sign in text if unicodedata.category(sign) == "Cc" or sign in TURNING]


def _rows(found: Iterable[StyledLine], width: int) -> list[str]:
    """Return the rows of lines that are wrapped."""
    return render((line for line in found if not line.kept), width, TextStyle.PLAIN).split("\n")


@given(REPLIES, _WIDTHS)
def test_any_answer_fits_any_width(reply: Reply, width: int) -> None:
    """Rows keep within the width, no word is lost, no control character is printed.

    Only text that is to be copied runs over.
    """
    found = lines(reply)
    printed = render(found, width, TextStyle.PLAIN)
    assert [row for row in _rows(found, width) if not _fits(row, width)] == []
    assert _steering(printed.replace("\n", "")) == []
    seen = squeezed(printed)
    shown = texts(reply, frozenset({"arxiv_id"}))
    assert [text for text in shown if squeezed(text) not in seen] == []


@given(REPLIES, _WIDTHS)
def test_any_answer_at_the_prompt_fits_any_width(reply: Reply, width: int) -> None:
    """The same holds with lettered buttons, but for the commands of pages."""
    found = lettered_lines(reply, letter_buttons(reply), refs=True)
    printed = render(found, width, TextStyle.PLAIN)
    assert [row for row in _rows(found, width) if not _fits(row, width)] == []
    assert _steering(printed.replace("\n", "")) == []
    seen = squeezed(printed)
    shown = texts(reply, frozenset({"arxiv_id", "previous", "next"}))
    assert [text for text in shown if squeezed(text) not in seen] == []


@given(REPLIES, _WIDTHS, st.sampled_from([TextStyle.COLOURLESS, TextStyle.COLOURED]))
def test_style_adds_nothing_but_style(reply: Reply, width: int, look: TextStyle) -> None:
    """Without its codes a styled reply is the plain one."""
    styled = render(lines(reply), width, look)
    assert _CODE.sub("", styled) == render(lines(reply), width, TextStyle.PLAIN)


@pytest.mark.parametrize(
    ("environ", "is_terminal", "look"),
    [
        ({"TERM": "xterm"}, True, TextStyle.COLOURED),
        ({"TERM": "xterm"}, False, TextStyle.PLAIN),
        ({"TERM": "dumb"}, True, TextStyle.PLAIN),
        ({}, True, TextStyle.PLAIN),
        ({"TERM": "xterm", "NO_COLOR": "1"}, True, TextStyle.COLOURLESS),
        ({"TERM": "xterm", "NO_COLOR": "0"}, True, TextStyle.COLOURLESS),
        ({"TERM": "xterm", "NO_COLOR": ""}, True, TextStyle.COLOURED),
        ({"TERM": "dumb", "NO_COLOR": "1"}, True, TextStyle.PLAIN),
    ],
)
def test_the_look_is_what_the_stream_can_show(
    environ: dict[str, str],
    is_terminal: bool,  # noqa: FBT001 - a table's column
    look: TextStyle,
) -> None:
    """Pipes and dumb terminals are plain; any value of `NO_COLOR` but an empty one counts."""
    assert supported_style(environ, is_terminal=is_terminal) is look


STYLED = [StyledLine(tuple(StyledSpan(style, style) for style in Style))]


def test_each_style_has_its_code() -> None:
    """Titles bold, places faint, notices yellow, what is typed cyan; without colour only bold."""
    assert render(STYLED, 80, TextStyle.COLOURED) == (
        "\x1b[1mtitle\x1b[0m text \x1b[2mfaint\x1b[0m \x1b[33mnotice\x1b[0m \x1b[36mchoice\x1b[0m"
    )
    assert (
        render(STYLED, 80, TextStyle.COLOURLESS) == "\x1b[1mtitle\x1b[0m text faint notice choice"
    )
    assert render(STYLED, 80, TextStyle.PLAIN) == "title text faint notice choice"


@pytest.mark.parametrize(
    ("url", "linked"),
    [
        ("https://example.org/a;b?c=%20", True),
        ("http://example.org", True),
        ("javascript:alert(1)", False),
        ("https://example.org/\x1b\\", False),
        ("https://example.org/ü", False),
    ],
)
def test_addresses_are_links_where_they_can_be(url: str, linked: bool) -> None:  # noqa: FBT001 - a table's column
    """An address in printable ASCII is a hyperlink on a terminal, and never in a pipe."""
    line = StyledLine((StyledSpan("there", url=url),))
    code = f"\x1b]8;;{url}\x1b\\there\x1b]8;;\x1b\\"
    for look in (TextStyle.COLOURED, TextStyle.COLOURLESS):
        assert render([line], 80, look) == (code if linked else "there")
    assert render([line], 80, TextStyle.PLAIN) == "there"
