"""The body of a review: its headings, sections and paragraphs, and the episodes that they are of.

A text copy shows them by shape and place: a heading comes after the overview or a list of episodes,
then its tagline, then sections of paragraphs, then the list that closes it. On a page the levels
of headings show them. A paragraph belongs to the episode of its mark; without one to the episode
before it in its section, or to the first one behind it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import cache

from bot.domain.drafts import EntryDraft, Note
from bot.ingest.formats.review.elements import (
    Element,
    changed_page,
    counted_in,
    looks_like_tagline,
    looks_like_title,
    numbers_in,
    without_marks,
)
from bot.ingest.formats.review.lists import EpisodeList, ListedEpisode, joined_links, united
from store.records import Heading

_LONG_WORD = re.compile(r"\b[^\W\d_]\w{3,}")
_WORD = re.compile(r"\w")
_WITH_TAGLINE = 3
_ITEM_TAGS = frozenset({"li", "dd", "td"})
_LONGEST_OPENING = 60  # about eight words


@dataclass(frozen=True, slots=True)
class _HeadingStart:
    """A heading, and the element of its tagline if it has one."""

    element: Element
    tagline: Element | None


@dataclass(frozen=True, slots=True)
class _SectionStart:
    """A section's title without marks, and the number of the first one, if any."""

    element: Element
    title: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Text:
    """A paragraph, and the numbers of the episodes whose marks are in it."""

    element: Element
    numbers: tuple[int, ...]


_Piece = _HeadingStart | _SectionStart | _Text | EpisodeList


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


class _Outline:
    """The pieces of a body in order; `_expecting` is true where a heading is expected.

    Elements at the page's foot are only reported.
    """

    def __init__(self, parts: Sequence[Element | EpisodeList], counted: frozenset[int]) -> None:
        self.pieces: list[_Piece] = []
        self.warnings: list[Note] = []
        self._counted = counted
        self._parts: list[Element | EpisodeList] = []
        for part in parts:
            if isinstance(part, Element) and _is_strange_mark(part.text, counted):
                self._warn(part, f"{part.text} stands alone and is no episode of this review")
            else:
                self._parts.append(part)
        elements = [part for part in self._parts if isinstance(part, Element)]
        self._is_tagged = any(element.is_tagged for element in elements)
        levels = {element.level for element in elements if element.level}
        self._top = min(levels, default=0)
        self._has_lists = len(elements) < len(self._parts)
        self._is_flat = self._has_lists and len(levels) == 1
        # Looking ahead by two parts must not run out of the document.
        shapes = [_Shape.LIST, _Shape.LIST]
        for part in reversed(self._parts):
            shapes.append(_shape(part, counted, shapes[-1]))
        self._shapes = shapes[::-1]
        self._run_ends = _run_ends(self._shapes)
        self._expecting = True
        end = _end_of_text(self._shapes[:-2])
        at = 0
        while at < end:
            at += self._read(at, self._parts[at])
        for part in self._parts[end:]:
            if isinstance(part, Element):
                is_long = len(part.text) > _LONGEST_OPENING
                opening = f"{part.text[:_LONGEST_OPENING]}…" if is_long else part.text
                self._warn(part, f"not understood behind the last list: {opening}")

    def _read(self, at: int, part: Element | EpisodeList) -> int:
        """Read one part, or a heading with its tagline; return their number."""
        if isinstance(part, EpisodeList):
            if self._is_tagged and self._expecting:
                place = f"the list of episodes on line {part.line}"
                raise changed_page(f"there is no heading over {place}")
            self.pieces.append(part)
            self._expecting = True
        elif self._shapes[at] is _Shape.TITLE or part.level:
            return self._read_title(at, part)
        elif self._shapes[at] is _Shape.STRAY:
            self._warn(part, f"left out, a short line that is no heading: {part.text}")
        elif self._shapes[at] is _Shape.MARKED_TITLE:
            self._add_section(part)
        else:
            self.pieces.append(_Text(part, counted_in(part.text, self._counted)))
        return 1

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
        self.pieces.append(_HeadingStart(element, tagline))
        self._expecting = False
        return 1 if tagline is None else 2

    def _tagline(self, at: int) -> Element | None:
        """Return the tagline behind a heading: by its shape, or as the second of three titles."""
        following = self._shapes[at + 1]
        is_tagline = following is _Shape.TAGLINE or (
            following in (_Shape.PROSE, _Shape.STRAY) and self._shapes[at + 2] in _TITLES
        )
        is_second = not self._is_tagged and self._run_ends[at] - at >= _WITH_TAGLINE
        part = self._parts[at + 1] if is_tagline or is_second else None
        return part if isinstance(part, Element) else None

    def _add_section(self, element: Element) -> None:
        numbers = counted_in(element.text, self._counted)[:1]
        title = without_marks(element.text, self._counted) or element.text
        self.pieces.append(_SectionStart(element, title, numbers))
        self._expecting = self._expecting and self._is_tagged

    def _warn(self, element: Element, text: str) -> None:
        self.warnings += element.notes(text)


def _is_strange_mark(text: str, counted: frozenset[int]) -> bool:
    """Tell a line of nothing but marks that do not count."""
    numbers = frozenset(numbers_in(text))
    if not numbers or numbers & counted:
        return False
    return not _WORD.search(without_marks(text, numbers))


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


def _shape(part: Element | EpisodeList, counted: frozenset[int], following: _Shape) -> _Shape:
    if isinstance(part, EpisodeList):
        return _Shape.LIST
    numbers = counted_in(part.text, counted)
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


@dataclass(slots=True)
class Episode:
    """An episode: the line where it begins, its heading and section, and its paragraphs."""

    number: int
    line: int
    heading: str | None
    section: str | None
    paragraphs: list[Element] = field(default_factory=list)


class Body:
    """The headings and episodes of a review in the order of the text, and notes on oddities.

    `_episode` is the one that an unmarked text belongs to, `_pending` are paragraphs of an episode
    that is not known yet, `_open_heading` and `_open_section` have no episode so far.

    Raises:
        DocumentError: if a list on a page closes no heading.
    """

    def __init__(self, parts: Sequence[Element | EpisodeList], counted: frozenset[int]) -> None:
        outline = _Outline(parts, counted)
        self.headings: list[Heading] = []
        self.episodes: dict[int, Episode] = {}
        self.warnings = outline.warnings
        self._last_places: dict[int, int] = {}  # that have the mark of each number
        for place, piece in enumerate(outline.pieces):
            if isinstance(piece, _SectionStart | _Text):
                self._last_places |= dict.fromkeys(piece.numbers, place)
        self._heading: str | None = None
        self._section: str | None = None
        self._episode: int | None = None
        self._pending: list[Element] = []
        self._behind_list = False
        self._open_heading: Element | None = None
        self._open_section: Element | None = None
        self._seen: dict[str, int] = {}
        for place, piece in enumerate(outline.pieces):
            self._read(place, piece)
        self._end_heading()

    def _read(self, place: int, piece: _Piece) -> None:
        match piece:
            case _HeadingStart():
                self._start_heading(piece)
            case _SectionStart():
                self._start_section(piece)
            case EpisodeList():
                self._read_list(piece)
            case _Text():
                self._read_text(place, piece)

    def _start_heading(self, piece: _HeadingStart) -> None:
        self._end_heading()
        title = piece.element.text
        tagline = piece.tagline.text if piece.tagline else None
        self.headings.append(Heading(title, tagline))
        self._heading, self._section, self._behind_list = title, None, False
        self._open_heading = piece.element

    def _start_section(self, piece: _SectionStart) -> None:
        self._end_section()
        self._section, self._behind_list = piece.title, False
        self._episode = next(iter(piece.numbers), None)
        self._open_section = piece.element

    def _end_section(self) -> None:
        for element in self._pending:
            self._warn(element, "left out: no episode is named in this section")
        if self._open_section:
            self._warn(self._open_section, f"no episode begins in the section “{self._section}”")
        self._pending, self._open_section, self._episode = [], None, None

    def _end_heading(self) -> None:
        self._end_section()
        if self._open_heading:
            self._warn(self._open_heading, f"there is no episode under “{self._heading}”")
        self._open_heading = None

    def _read_list(self, piece: EpisodeList) -> None:
        """Close the section, and add the episodes that are only listed."""
        self._end_section()
        self._section = None
        for listed in piece.episodes:
            if listed.number not in self._last_places and listed.number not in self.episodes:
                self._begin(listed.number, listed.line)
                note = f"E{listed.number} is listed here and has no text"
                self.warnings.append(Note(listed.line, note))
        self._behind_list = True

    def _read_text(self, place: int, text: _Text) -> None:
        first_line = self._seen.setdefault(text.element.text, text.element.line)
        if first_line != text.element.line:
            self._warn(text.element, f"left out: repeats line {first_line}")
        elif text.numbers:
            self._read_marked(place, text)
        elif self._episode is not None:
            self._add(self._episode, text.element)
        else:
            self._pending.append(text.element)

    def _read_marked(self, place: int, text: _Text) -> None:
        owner = self._owner(place, text.numbers)
        if owner in self.episodes and owner != self._episode:
            self._warn(text.element, f"E{owner} comes again; the text was added to it")
        for element in self._pending:
            self._warn(element, f"names no episode; read as the opening of E{owner}")
            self._add(owner, element)
        self._pending = []
        self._add(owner, text.element)
        for number in (number for number in text.numbers if number != owner):
            if number in self.episodes or self._last_places[number] != place:
                note = f"E{number} is named too; the text was taken as E{owner}'s"
            else:
                self._add(number, text.element)
                note = f"E{number} is named only beside E{owner}; both have this text"
            self._warn(text.element, note)
        self._episode = owner

    def _owner(self, place: int, numbers: Sequence[int]) -> int:
        """Return the episode of a paragraph with several marks.

        The first episode that has no text yet and no mark further down; else the first without a
        text; else the one before, or the first named.
        """
        without_text = [number for number in numbers if number not in self.episodes]
        last_chance = [number for number in without_text if self._last_places[number] == place]
        before = [number for number in numbers if number == self._episode]
        return next(iter([*last_chance, *without_text, *before, *numbers]))

    def _add(self, number: int, element: Element) -> None:
        if number not in self.episodes:
            if self._open_heading and self._section is None:
                self._warn(element, f"there is no section's title under “{self._heading}”")
            self._begin(number, element.line)
        self.episodes[number].paragraphs.append(element)

    def _begin(self, number: int, line: int) -> None:
        self.episodes[number] = Episode(number, line, self._heading, self._section)
        self._open_heading = self._open_section = None
        if self._heading is None or self._behind_list:
            self.warnings.append(Note(line, f"E{number} is outside of a heading's texts"))

    def _warn(self, element: Element, text: str) -> None:
        self.warnings += element.notes(text)


def make_entries(
    episodes: Sequence[Episode], lists: Iterable[EpisodeList], counted: frozenset[int]
) -> tuple[tuple[EntryDraft, ...], list[Note]]:
    """Make an entry of each episode, with the paper's title and links where a list has them.

    The title is else that of the section or heading, with the number if it is of several episodes.
    """
    listed, odd = _listed(lists)
    places = [e.section or e.heading or f"Episode E{e.number}" for e in episodes]
    shared = Counter(places)

    @cache  # a paragraph may be about very many episodes
    def clean(text: str) -> str:
        return without_marks(text, counted)

    entries = []
    for episode, place in zip(episodes, places, strict=True):
        found = listed.get(episode.number)
        title = f"{place} (E{episode.number})" if shared[place] > 1 else place
        paragraphs = [clean(element.text) for element in episode.paragraphs]
        in_text = (link for element in episode.paragraphs for link in element.links)
        entry = EntryDraft(
            line=episode.line,
            title=(found and found.title) or title,
            episode=f"E{episode.number}",
            summary="\n\n".join(text for text in paragraphs if text) or None,
            heading=episode.heading,
            section=episode.section,
            links=united(found.links if found else (), in_text),
        )
        entries.append(entry)
    return tuple(entries), odd


def _listed(lists: Iterable[EpisodeList]) -> tuple[dict[int, ListedEpisode], list[Note]]:
    """Return the listed facts of each episode; of two titles the first counts."""
    listed: dict[int, ListedEpisode] = {}
    odd = []
    for episode in (episode for found in lists for episode in found.episodes):
        first = listed.setdefault(episode.number, episode)
        links = joined_links(first.links, episode.links)
        titled = first if first.title else episode
        if episode.title not in (None, titled.title):
            note = f"E{episode.number} is listed on line {first.line} with another title"
            odd.append(Note(episode.title_line, note))
        listed[episode.number] = replace(titled, links=links)
    return listed, odd
