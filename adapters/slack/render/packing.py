"""Which pieces stand together in one message. Pure but for the part being filled."""

from collections.abc import Iterable
from dataclasses import dataclass
from json import dumps
from typing import NamedTuple

from adapters.slack.render.limits import MOST_IN_ROW
from adapters.slack.render.pieces import Piece, Shape
from adapters.slack.render.texts import in_mrkdwn, json_length

# What stands in JSON around the words of each, at most, with the blank and the comma after it.
BLOCK_JSON = 150
BUTTON_JSON = 150
_SPAN_JSON = 70
_ROW_JSON = 40


@dataclass(frozen=True, slots=True)
class Room:
    """What one part may take."""

    blocks: int
    json: int
    text: int


class Sized(NamedTuple):
    """A piece, its words for who can't see it, and what it takes as JSON."""

    piece: Piece
    plain: str
    json: int


def pack(pieces: Iterable[Piece], room: Room) -> list[list[Sized]]:
    """Return pieces in parts that fit, filled in order; at least one part."""
    parts = [_Part(room)]
    for piece in pieces:
        sized = _sized(piece)
        if parts[-1].add(sized):
            continue
        parts.append(parts[-1].turned())
        if not parts[-1].add(sized):  # it and what leads over to it are too much together
            parts.append(_Part(room))
            parts[-1].add(sized)
    return [part.content for part in parts]


def _sized(piece: Piece) -> Sized:
    json = BLOCK_JSON if piece.spans else 0
    for text, _, url in piece.spans:
        json += _SPAN_JSON + json_length(text) + (len(url) if url else 0)
    if piece.button:
        label, command = piece.button.label, piece.button.command
        json += json_length(label) + len(dumps(command)) + BUTTON_JSON
    return Sized(piece, _plain(piece), json)


def _plain(piece: Piece) -> str:
    """Return a piece for who can't see it, safe in mrkdwn.

    A button with words beside it says no more than they do.
    """
    if not piece.spans:
        return in_mrkdwn(f"[{piece.button.label}]") if piece.button else ""
    mark = "• " if piece.shape is Shape.BULLET else ""
    return mark + in_mrkdwn("".join([span.plain for span in piece.spans])).lstrip()


class _Part:
    """A part while it is filled."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._blocks = self._json = self._text = self._in_group = 0
        self.content: list[Sized] = []

    def add(self, sized: Sized) -> bool:
        """Add a piece if it fits too, as the first one always does; tell whether it did."""
        before = self.content[-1].piece if self.content else None
        in_group = self._in_group if before and before.group == sized.piece.group else 0
        blocks = self._blocks + _blocks_of(sized.piece, before, in_group)
        json = self._json + sized.json
        text = self._text + len(sized.plain) + 1
        room = self._room
        rows = _ROW_JSON * blocks
        if before and not (
            blocks <= room.blocks and json + rows <= room.json and text <= room.text
        ):
            return False
        self._blocks, self._json, self._text = blocks, json, text
        self._in_group = in_group + bool(sized.piece.button)
        self.content.append(sized)
        return True

    def turned(self) -> "_Part":
        """Begin the next part, with those of this one's pieces that lead over to it."""
        stay = len(self.content)
        while stay and self.content[stay - 1].piece.leads:
            stay -= 1
        part = _Part(self._room)
        if stay:
            for sized in self.content[stay:]:
                part.add(sized)
            del self.content[stay:]
        return part


def _blocks_of(piece: Piece, before: Piece | None, in_group: int) -> int:
    """Count the blocks that a piece adds: its own, and a row where its button begins one."""
    own = bool(piece.spans) and not (before and joins(before, piece))
    row = piece.button and in_group % MOST_IN_ROW == 0
    return own + bool(row)


def joins(before: Piece, piece: Piece) -> bool:
    """Tell whether a piece shares the block of the one before it."""
    return (
        piece.joined
        and before.joined
        and before.shape is piece.shape
        and before.group == piece.group
    )
