"""Rendering of lines for a terminal: wrapped to its width, styled as far as it supports."""

import re
from collections.abc import Iterable, Mapping
from enum import Enum
from itertools import groupby

from adapters.terminal.wrap import ScreenRow, wrap
from bot.replies.plain_text import Style, StyledLine, StyledSpan


class TextStyle(Enum):
    """The text styles that a stream supports."""

    PLAIN = "plain"
    COLOURLESS = "colourless"
    COLOURED = "coloured"


# Select Graphic Rendition codes (ECMA-48, 8.3.117). Without colour bold stays, and faint goes,
# since most terminals show it as another colour.
_CODES: dict[TextStyle, dict[Style, str]] = {
    TextStyle.PLAIN: {},
    TextStyle.COLOURLESS: {Style.TITLE: "1"},
    TextStyle.COLOURED: {
        Style.TITLE: "1",
        Style.FAINT: "2",
        Style.NOTICE: "33",
        Style.CHOICE: "36",
    },
}
_RESET = "\x1b[0m"
# A hyperlink's escape sequence takes only printable ASCII.
_LINKABLE = re.compile(r"https?://[!-~]+")


def supported_style(environ: Mapping[str, str], *, is_terminal: bool) -> TextStyle:
    """Return the styles of a stream: plain in a pipe, without colour under `NO_COLOR`.

    By https://no-color.org any value but an empty one counts.
    """
    if not is_terminal or environ.get("TERM", "") in {"", "dumb", "unknown"}:
        return TextStyle.PLAIN
    return TextStyle.COLOURLESS if environ.get("NO_COLOR") else TextStyle.COLOURED


def render(lines: Iterable[StyledLine], width: int, supported: TextStyle) -> str:
    """Return the printed text of lines, wrapped to `width` cells (see `wrap`)."""
    return "\n".join(_render_row(row, supported) for line in lines for row in wrap(line, width))


def _render_row(row: ScreenRow, supported: TextStyle) -> str:
    head = "".join(_render_span(span, supported) for span in row.head)
    runs = groupby(row.words, key=lambda word: (word.style, word.url))
    groups = (
        StyledSpan(" ".join(word.text for word in words), style, url)
        for (style, url), words in runs
    )
    return (head + " ".join(_render_span(group, supported) for group in groups)).rstrip()


def _render_span(span: StyledSpan, supported: TextStyle) -> str:
    code = _CODES[supported].get(span.style) if span.text.strip() else None
    text = f"\x1b[{code}m{span.text}{_RESET}" if code else span.text
    if supported is not TextStyle.PLAIN and span.url and _LINKABLE.fullmatch(span.url):
        return _hyperlink(text, span.url)
    return text


def _hyperlink(text: str, url: str) -> str:
    """Return a text as a hyperlink, which keeps an address whole over two rows.

    The sequence is Operating System Command 8; terminals that don't support it ignore it.
    """
    return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\"
