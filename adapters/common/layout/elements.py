"""Elements: what a part of a reply consists of on any platform, and what its menus offer.

Pure, but for the part whose menus are being counted.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, islice
from typing import NamedTuple

from adapters.common.layout.limits import Limits, Shape
from adapters.common.layout.pieces import MenuOption, MenuPick, Piece, Span, pressed, worded
from adapters.common.layout.texts import cleaned
from bot.replies.blocks import Button, Choices, File, PaperList, Reply, Visibility
from store.text import storable

_Name = tuple[str, int | None]

PLACEHOLDER = "Ask one of these"
_UNNAMED = "Choose one"
_LONGEST_NAME = 100  # beside the place of one of several, less than any platform takes


class MenuElement(NamedTuple):
    """A menu in a message, below the pieces of a group; `place` and `of` where it is in several."""

    name: str
    options: tuple[MenuPick, ...]
    group: int
    place: int
    of: int

    @property
    def placeholder(self) -> str:
        """The text in it before anything is picked."""
        return f"{self.name} ({self.place} of {self.of})" if self.of > 1 else self.name


def of_first_menus(reply: Reply) -> Callable[[str], bool] | None:
    """Return what tells the commands that lists offer by their first menu alone, if any has more.

    What the others do is offered with each paper's details too. What is posted was made to fit as
    it is.
    """
    menus = [block.menus for block in reply.blocks if isinstance(block, PaperList)]
    first = {menu.command for each in menus for menu in each[:1]}
    others = {menu.command for each in menus for menu in each[1:]} - first
    if not others or reply.visibility is Visibility.CHANNEL:
        return None
    begun = tuple(f"{command} " for command in others)
    return lambda command: not command.startswith(begun)


def folded(pieces: Sequence[Piece], limits: Limits) -> list[Piece]:
    """Return pieces with the buttons too many for one row as options of one menu.

    Buttons that open a form stay: what is picked can't be picked again, as who closed a form may
    want to. So do those that say whose words they hold, as no option can.
    """
    found: list[Piece] = []
    for _, group in groupby(pieces, key=lambda piece: piece.group):
        each = list(group)
        buttons = {piece.button for piece in each if piece.button and not piece.spans}
        found += each if len(buttons) <= limits.most_in_row else _in_menu(each)
    return found


def _in_menu(pieces: Iterable[Piece]) -> Iterator[Piece]:
    labels: dict[str, str] = {}
    for piece in pieces:
        button = piece.button
        if button is None or piece.spans or button.form or button.by is not None:
            yield piece
        elif labels.setdefault(button.command, button.label) == button.label:
            pick = MenuPick(PLACEHOLDER, button.label, button.command, piece.group)
            yield Piece(piece.group, picks=(pick,), kept=piece.kept)
        else:  # a menu has no command twice
            yield piece


def choices_pieces(block: Choices, group: int, limits: Limits) -> Iterator[Piece]:
    """Return a menu by itself; what can't be an option is a button.

    That is a command too long for one, and a form: what is picked can't be picked again, as who
    closed a form may want to.
    """
    name = cleaned(block.label) or _UNNAMED
    options = [button for button in block.options if _is_option(button, limits)]
    if len(name) > _LONGEST_NAME or len(options) < len(block.options):
        yield from worded(limits, group, (Span(name),), leads=True)
        name = _cut(name, _LONGEST_NAME)
    for button in block.options:
        if button in options:
            yield from _option(button, name, group, limits)
        else:
            yield from pressed(limits, group, (button,))


def _is_option(button: Button, limits: Limits) -> bool:
    command = storable(button.command)
    return bool(command) and not button.form and limits.is_pickable(command)


def _option(button: Button, menu: str, group: int, limits: Limits) -> Iterator[Piece]:
    command = storable(button.command)
    label = cleaned(button.label) or cleaned(command) or "…"
    if len(label) > limits.longest_option:
        yield from worded(limits, group, (Span(label),), leads=True)
    pick = MenuPick(menu, _cut(label, limits.longest_option), command, group)
    yield Piece(group, picks=(pick,))


def _cut(words: str, longest: int) -> str:
    return words if len(words) <= longest else f"{words[: longest - 1]}…"


def menus_of(pieces: Iterable[Piece], most: int) -> list[MenuElement]:
    """Return the menus of the pieces of a message, each of at most so many options.

    Lists share their menus, which stand below the last of them. No command is twice in a menu.
    """
    found: dict[_Name, dict[str, MenuPick]] = {}
    below: dict[_Name, int] = {}
    for piece in pieces:
        for pick in piece.picks:
            name = (pick.menu, pick.own)
            found.setdefault(name, {}).setdefault(pick.command, pick)
            below[name] = piece.group
    return [
        menu
        for name, options in found.items()
        for menu in _elements(name, options, below[name], most)
    ]


class Offered:
    """The options that a part has while it is filled, in menus of at most so many."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._menus: dict[_Name, set[str]] = {}

    def fresh(self, piece: Piece) -> list[MenuPick]:
        """Return the picks of a piece that the part does not have yet."""
        return [
            pick for pick in piece.picks if pick.command not in self._menus.get(_name(pick), ())
        ]

    def begun(self, picks: Iterable[MenuPick]) -> list[str]:
        """Return the names of the menus that these begin, of which a piece has one in each."""
        return [
            pick.menu for pick in picks if len(self._menus.get(_name(pick), ())) % self._most == 0
        ]

    def take(self, picks: Iterable[MenuPick]) -> None:
        """Take fresh picks in."""
        for pick in picks:
            self._menus.setdefault(_name(pick), set()).add(pick.command)


def _name(pick: MenuPick) -> _Name:
    return pick.menu, pick.own


def _elements(
    name: _Name, options: dict[str, MenuPick], group: int, most: int
) -> Iterator[MenuElement]:
    of = -(-len(options) // most)
    left = iter(options.values())
    for place in range(1, of + 1):
        yield MenuElement(name[0], tuple(islice(left, most)), group, place, of)


class Effect(StrEnum):
    """The effect of a button.

    `RUN` answers the command, `TURN` shows another page in place, `SHARE` posts the answer to the
    channel, and `FORM` opens the command's form with its arguments filled in.
    """

    RUN = "run"
    TURN = "turn"
    SHARE = "share"
    FORM = "form"


@dataclass(frozen=True, slots=True)
class ButtonAction:
    """The action of a button: its effect, its command string and the part of the answer, from 1.

    `by` is the id of the user whose words the command holds, or who shared the answer; empty for
    somebody unknown, `None` for nobody.
    """

    effect: Effect
    command: str
    part: int = 1
    by: str | None = None


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
    options: tuple[MenuOption, ...] = ()


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
    found.append(Words((piece,), beside, piece.options))


def _buttons(piece: Piece) -> Iterator[ButtonElement]:
    if button := piece.button:
        turn = Effect.TURN if piece.turns else Effect.RUN
        effect = Effect.FORM if button.form else turn
        yield ButtonElement(button.label, button.command, effect, aloud=button.aloud, by=button.by)
