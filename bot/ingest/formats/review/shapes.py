"""What each part of a review's body may be by itself, before its place is looked at."""

from collections.abc import Sequence
from enum import Enum, auto

from bot.ingest.formats.review.lines import Element, looks_like_tagline, looks_like_title
from bot.ingest.formats.review.lists import EpisodeList
from bot.ingest.formats.review.marks import numbers_in, without_marks


class Shape(Enum):
    """The shape of a part.

    A `TITLE` is short and no sentence; a `MARKED_TITLE` has one mark, and a text without marks
    comes after it. A `TAGLINE` is a short sentence and `PROSE` a longer text, both without
    marks; a `TEXT` is any other element with marks.
    """

    TITLE = auto()
    MARKED_TITLE = auto()
    TAGLINE = auto()
    PROSE = auto()
    TEXT = auto()
    LIST = auto()


TITLES = frozenset({Shape.TITLE, Shape.MARKED_TITLE})
UNMARKED = frozenset({Shape.TAGLINE, Shape.PROSE})


def shapes_of(parts: Sequence[Element | EpisodeList], counted: frozenset[int]) -> list[Shape]:
    """Return the shape of each part; only marks of `counted` episodes are marks."""
    shapes: list[Shape] = []
    following = Shape.LIST
    for part in reversed(parts):
        following = _shape(part, counted, following)
        shapes.append(following)
    return shapes[::-1]


def counted_in(text: str, counted: frozenset[int]) -> tuple[int, ...]:
    """Return the numbers of the counted marks in a text, in order, each once."""
    return tuple(number for number in numbers_in(text) if number in counted)


def _shape(part: Element | EpisodeList, counted: frozenset[int], following: Shape) -> Shape:
    if isinstance(part, EpisodeList):
        return Shape.LIST
    numbers = counted_in(part.text, counted)
    bare = without_marks(part.text, counted)
    if numbers:
        is_title = len(numbers) == 1 and bool(bare) and looks_like_title(bare)
        return Shape.MARKED_TITLE if is_title and following in UNMARKED else Shape.TEXT
    if looks_like_title(part.text):
        return Shape.TITLE
    return Shape.TAGLINE if looks_like_tagline(part.text) else Shape.PROSE
