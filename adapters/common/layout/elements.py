"""Elements: what a part of a reply consists of on any platform. Pure."""

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import groupby
from typing import NamedTuple

from adapters.common.layout.limits import Limits
from adapters.common.layout.looks import Shape
from adapters.common.layout.menus import MenuElement, menus_of
from adapters.common.layout.pieces import Piece, Span
from bot.replies.blocks import File


class Effect(Enum):
    """The effect of a button.

    `RUN` answers the command, `TURN` shows another page in place, `SHARE` posts the answer to the
    channel, and `FORM` opens the command's form with its arguments filled in.
    """

    RUN = "run"
    TURN = "turn"
    SHARE = "share"
    FORM = "form"


class ButtonElement(NamedTuple):
    """A button: its label, its command and the part (from 1) of the answer that it asks for.

    `aloud` is what a screen reader says instead of the label; `by` is as in `Button`.
    """

    label: str
    command: str
    effect: Effect = Effect.RUN
    part: int = 1
    aloud: str = ""
    by: str | None = None


class Words(NamedTuple):
    """Pieces that share one text, with a button or a menu beside it where the platform has such."""

    pieces: tuple[Piece, ...]
    button: ButtonElement | None = None
    options: tuple[ButtonElement, ...] = ()


class ButtonRow(NamedTuple):
    """As many buttons as one row takes."""

    buttons: tuple[ButtonElement, ...]


class Menus(NamedTuple):
    """The menus of one block, with buttons where the platform puts both into one row."""

    menus: tuple[MenuElement, ...]
    buttons: tuple[ButtonElement, ...] = ()


class Rows(NamedTuple):
    """A table: the headings of its columns, and its rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Span, ...], ...]


class Divider(NamedTuple):
    """A thin line, which only looks well."""


class Attached(NamedTuple):
    """A file that is sent along: a picture is seen, others can be taken."""

    file: File


Element = Words | Rows | ButtonRow | Menus | Divider | Attached


def elements_of(pieces: Sequence[Piece], limits: Limits) -> list[Element]:
    """Return pieces as elements: each block's buttons in rows below it, its menus below those."""
    found: list[Element] = []
    menus = menus_of(pieces, limits.most_options)
    before: Piece | None = None
    for number, group in groupby(pieces, key=lambda piece: piece.group):
        buttons: list[ButtonElement] = []
        below: list[Element] = []
        for piece in group:
            beside = is_beside(piece, limits)
            if piece.button and not beside:
                buttons += _buttons(piece)
            if piece.file:
                found.append(Attached(piece.file))
                before = None
            elif piece.spans:
                _add(found, before, piece, limits)
                before = piece
        below += rows_of(buttons, limits)
        if own := tuple([menu for menu in menus if menu.group == number]):
            below.append(Menus(own))
        if below:
            found += below
            before = None
    return found


def faint(*spans: Span) -> Words:
    """Return words in small grey letters."""
    return Words((Piece(0, Shape.FAINT, spans),))


def rows_of(buttons: Sequence[ButtonElement], limits: Limits) -> list[ButtonRow]:
    """Return as many rows as buttons need."""
    places = range(0, len(buttons), limits.most_in_row)
    return [ButtonRow(tuple(buttons[place : place + limits.most_in_row])) for place in places]


def is_beside(piece: Piece, limits: Limits) -> bool:
    """Tell whether a piece has its button beside its words."""
    return limits.puts_buttons_beside and bool(piece.button and piece.spans)


def joins(before: Piece, piece: Piece, limits: Limits) -> bool:
    """Tell whether a piece continues the text of the one before it.

    Where one text holds all paragraphs the heading over a paper does; a heading itself begins
    anew.
    """
    if not (before.spans and piece.spans):
        return False
    same = before.group == piece.group
    if not limits.joins_texts:
        return same and piece.joined and before.joined and before.shape is piece.shape
    if before.button:
        return False
    if piece.button:
        return same and before.leads and before.shape is Shape.FAINT
    return same or (before.leads and piece.shape is not Shape.FAINT)


def _add(found: list[Element], before: Piece | None, piece: Piece, limits: Limits) -> None:
    """Add the words of a piece, to the text before them where they continue it."""
    beside = next(_buttons(piece), None) if is_beside(piece, limits) else None
    last = found[-1] if found else None
    if row := piece.row:
        if isinstance(last, Rows):
            found[-1] = Rows(last.columns, (*last.rows, row.cells))
        else:
            found.append(Rows(row.columns, (row.cells,)))
        return
    if before and isinstance(last, Words) and joins(before, piece, limits):
        found[-1] = Words((*last.pieces, piece), beside)
        return
    # Words that lead over begin what is about something else, as words about a list do.
    if last and piece.leads and not piece.button and piece.shape is Shape.WORDS:
        found.append(Divider())
    options = tuple(ButtonElement(each.label, each.command) for each in piece.options)
    found.append(Words((piece,), beside, options))


def _buttons(piece: Piece) -> Iterator[ButtonElement]:
    if button := piece.button:
        turn = Effect.TURN if piece.turns else Effect.RUN
        effect = Effect.FORM if button.form else turn
        yield ButtonElement(button.label, button.command, effect, aloud=button.aloud, by=button.by)
