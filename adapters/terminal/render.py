"""Rendering of lines for a terminal: wrapped to its width in cells, styled as far as it supports.

Terminals differ on emoji and on scripts of the Indic family, so the count is an upper bound: a
row may end a little early, and never runs over. Unicode's own table in the standard library is
enough for that; a library of widths would take longer to import than an answer takes to print.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby

from bot.replies.plain_text import Style, StyledLine, StyledSpan, printable

# Characters without a width (Unicode General_Category Cf).
_ZERO_WIDTH = frozenset("\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
# The variation selector that turns a narrow character into a wide emoji (Unicode TS 51).
_EMOJI_SELECTOR = "\ufe0f"
# Two of them make a flag; a single one is drawn as a wide letter.
_REGIONAL_INDICATORS = frozenset(map(chr, range(0x1F1E6, 0x1F200)))


def cells(text: str) -> int:
    """Return the greatest width of a text without control characters."""
    return len(text) if text.isascii() else sum(map(_width, text))


def clusters(text: str) -> Iterator[str]:
    """Split a text where it may be broken: zero-width characters stay with the one before."""
    cluster = ""
    for character in text:
        if cluster and character != _EMOJI_SELECTOR and _width(character):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def _width(character: str) -> int:
    if character == _EMOJI_SELECTOR:
        return 1
    category = unicodedata.category(character)
    if character in _ZERO_WIDTH or category in {"Mn", "Me"}:
        return 0
    # "Cn" is a character that is newer than Python's table, as emoji often are.
    wide = category == "Cn" or unicodedata.east_asian_width(character) in {"W", "F"}
    return 2 if wide or character in _REGIONAL_INDICATORS else 1


_MIN_WIDTH = 20
# Below this width margins shrink to two columns.
_NARROW = 40
# Margins up to this width hold numbers and bullets, wider ones names.
_MARK_WIDTH = 8
# A URL, perhaps in brackets or quotes, is of no use in pieces.
_ADDRESS = re.compile(r"[(\[<\"'“‘]*https?://")


@dataclass(frozen=True, slots=True)
class ScreenRow:
    """A row of a screen: `head`, then the words with a blank between each two."""

    head: tuple[StyledSpan, ...]
    words: tuple[StyledSpan, ...]


def wrap(line: StyledLine, width: int) -> list[ScreenRow]:
    """Return a line as rows of at most `width` cells, but at least 20.

    Words that are longer than a row are broken, except for URLs, which overflow. Preformatted lines
    (`kept`) overflow too.
    """
    if line.kept:
        return [
            ScreenRow(tuple(replace(span, text=printable(span.text)) for span in line.spans), ())
        ]
    width = max(width, _MIN_WIDTH)
    margin = min(line.margin, width // 3 if width >= _NARROW else 2)
    if line.mark and line.margin > _MARK_WIDTH and cells(line.mark.text) >= margin:
        # A name that is wider than its column gets a row of its own.
        return [*wrap(StyledLine((line.mark,)), width), *wrap(replace(line, mark=None), width)]
    head, spans = _split_mark(line, margin)
    rows = _Rows(width - margin, width - sum(cells(span.text) for span in head))
    for span in spans:
        for word in printable(span.text).split():
            rows.add(replace(span, text=word))
    first, *others = rows.rows
    blank = (StyledSpan(" " * margin),)
    return [ScreenRow(head, tuple(first)), *(ScreenRow(blank, tuple(row)) for row in others)]


def _split_mark(
    line: StyledLine, margin: int
) -> tuple[tuple[StyledSpan, ...], tuple[StyledSpan, ...]]:
    """Return the head of the first row, and the spans to wrap.

    A mark that does not fit into the margin becomes the first of the words.
    """
    if line.mark is None:
        return (StyledSpan(" " * margin),), line.spans
    mark = replace(line.mark, text=printable(line.mark.text).rstrip())
    room = margin - cells(mark.text)
    if room < 1:
        return (), (mark, *line.spans)
    return (mark, StyledSpan(" " * room)), line.spans


class _Rows:
    """A builder of rows; the first one may have less room than the others."""

    def __init__(self, width: int, first: int) -> None:
        self.rows: list[list[StyledSpan]] = [[]]
        self._width = width
        self._left = first

    def add(self, word: StyledSpan) -> None:
        need, room = cells(word.text), self._room()
        if need > self._width and not _ADDRESS.match(word.text):
            self._add_pieces(word, room)
            return
        if need > room and (self.rows[-1] or room < self._width):
            self._begin()
        self._put(word, need)

    def _add_pieces(self, word: StyledSpan, room: int) -> None:
        for number, piece in enumerate(_pieces(word.text, room, self._width)):
            if number:
                self._begin()
            if piece:
                self._put(replace(word, text=piece), cells(piece))

    def _room(self) -> int:
        return self._left - 1 if self.rows[-1] else self._left

    def _begin(self) -> None:
        self.rows.append([])
        self._left = self._width

    def _put(self, word: StyledSpan, need: int) -> None:
        self._left = self._room() - need
        self.rows[-1].append(word)


def _pieces(text: str, room: int, width: int) -> Iterator[str]:
    """Split a word: the first piece, which may be empty, fits `room` cells, the others `width`."""
    piece, left = "", room
    for cluster in clusters(text):
        need = cells(cluster)
        if need > left:
            yield piece
            piece, left = "", width
        piece += cluster
        left -= need
    yield piece


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
