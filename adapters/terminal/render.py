"""Lines on a terminal: wrapped to its width, styled as far as it can and should show that."""

import re
from collections.abc import Iterable, Mapping
from enum import Enum
from itertools import groupby

from adapters.terminal.wrap import Row, wrap
from bot.replies.plain_text import Line, Span, Style


class Look(Enum):
    """How text may look."""

    PLAIN = "plain"
    COLOURLESS = "colourless"
    COLOURED = "coloured"


# Select Graphic Rendition codes (ECMA-48, 8.3.117). Bold is weight and stays without colour;
# faint goes, since most terminals show it by another colour.
_CODES: dict[Look, dict[Style, str]] = {
    Look.PLAIN: {},
    Look.COLOURLESS: {Style.TITLE: "1"},
    Look.COLOURED: {Style.TITLE: "1", Style.FAINT: "2", Style.NOTICE: "33", Style.CHOICE: "36"},
}
_RESET = "\x1b[0m"
# What may stand inside a hyperlink's code: an address in printable ASCII, and nothing else.
_LINKED = re.compile(r"https?://[!-~]+")


def look_of(environ: Mapping[str, str], *, is_terminal: bool) -> Look:
    """Return how a stream may look: plain in a pipe, without colour under `NO_COLOR`.

    By https://no-color.org any value but an empty one counts.
    """
    if not is_terminal or environ.get("TERM", "") in {"", "dumb", "unknown"}:
        return Look.PLAIN
    return Look.COLOURLESS if environ.get("NO_COLOR") else Look.COLOURED


def render(lines: Iterable[Line], width: int, look: Look) -> str:
    """Return lines as they are printed, rows at most `width` cells wide (see `wrap`)."""
    return "\n".join(_printed(row, look) for line in lines for row in wrap(line, width))


def _printed(row: Row, look: Look) -> str:
    head = "".join(_dressed(span, look) for span in row.head)
    alike = groupby(row.words, key=lambda word: (word.style, word.url))
    groups = (
        Span(" ".join(word.text for word in words), style, url) for (style, url), words in alike
    )
    return (head + " ".join(_dressed(group, look) for group in groups)).rstrip()


def _dressed(span: Span, look: Look) -> str:
    code = _CODES[look].get(span.style) if span.text.strip() else None
    text = f"\x1b[{code}m{span.text}{_RESET}" if code else span.text
    if look is not Look.PLAIN and span.url and _LINKED.fullmatch(span.url):
        return _linked(text, span.url)
    return text


def _linked(text: str, url: str) -> str:
    """Make text a hyperlink, so that an address leads where it says even over two rows.

    The code is Operating System Command 8; terminals that don't know it pass it over.
    """
    return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\"
