"""What stands together in one message in Discord, and what that takes.

Pure but for the part being counted.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from adapters.common.layout import packing
from adapters.common.layout.menus import Offered
from adapters.common.layout.pieces import Piece, Shape
from adapters.discord.render.buttons import MOST_OPTIONS, packed
from adapters.discord.render.limits import MOST_IN_ROW
from adapters.discord.render.markdown import in_words
from adapters.discord.render.texts import length

# Itself, its text, its button.
_SECTION = 3
_SELECT = 2
_BREAK = 2  # characters between two pieces, at most


@dataclass(frozen=True, slots=True)
class Room:
    """What one part may take."""

    components: int
    text: int
    rows: int


class Item(NamedTuple):
    """A piece with its words as Markdown, or bare buttons that stand in one row, or only picks.

    `picks` where those are the options of a select; `place` and `of` say which of its group's
    selects it is. `attached` where it is the piece's file, without words.
    """

    piece: Piece
    text: str = ""
    choices: tuple[Piece, ...] = ()
    picks: bool = False
    place: int = 1
    of: int = 1
    attached: bool = False


def items_of(pieces: Iterable[Piece], *, selects: bool, attach: bool = True) -> Iterator[Item]:
    """Give pieces as items, the bare buttons of each group in rows below its words.

    With `selects`, buttons too many for one row are options, but for those that open forms: what
    is chosen already can't be chosen again, as one who closed a form may want to. Without `attach`
    words stand for files.
    """
    for _, group in groupby(pieces, key=lambda piece: piece.group):
        bare: list[Piece] = []
        offers: list[Item] = []
        attached = False
        for piece in group:
            if attach and piece.file:
                if not attached:  # its words may be several pieces
                    yield Item(piece, attached=True)
                attached = True
            elif piece.spans:
                yield Item(piece, in_words(piece))
            elif piece.button:
                bare.append(piece)
            else:
                offers.append(Item(piece))
        yield from _choices(bare, selects=selects)
        yield from offers


def pack(items: Iterable[Item], room: Room) -> list[list[Item]]:
    """Return items in parts that fit, filled in order; at least one part."""
    return packing.pack(items, lambda: _Tally(room), lambda item: item.piece.leads)


def pieces_in(item: Item) -> tuple[Piece, ...]:
    """Return the pieces of an item."""
    return item.choices or (item.piece,)


def joins(before: Item, item: Item) -> bool:
    """Tell whether an item continues the text of the one before it.

    The heading over a paper does; a heading itself begins anew.
    """
    if before.choices or item.choices or before.piece.button:
        return False
    if not (before.text and item.text):
        return False
    same = before.piece.group == item.piece.group
    if item.piece.button:
        return same and before.piece.leads and before.piece.shape is Shape.FAINT
    return same or (before.piece.leads and item.piece.shape is not Shape.FAINT)


def _choices(bare: Sequence[Piece], *, selects: bool) -> Iterator[Item]:
    unique = list(dict.fromkeys(bare))
    if selects and len(unique) > MOST_IN_ROW:
        yield from _picks([piece for piece in unique if not _opens_form(piece)])
        bare = [piece for piece in unique if _opens_form(piece)]
    for place in range(0, len(bare), MOST_IN_ROW):
        yield Item(bare[place], "", tuple(bare[place : place + MOST_IN_ROW]))


def _picks(pieces: Sequence[Piece]) -> Iterator[Item]:
    batches = _batches(pieces)
    for place, batch in enumerate(batches, start=1):
        yield Item(batch[0], "", tuple(batch), picks=True, place=place, of=len(batches))


def _opens_form(piece: Piece) -> bool:
    return piece.button is not None and piece.button.form


def _batches(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Gather buttons for selects, in none of which two have one command."""
    batches: list[list[Piece]] = []
    taken: list[set[str]] = []
    for piece in pieces:
        value = packed(piece.button.command) if piece.button else ""
        for batch, values in zip(batches, taken, strict=True):
            if len(batch) < MOST_OPTIONS and value not in values:
                batch.append(piece)
                values.add(value)
                break
        else:
            batches.append([piece])
            taken.append({value})
    return batches


class _Tally:
    """What a part holds while it is filled."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._components = self._text = self._sections = self._rows = 0
        self._before: Item | None = None
        self._offered = Offered(MOST_OPTIONS)

    def add(self, item: Item) -> bool:
        """Count an item in if it fits too, as the first one always does; tell whether it did."""
        room = self._room
        offers = [piece for piece in pieces_in(item) if piece.picks]
        picks = [pick for piece in offers for pick in self._offered.fresh(piece)]
        menus = len(self._offered.begun(picks)) if picks else 0
        components = self._components + _components(item, self._before) + _SELECT * menus
        text = self._text + (length(item.text) + _BREAK if item.text else 0)
        sections = self._sections + bool(item.piece.button and not item.choices)
        rows = self._rows + bool(item.choices) + menus
        if self._before and not (
            components <= room.components
            and text <= room.text
            and rows - (-sections // MOST_IN_ROW) <= room.rows
        ):
            return False
        self._components, self._text = components, text
        self._sections, self._rows = sections, rows
        self._before = item
        self._offered.take(picks)
        return True


def _components(item: Item, before: Item | None) -> int:
    """Count the components that an item adds; a heading's own becomes a part of the section."""
    if item.picks:
        return _SELECT
    if item.choices:
        return 1 + len(item.choices)
    if not (item.text or item.attached):
        return 0
    joined = bool(before and joins(before, item))
    return (_SECTION if item.piece.button else 1) - joined
