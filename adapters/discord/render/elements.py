"""What a part consists of, in whichever form it is sent: texts, buttons beside them, rows. Pure."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from adapters.discord.buttons import Press, Verb
from adapters.discord.render.packing import Item, joins
from adapters.laying.pieces import Piece, Shape
from bot.replies import Button

# A label and what pressing it does.
Way = tuple[str, Press]

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


Element = Words | Beside | Row | Picks | Divider


def elements_of(items: Sequence[Item]) -> list[Element]:
    """Return items as elements, each text as long as the items that continue it."""
    found: list[Element] = []
    before: Item | None = None
    text = ""
    for item in items:
        if before and joins(before, item):
            found.pop()
            text += _between(before.piece, item.piece) + item.text
        else:
            text = item.text
            if before and _divides(item.piece):
                found.append(Divider())
        found.append(_element(item, text))
        before = item
    return found


def holds_key(element: Element) -> bool:
    """Tell whether the key of a post can stand in an element."""
    return isinstance(element, Beside | Row | Picks)


def components_in(elements: Iterable[Element]) -> int:
    """Return how many components elements are."""
    return sum([_components(element) for element in elements])


def _components(element: Element) -> int:
    match element:
        case Beside():
            return 3
        case Row(ways):
            return 1 + len(ways)
        case Picks():
            return 2
        case Words() | Divider():
            return 1


def _divides(piece: Piece) -> bool:
    """Tell whether a piece begins what is about something else, as words about a list do."""
    return piece.leads and piece.shape is Shape.WORDS


def _element(item: Item, text: str) -> Element:
    if item.picks:
        options = tuple([piece.button for piece in item.choices if piece.button])
        return Picks(options, _placeholder(item))
    if item.choices:
        return Row(tuple([way for piece in item.choices for way in _ways(piece)]))
    for way in _ways(item.piece):
        return Beside(text, way)
    return Words(text)


def _ways(piece: Piece) -> list[Way]:
    if not piece.button:
        return []
    verb = Verb.FORM if piece.button.form else Verb.TURN if piece.turns else Verb.RUN
    return [(piece.button.label, Press(verb, piece.button.command))]


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
