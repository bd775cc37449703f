"""Wrapping: lines of words to rows of at most so many cells. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from adapters.terminal.cells import cells, clusters
from bot.replies.plain_text import Line, Span, printable

_NARROWEST = 20
# Below this, columns are for words: a margin is only hinted at.
_NARROW = 40
# Margins up to this are for numbers and bullets, wider ones are columns of names.
_SHORT = 8
# An address, in brackets or quotes perhaps, is of no use in pieces.
_ADDRESS = re.compile(r"[(\[<\"'“‘]*https?://")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a screen: `head` stands before its words, one blank between any two of those."""

    head: tuple[Span, ...]
    words: tuple[Span, ...]


def wrap(line: Line, width: int) -> list[Row]:
    """Return a line as rows of at most `width` cells, and never less than 20.

    Words that are longer than a row are broken, but for addresses, which run over. A line that is
    to be kept as it is runs over, too.
    """
    if line.kept:
        return [Row(tuple(replace(span, text=printable(span.text)) for span in line.spans), ())]
    width = max(width, _NARROWEST)
    margin = min(line.margin, width // 3 if width >= _NARROW else 2)
    if line.mark and line.margin > _SHORT and cells(line.mark.text) >= margin:
        # A name that is wider than its column stands over what belongs to it.
        return [*wrap(Line((line.mark,)), width), *wrap(replace(line, mark=None), width)]
    head, spans = _placed(line, margin)
    rows = _Rows(width - margin, width - sum(cells(span.text) for span in head))
    for span in spans:
        for word in printable(span.text).split():
            rows.add(replace(span, text=word))
    first, *others = rows.found
    blank = (Span(" " * margin),)
    return [Row(head, tuple(first)), *(Row(blank, tuple(row)) for row in others)]


def _placed(line: Line, margin: int) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return what stands before the first row, and what is to be wrapped.

    A mark for which the margin has no room goes before the words, as one of them.
    """
    if line.mark is None:
        return (Span(" " * margin),), line.spans
    mark = replace(line.mark, text=printable(line.mark.text).rstrip())
    room = margin - cells(mark.text)
    if room < 1:
        return (), (mark, *line.spans)
    return (mark, Span(" " * room)), line.spans


class _Rows:
    """Rows that are being filled; the first may have less room than the others."""

    def __init__(self, width: int, first: int) -> None:
        self.found: list[list[Span]] = [[]]
        self._width = width
        self._left = first

    def add(self, word: Span) -> None:
        need, room = cells(word.text), self._room()
        if need > self._width and not _ADDRESS.match(word.text):
            self._add_pieces(word, room)
            return
        if need > room and (self.found[-1] or room < self._width):
            self._begin()
        self._put(word, need)

    def _add_pieces(self, word: Span, room: int) -> None:
        for number, piece in enumerate(_pieces(word.text, room, self._width)):
            if number:
                self._begin()
            if piece:
                self._put(replace(word, text=piece), cells(piece))

    def _room(self) -> int:
        return self._left - 1 if self.found[-1] else self._left

    def _begin(self) -> None:
        self.found.append([])
        self._left = self._width

    def _put(self, word: Span, need: int) -> None:
        self._left = self._room() - need
        self.found[-1].append(word)


def _pieces(text: str, room: int, width: int) -> Iterator[str]:
    """Cut a word: the first piece, which may be empty, for `room` cells, the others for `width`."""
    piece, left = "", room
    for cluster in clusters(text):
        need = cells(cluster)
        if need > left:
            yield piece
            piece, left = "", width
        piece += cluster
        left -= need
    yield piece
