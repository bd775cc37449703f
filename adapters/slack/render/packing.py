"""What pieces take of one message in Slack, and which of them share a block.

Pure but for the part being counted.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from json import dumps
from typing import NamedTuple

from adapters.common.layout import packing
from adapters.common.layout.menus import Offered
from adapters.common.layout.pieces import Look, Pick, Piece, Shape, Span
from adapters.slack.render.buttons import MOST_OPTIONS
from adapters.slack.render.limits import MOST_IN_ROW
from adapters.slack.render.texts import in_mrkdwn, json_length

# What stands in JSON around the words of each, at most, with the blank and the comma after it.
BLOCK_JSON = 100
BUTTON_JSON = 120
_LIST_JSON = 150
_BULLET_JSON = 50
_BREAK_JSON, _LONE_BREAK_JSON = 5, 35
_ALOUD_JSON = 30
_MENU_JSON = 150
_OPTION_JSON = 75
_TEXT_JSON, _STYLED_JSON, _LINK_JSON = 30, 58, 70
_ROW_JSON = 40


@dataclass(frozen=True, slots=True)
class Room:
    """What one part may take."""

    blocks: int
    json: int
    text: int


class Sized(NamedTuple):
    """A piece, its words for who can't see it, and what it takes as JSON but for its block."""

    piece: Piece
    plain: str
    json: int


def pack(pieces: Iterable[Piece], room: Room) -> list[list[Sized]]:
    """Return pieces in parts that fit, filled in order; at least one part."""
    return packing.pack(map(_sized, pieces), lambda: _Tally(room), lambda each: each.piece.leads)


def _sized(piece: Piece) -> Sized:
    json = 0
    for span in piece.spans:
        json += _span_json(span) + json_length(span.text)
    if piece.button:
        label, command = piece.button.label, piece.button.command
        json += json_length(label) + len(dumps(command)) + BUTTON_JSON
        if piece.button.aloud:
            json += json_length(piece.button.aloud) + _ALOUD_JSON
    return Sized(piece, _plain(piece), json)


def _plain(piece: Piece) -> str:
    """Return a piece for who can't see it, safe in mrkdwn.

    A button or an option with words beside it says no more than they do.
    """
    if not piece.spans:
        labels = [piece.button.label] if piece.button else [pick.label for pick in piece.picks]
        return in_mrkdwn(" ".join([f"[{label}]" for label in labels]))
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
        self._offered = Offered(MOST_OPTIONS)

    def add(self, item: Sized) -> bool:
        """Count a piece in if it fits too, as the first one always does; tell whether it did."""
        before, room = self._before, self._room
        in_group = self._in_group if before and before.group == item.piece.group else 0
        picks = self._offered.fresh(item.piece) if item.piece.picks else ()
        menus = self._offered.begun(picks) if picks else ()
        joined = before is not None and joins(before, item.piece)
        # As many as there are menus, which mostly share one.
        rows = len(menus) + bool(item.piece.button and in_group % MOST_IN_ROW == 0)
        blocks = self._blocks + rows + bool(item.piece.spans and not joined)
        json = self._json + item.json + _block_json(item.piece, joined=joined) + _ROW_JSON * rows
        text = self._text + len(item.plain) + 1
        if picks:
            json += _menus_json(picks, menus)
            text += sum([len(in_mrkdwn(name)) + 2 for name in menus])
        fits = blocks <= room.blocks and json <= room.json and text <= room.text
        if before and not fits:
            return False
        self._blocks, self._json, self._text = blocks, json, text
        self._in_group = in_group + bool(item.piece.button)
        self._before = item.piece
        self._offered.take(picks)
        return True


def _menus_json(picks: Iterable[Pick], menus: Iterable[str]) -> int:
    options = [json_length(each.label) + len(dumps(each.command)) + _OPTION_JSON for each in picks]
    return sum(options) + sum([json_length(name) + _MENU_JSON for name in menus])


def _block_json(piece: Piece, *, joined: bool) -> int:
    if not piece.spans:
        return 0
    if piece.shape is Shape.BULLET:
        return _BULLET_JSON if joined else _LIST_JSON
    if joined:
        return _BREAK_JSON if _is_text(piece.spans[0]) else _LONE_BREAK_JSON
    return BLOCK_JSON


def _span_json(span: Span) -> int:
    if not _is_text(span):
        return _LINK_JSON + len(span.url or "")
    return _TEXT_JSON if span.look is Look.PLAIN else _STYLED_JSON


def _is_text(span: Span) -> bool:
    return not span.url and span.look is not Look.SIGN


def joins(before: Piece, piece: Piece) -> bool:
    """Tell whether a piece shares the block of the one before it."""
    return (
        piece.joined
        and before.joined
        and before.shape is piece.shape
        and before.group == piece.group
    )
