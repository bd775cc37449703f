"""The outline of a review's body: headings, taglines, sections' titles and paragraphs.

A text copy shows them by shape and place: a heading comes after the overview or a list of episodes,
then its tagline, then sections of paragraphs, then the list that closes it. On a page the levels
of headings show them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from bot.domain.drafts import Note
from bot.ingest.formats.review.elements import (
    Element,
    changed_page,
    looks_like_tagline,
    looks_like_title,
)
from bot.ingest.formats.review.lists import EpisodeList
from bot.ingest.formats.review.marks import numbers_in, without_marks

_LONG_WORD = re.compile(r"\b[^\W\d_]\w{3,}")
_WORD = re.compile(r"\w")
_WITH_TAGLINE = 3
_ITEM_TAGS = frozenset({"li", "dd", "td"})


@dataclass(frozen=True, slots=True)
class HeadingStart:
    """A heading, and the element of its tagline if it has one."""

    element: Element
    tagline: Element | None


@dataclass(frozen=True, slots=True)
class SectionStart:
    """A section's title without marks, and the episode whose mark is in it, if any."""

    element: Element
    title: str
    number: int | None


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph, and the numbers of the episodes whose marks are in it."""

    element: Element
    numbers: tuple[int, ...]


Piece = HeadingStart | SectionStart | Text | EpisodeList


@dataclass(slots=True)
class Outline:
    """The pieces of a body in order, and notes on the lines that are none or doubtful."""

    pieces: list[Piece] = field(default_factory=list)
    warnings: list[Note] = field(default_factory=list)


def make_outline(parts: Sequence[Element | EpisodeList], counted: frozenset[int]) -> Outline:
    """Sort a body into headings, sections and paragraphs; `counted` are the episodes' numbers.

    Raises:
        DocumentError: if a list on a page closes no heading.
    """
    known = [part for part in parts if not _is_strange_mark(part, counted)]
    maker = _OutlineMaker(known, counted)
    maker.make()
    for part in parts:
        if isinstance(part, Element) and _is_strange_mark(part, counted):
            note = f"{part.text} stands alone and is no episode of this review"
            maker.outline.warnings += part.notes(note)
    return maker.outline


class _Shape(Enum):
    """The shape of a part.

    A `TITLE` is short and no sentence; a `MARKED_TITLE` has one mark, and a text without marks
    comes after it. A `TAGLINE` is a short sentence and `PROSE` a longer text, both without
    marks; a `TEXT` is any other element with marks. A `STRAY` is short and no heading on a page.
    """

    TITLE = auto()
    MARKED_TITLE = auto()
    TAGLINE = auto()
    PROSE = auto()
    TEXT = auto()
    STRAY = auto()
    LIST = auto()


_TITLES = frozenset({_Shape.TITLE, _Shape.MARKED_TITLE})


_UNMARKED = frozenset({_Shape.TAGLINE, _Shape.PROSE})


class _OutlineMaker:
    """Walks the parts once; `_expecting` is true where a heading is expected."""

    def __init__(self, parts: Sequence[Element | EpisodeList], counted: frozenset[int]) -> None:
        self.outline = Outline()
        self._parts = parts
        self._is_tagged = any(isinstance(part, Element) and part.is_tagged for part in parts)
        self._counted = counted
        shapes = _shapes_of(parts, counted)
        self._end = _end_of_text(shapes)
        self._has_lists = _Shape.LIST in shapes
        levels = {part.level for part in parts if isinstance(part, Element) and part.level}
        self._top = min(levels, default=0)
        self._is_flat = self._has_lists and len(levels) == 1
        # Looking ahead by two parts must not run out of the document.
        self._shapes = [*shapes, _Shape.LIST, _Shape.LIST]
        self._run_ends = _run_ends(self._shapes)
        self._expecting = True

    def make(self) -> None:
        """Fill the outline; elements at the page's foot are only reported."""
        at = 0
        while at < self._end:
            at += self._read(at, self._parts[at])
        for part in self._parts[self._end :]:
            if isinstance(part, Element):
                self._warn(part, f"not understood behind the last list: {_opening(part.text)}")

    def _read(self, at: int, part: Element | EpisodeList) -> int:
        """Read one part, or a heading with its tagline; return their number."""
        if isinstance(part, EpisodeList):
            self._read_list(part)
        elif self._shapes[at] is _Shape.TITLE or part.level:
            return self._read_title(at, part)
        elif self._shapes[at] is _Shape.STRAY:
            self._warn(part, f"left out, a short line that is no heading: {part.text}")
        elif self._shapes[at] is _Shape.MARKED_TITLE:
            self._add_section(part)
        else:
            self.outline.pieces.append(Text(part, _counted_in(part.text, self._counted)))
        return 1

    def _read_list(self, part: EpisodeList) -> None:
        if self._is_tagged and self._expecting:
            raise changed_page(f"there is no heading over the list of episodes on line {part.line}")
        self.outline.pieces.append(part)
        self._expecting = True

    def _read_title(self, at: int, element: Element) -> int:
        if self._is_heading(at, element):
            return self._add_heading(at, element)
        if self._expecting and not self._is_tagged:
            self._warn(element, f"not understood where a heading was expected: {element.text}")
        else:
            self._add_section(element)
        return 1

    def _is_heading(self, at: int, element: Element) -> bool:
        """Tell a heading by its place, or by a tagline and a section's title behind it.

        Where a heading is expected, it is the first of several short lines, unless only the last of
        them has a tagline. Elsewhere a list was lost: then a heading needs its signs and
        capitalised words, which section titles do not have. On a page the level decides; where all
        headings have one level, the lists do.
        """
        if element.level:
            return element.level == self._top and (self._expecting or not self._is_flat)
        last = self._run_ends[at] - 1
        is_alone = last == at
        has_sign = (
            self._shapes[last : last + 2] == [_Shape.TITLE, _Shape.TAGLINE]
            and self._shapes[last + 2] in _TITLES
        )
        if self._expecting:
            return is_alone or not has_sign
        return is_alone == has_sign and (not self._has_lists or _is_capitalised(element.text))

    def _add_heading(self, at: int, element: Element) -> int:
        if not self._expecting and self._has_lists:
            self._warn(element, "no list of episodes closes the heading before this one")
        tagline = self._tagline(at)
        if tagline is None:
            self._warn(element, f"the heading “{element.text}” has no tagline")
        self.outline.pieces.append(HeadingStart(element, tagline))
        self._expecting = False
        return 1 if tagline is None else 2

    def _tagline(self, at: int) -> Element | None:
        """Return the tagline behind a heading: by its shape, or as the second of three titles."""
        following = self._shapes[at + 1]
        is_tagline = following is _Shape.TAGLINE or (
            following in (_Shape.PROSE, _Shape.STRAY) and self._shapes[at + 2] in _TITLES
        )
        is_second = not self._is_tagged and self._run_ends[at] - at >= _WITH_TAGLINE
        if is_tagline or is_second:
            part = self._parts[at + 1]
            return part if isinstance(part, Element) else None
        return None

    def _add_section(self, element: Element) -> None:
        numbers = _counted_in(element.text, self._counted)
        title = without_marks(element.text, self._counted) or element.text
        self.outline.pieces.append(SectionStart(element, title, next(iter(numbers), None)))
        self._expecting = self._expecting and self._is_tagged

    def _warn(self, element: Element, text: str) -> None:
        self.outline.warnings += element.notes(text)


def _is_strange_mark(part: Element | EpisodeList, counted: frozenset[int]) -> bool:
    """Tell a line of nothing but marks that do not count."""
    if isinstance(part, EpisodeList) or _counted_in(part.text, counted):
        return False
    numbers = frozenset(numbers_in(part.text))
    return bool(numbers) and not _WORD.search(without_marks(part.text, numbers))


def _run_ends(shapes: Sequence[_Shape]) -> list[int]:
    """Return for each place the end of its run of titles."""
    ends = [len(shapes)] * len(shapes)
    end = len(shapes)
    for at in reversed(range(len(shapes))):
        end = end if shapes[at] in _TITLES else at
        ends[at] = end
    return ends


def _end_of_text(shapes: Sequence[_Shape]) -> int:
    """Return where the foot of the page begins: behind the last list, if no mark is there."""
    if _Shape.LIST not in shapes:
        return len(shapes)
    behind = len(shapes) - shapes[::-1].index(_Shape.LIST)
    has_marks = any(shape in (_Shape.TEXT, _Shape.MARKED_TITLE) for shape in shapes[behind:])
    return len(shapes) if has_marks else behind


def _is_capitalised(text: str) -> bool:
    """Tell whether most of the longer words after the first begin with a capital."""
    words = [match[0] for match in _LONG_WORD.finditer(text)][1:]
    capitalised = [word for word in words if word[0].isupper()]
    return len(capitalised) * 2 > len(words)


def _opening(text: str) -> str:
    """Shorten a text for a note."""
    return text if len(text) <= 60 else f"{text[:60]}…"  # noqa: PLR2004 - about eight words


def _shapes_of(parts: Sequence[Element | EpisodeList], counted: frozenset[int]) -> list[_Shape]:
    """Return the shape of each part; only marks of `counted` episodes are marks."""
    shapes: list[_Shape] = []
    following = _Shape.LIST
    for part in reversed(parts):
        following = _shape(part, counted, following)
        shapes.append(following)
    return shapes[::-1]


def _counted_in(text: str, counted: frozenset[int]) -> tuple[int, ...]:
    """Return the numbers of the counted marks in a text, in order, each once."""
    return tuple(number for number in numbers_in(text) if number in counted)


def _shape(part: Element | EpisodeList, counted: frozenset[int], following: _Shape) -> _Shape:
    if isinstance(part, EpisodeList):
        return _Shape.LIST
    numbers = _counted_in(part.text, counted)
    if part.level:
        return _Shape.MARKED_TITLE if numbers else _Shape.TITLE
    if numbers and part.is_tagged:
        return _Shape.TEXT
    if numbers:
        bare = without_marks(part.text, counted)
        is_title = len(numbers) == 1 and bool(bare) and looks_like_title(bare)
        return _Shape.MARKED_TITLE if is_title and following in _UNMARKED else _Shape.TEXT
    if looks_like_title(part.text) and part.tag not in _ITEM_TAGS:
        return _Shape.STRAY if part.is_tagged else _Shape.TITLE
    return _Shape.TAGLINE if looks_like_tagline(part.text) else _Shape.PROSE
