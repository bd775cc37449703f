"""Elements as Block Kit. Pure.

Words stand in rich text and in plain text, where no sign of theirs means anything:
https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
Only beside a menu they stand in mrkdwn, since rich text takes nothing beside it.
"""

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any

from adapters.common.layout.elements import (
    Attached,
    ButtonAction,
    ButtonElement,
    ButtonRow,
    Divider,
    Element,
    MenuElement,
    Menus,
    Rows,
    Words,
)
from adapters.common.layout.limits import Look, Shape
from adapters.common.layout.pieces import MenuOption, Piece, Span
from adapters.slack.render.buttons import button, menu, overflow, plain_text
from adapters.slack.render.files import chart_block
from adapters.slack.render.mrkdwn import marked
from bot.replies.blocks import Level

_Object = dict[str, Any]

_EMOJI = {
    Level.INFO.value: "information_source",
    Level.WARNING.value: "warning",
    Level.ERROR.value: "x",
}
_NOTHING = "–"  # Slack takes no empty cell
_LONGEST_UNWRAPPED = 20  # of a column's cells, which stand on one line
_STYLES = {Look.BOLD: "bold", Look.FAINT: "italic"}


class _Controls:
    """Makes the buttons and menus of one message, each with a number of its own.

    Those of an answer that was shared say `by` whom.
    """

    def __init__(self, by: str | None) -> None:
        self._numbers = count(1)
        self._by = by

    def button(self, element: ButtonElement) -> _Object:
        by = self._by if element.by is None else element.by
        action = ButtonAction(element.effect, element.command, element.part, by)
        return button(element.label, action, next(self._numbers), element.aloud)

    def overflow(self, options: Sequence[MenuOption]) -> _Object:
        return overflow(options, next(self._numbers), self._by)

    def menu(self, element: MenuElement) -> _Object:
        return menu(element.placeholder, element.options, next(self._numbers), self._by)


def blocks_of(elements: Iterable[Element], by: str | None = None) -> list[_Object]:
    """Return the elements of a part as blocks; `by` is the id of the user who shared it."""
    controls = _Controls(by)
    return [block for element in elements for block in _blocks(element, controls)]


def rich(elements: list[_Object]) -> _Object:
    """Return a block of rich text in one section."""
    return {"type": "rich_text", "elements": [_section(elements)]}


def shared_by(user: str, command: str) -> _Object:
    """Return the block that says who posted an answer to the channel, with which command."""
    words = f" · {command}" if command else ""
    return rich(
        [
            {"type": "text", "text": "Shared by "},
            {"type": "user", "user_id": user},
            *([{"type": "text", "text": words}] if words else []),
        ]
    )


def _blocks(element: Element, controls: _Controls) -> list[_Object]:
    match element:
        case Words(pieces, _, options):
            beside = controls.overflow(options) if options else None
            return [_section_with(pieces, beside) if beside else _text(pieces)]
        case Rows(columns, rows):
            return [_table(columns, rows)]
        case ButtonRow(buttons):
            return [_row([controls.button(each) for each in buttons])]
        case Menus(menus, buttons):
            made = [controls.menu(each) for each in menus]
            return [_row([*made, *(controls.button(each) for each in buttons)])]
        case Attached(file) if file.chart and (chart := chart_block(file.chart)):
            return [chart]
        case Divider() | Attached():  # no look needs a line, no message holds a file
            return []


def _table(columns: Sequence[str], rows: Iterable[Sequence[Span]]) -> _Object:
    """Return a table, not a `data_table`: Slack takes that since 2026, and not everywhere yet.

    What shows in clients that don't know a `data_table` is not documented.
    https://docs.slack.dev/reference/block-kit/blocks/table-block
    """
    lines = [tuple(map(Span, columns)), *rows]
    longest = (max(len(span.text) for span in column) for column in zip(*lines, strict=True))
    return {
        "type": "table",
        "rows": [[_cell(span) for span in line] for line in lines],
        "column_settings": [{"is_wrapped": length > _LONGEST_UNWRAPPED} for length in longest],
    }


def _cell(span: Span) -> _Object:
    if span.url:
        return rich([_element(span)])
    return {"type": "raw_text", "text": span.text or _NOTHING}


def _row(elements: list[_Object]) -> _Object:
    return {"type": "actions", "elements": elements}


def _section_with(pieces: Sequence[Piece], accessory: _Object) -> _Object:
    words = "\n".join(marked(piece.spans) for piece in pieces)
    # Without `verbatim` Slack would make links of what looks like one.
    text = {"type": "mrkdwn", "text": words, "verbatim": True}
    return {"type": "section", "text": text, "accessory": accessory}


def _text(pieces: Sequence[Piece]) -> _Object:
    block = _block(pieces[0])
    for piece in pieces[1:]:
        _join(block, piece)
    return block


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
        case Shape.QUOTE:
            quote = {"type": "rich_text_quote", "elements": elements}
            return {"type": "rich_text", "elements": [quote]}
        case Shape.VERBATIM:
            kept = {"type": "rich_text_preformatted", "elements": elements}
            return {"type": "rich_text", "elements": [kept]}
        case Shape.FAINT:
            return {"type": "context", "elements": [plain_text(_words(piece))]}
        case Shape.HEADER:
            return {"type": "header", "text": plain_text(_words(piece))}


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


def _words(piece: Piece) -> str:
    return "".join(span.text for span in piece.spans)
