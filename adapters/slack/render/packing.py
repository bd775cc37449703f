"""What pieces take of one message in Slack, and which of them share a block.

Pure but for the part being counted.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from json import dumps
from typing import NamedTuple

from adapters.laying import packing
from adapters.laying.pieces import Look, Piece, Shape, Span
from adapters.slack.render.limits import MOST_IN_ROW
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
    return packing.pack(map(_sized, pieces), lambda: _Tally(room), lambda each: each.piece.leads)


def _sized(piece: Piece) -> Sized:
    json = BLOCK_JSON if piece.spans else 0
    for span in piece.spans:
        json += _SPAN_JSON + json_length(span.text) + (len(span.url) if span.url else 0)
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
    return mark + in_mrkdwn("".join([_said(span) for span in piece.spans])).lstrip()


def _said(span: Span) -> str:
    """Return words for who can't see them, with where they lead."""
    if span.look is Look.SIGN:
        return ""
    return f"{span.text}: {span.url}" if span.url and span.url != span.text else span.text


class _Tally:
    """What a part holds while it is filled."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._blocks = self._json = self._text = self._in_group = 0
        self._before: Piece | None = None

    def add(self, item: Sized) -> bool:
        """Count a piece in if it fits too, as the first one always does; tell whether it did."""
        before, room = self._before, self._room
        in_group = self._in_group if before and before.group == item.piece.group else 0
        blocks = self._blocks + _blocks_of(item.piece, before, in_group)
        json = self._json + item.json
        text = self._text + len(item.plain) + 1
        rows = _ROW_JSON * blocks
        if before and not (
            blocks <= room.blocks and json + rows <= room.json and text <= room.text
        ):
            return False
        self._blocks, self._json, self._text = blocks, json, text
        self._in_group = in_group + bool(item.piece.button)
        self._before = item.piece
        return True


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
