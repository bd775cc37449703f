"""Menus, whose options type commands. Pure but for the part being counted."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple

from adapters.common.layout.limits import Limits
from adapters.common.layout.pieces import MenuPick, Piece, Span, pressed, worded
from adapters.common.layout.texts import cleaned
from bot.replies.blocks import Button, Choices, PaperList, Reply, Visibility
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
