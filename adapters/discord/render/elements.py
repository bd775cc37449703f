"""What a part consists of, in whichever form it is sent: texts, buttons beside them, rows. Pure."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple

from adapters.common.layout.menus import Laid, menus_of
from adapters.common.layout.pieces import Piece, Shape
from adapters.discord.render.buttons import MOST_OPTIONS, ButtonAction, Verb
from adapters.discord.render.packing import Item, joins, pieces_in
from bot.replies.blocks import Button, File

# A label and what pressing it does.
Way = tuple[str, ButtonAction]

PLACEHOLDER = "Ask one of these"
_CLOSE = (Shape.HEADER, Shape.NAME, Shape.FAINT)


class Words(NamedTuple):
    """Markdown by itself."""

    text: str


class Beside(NamedTuple):
    """Markdown with a button beside it."""

    text: str
    way: Way


class Row(NamedTuple):
    """At most five buttons."""

    ways: tuple[Way, ...]


class Picks(NamedTuple):
    """A select of at most 25 options, no two with one command."""

    options: tuple[Button, ...]
    placeholder: str


class Divider(NamedTuple):
    """A thin line."""


class Attached(NamedTuple):
    """A file that is sent along: a picture is seen, others can be taken."""

    file: File


Element = Words | Beside | Row | Picks | Divider | Attached


def elements_of(items: Sequence[Item]) -> list[Element]:
    """Return items as elements, each text as long as the items that continue it.

    The menus of a group stand below it.
    """
    found: list[Element] = []
    menus = menus_of([piece for item in items for piece in pieces_in(item)], MOST_OPTIONS)
    before: Item | None = None
    text = ""
    for item, after in zip_longest(items, items[1:]):
        if before and joins(before, item):
            found.pop()
            text += _between(before.piece, item.piece) + item.text
        else:
            text = item.text
            if found and _divides(item.piece):
                found.append(Divider())
        found += _element(item, text)
        before = item
        group = item.piece.group
        if after is None or after.piece.group != group:
            below = [_menu(laid) for laid in menus if laid.group == group]
            found += below
            before = None if below else item
    return found


def holds_key(element: Element) -> bool:
    """Tell whether the key of a post can stand in an element."""
    return isinstance(element, Beside | Row | Picks)


def components_in(elements: Iterable[Element]) -> int:
    """Return how many components elements are."""
    return sum([_components(element) for element in elements])


def files_in(elements: Iterable[Element]) -> tuple[File, ...]:
    """Return the files that are sent along with elements."""
    return tuple([element.file for element in elements if isinstance(element, Attached)])


def _components(element: Element) -> int:
    match element:
        case Beside():
            return 3
        case Row(ways):
            return 1 + len(ways)
        case Picks():
            return 2
        case Words() | Divider() | Attached():
            return 1


def _divides(piece: Piece) -> bool:
    """Tell whether a piece begins what is about something else, as words about a list do."""
    return piece.leads and piece.shape is Shape.WORDS


def _element(item: Item, text: str) -> list[Element]:
    """Return what an item is by itself: nothing where it is an option of a menu."""
    if item.attached and item.piece.file:
        return [Attached(item.piece.file)]
    if item.picks:
        options = tuple([piece.button for piece in item.choices if piece.button])
        return [Picks(options, _placeholder(item))]
    if item.choices:
        return [Row(tuple([way for piece in item.choices for way in _ways(piece)]))]
    for way in _ways(item.piece):
        return [Beside(text, way)]
    return [Words(text)] if text else []


def _menu(laid: Laid) -> Picks:
    options = tuple([Button(pick.label, pick.command) for pick in laid.options])
    return Picks(options, laid.placeholder)


def _ways(piece: Piece) -> list[Way]:
    if not piece.button:
        return []
    verb = Verb.FORM if piece.button.form else Verb.TURN if piece.turns else Verb.RUN
    return [(piece.button.label, ButtonAction(verb, piece.button.command))]


def _placeholder(item: Item) -> str:
    return f"{PLACEHOLDER} ({item.place} of {item.of})" if item.of > 1 else PLACEHOLDER


def _between(before: Piece, piece: Piece) -> str:
    """Return the break between two pieces of one text: a blank line between paragraphs only."""
    close = (
        before.shape in _CLOSE
        or before.leads
        or (before.joined and piece.joined)
        or piece.shape in (Shape.FAINT, Shape.BULLET)
    )
    return "\n" if close else "\n\n"
