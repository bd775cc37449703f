"""Pieces as Block Kit. Pure.

Words stand in rich text and in plain text only, where no sign of theirs means anything:
https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
"""

from collections.abc import Iterable, Sequence
from itertools import count, groupby
from typing import Any, NamedTuple

from adapters.common.layout.menus import Laid, menus_of
from adapters.common.layout.pieces import Look, Piece, Shape, Span
from adapters.slack.render.buttons import MOST_OPTIONS, ButtonAction, Verb, button, menu
from adapters.slack.render.limits import MOST_IN_ROW
from adapters.slack.render.packing import joins
from bot.replies.blocks import Button, Level

_Object = dict[str, Any]

_EMOJI = {
    Level.INFO.value: "information_source",
    Level.WARNING.value: "warning",
    Level.ERROR.value: "x",
}
_STYLES = {Look.BOLD: "bold", Look.FAINT: "italic"}


class Way(NamedTuple):
    """A button: its label, what pressing it does, and what a screen reader says of it."""

    label: str
    action: ButtonAction
    aloud: str = ""


class Controls:
    """Makes the buttons and menus of one message, each with a number of its own."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def row(self, ways: Iterable[Way]) -> _Object:
        """Return a row of buttons."""
        return _row([button(way.label, way.action, next(self._numbers), way.aloud) for way in ways])

    def rows(self, ways: Sequence[Way]) -> list[_Object]:
        """Return as many rows as buttons need."""
        places = range(0, len(ways), MOST_IN_ROW)
        return [self.row(ways[place : place + MOST_IN_ROW]) for place in places]

    def menus(self, menus: Sequence[Laid]) -> list[_Object]:
        """Return menus in one row, none where there are none."""
        made = [
            menu(
                laid.placeholder,
                [(pick.label, pick.command) for pick in laid.options],
                next(self._numbers),
            )
            for laid in menus
        ]
        return [_row(made)] if made else []


def shown(pieces: Sequence[Piece], controls: Controls) -> list[_Object]:
    """Return pieces as blocks, each group's buttons in rows below it, and its menus below those."""
    blocks: list[_Object] = []
    menus = menus_of(pieces, MOST_OPTIONS)
    for number, group in groupby(pieces, key=lambda piece: piece.group):
        blocks += _group(list(group), controls)
        blocks += controls.menus([laid for laid in menus if laid.group == number])
    return blocks


def faint(words: str) -> _Object:
    """Return words in small grey letters."""
    return {"type": "context", "elements": [_plain_text(words)]}


def rich(elements: list[_Object]) -> _Object:
    """Return a block of rich text in one section."""
    return {"type": "rich_text", "elements": [_section(elements)]}


def _row(elements: list[_Object]) -> _Object:
    return {"type": "actions", "elements": elements}


def _group(pieces: Sequence[Piece], controls: Controls) -> list[_Object]:
    blocks: list[_Object] = []
    before: Piece | None = None
    for piece in pieces:
        if before and joins(before, piece):
            _join(blocks[-1], piece)
        elif piece.spans:
            blocks.append(_block(piece))
        before = piece
    ways = [_way(piece, piece.button) for piece in pieces if piece.button]
    return [*blocks, *controls.rows(ways)]


def _way(piece: Piece, pressed: Button) -> Way:
    verb = Verb.FORM if pressed.form else Verb.TURN if piece.turns else Verb.RUN
    return Way(pressed.label, ButtonAction(verb, pressed.command), pressed.aloud)


def _block(piece: Piece) -> _Object:
    elements = [_element(span) for span in piece.spans]
    match piece.shape:
        case Shape.WORDS | Shape.NAME:
            return rich(elements)
        case Shape.BULLET:
            bullets = {
                "type": "rich_text_list",
                "style": "bullet",
                "elements": [_section(elements)],
            }
            return {"type": "rich_text", "elements": [bullets]}
        case Shape.VERBATIM:
            kept = {"type": "rich_text_preformatted", "elements": elements}
            return {"type": "rich_text", "elements": [kept]}
        case Shape.FAINT:
            return faint(_words(piece))
        case Shape.HEADER:
            return {"type": "header", "text": _plain_text(_words(piece))}


def _join(block: _Object, piece: Piece) -> None:
    """Add a piece to the block of the one before it: a bullet to its list, else a line."""
    elements = [_element(span) for span in piece.spans]
    if piece.shape is Shape.BULLET:
        block["elements"][0]["elements"].append(_section(elements))
    else:
        if elements[0]["type"] == "text":
            elements[0]["text"] = f"\n{elements[0]['text']}"
        else:
            elements.insert(0, {"type": "text", "text": "\n"})
        block["elements"][0]["elements"] += elements


def _element(span: Span) -> _Object:
    if span.look is Look.SIGN:
        return {"type": "emoji", "name": _EMOJI[span.text]}
    element: _Object = {"type": "text", "text": span.text}
    if span.url:
        element = {"type": "link", "url": span.url, "text": span.text}
    style = _STYLES.get(span.look)
    return {**element, "style": {style: True}} if style else element


def _section(elements: list[_Object]) -> _Object:
    return {"type": "rich_text_section", "elements": elements}


def _plain_text(words: str) -> _Object:
    return {"type": "plain_text", "text": words, "emoji": False}


def _words(piece: Piece) -> str:
    return "".join(span.text for span in piece.spans)
