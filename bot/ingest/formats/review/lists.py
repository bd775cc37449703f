"""The lists "Episodes in this topic": empty in the copies seen, filled on the web pages.

A filled list gives an episode a title, an arXiv number and a length, in one line or a line each.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.domain.drafts import Note
from bot.ingest.formats.review.elements import (
    Element,
    changed_page,
    ends_sentence,
    looks_like_tagline,
    looks_like_title,
    numbers_in,
    unread_reason,
    without_marks,
)
from bot.ingest.limits import MOST_LINKS
from store.records import Link

# The label of a link to neither a paper nor code nor the like.
OTHER_LINK = "Link"

_MARKER = re.compile(r"episodes? in this \w+\s*[:(]?", re.IGNORECASE)
_COUNT = re.compile(r"^\d{0,4}\)?:?$")
_LONGEST_ITEM = 300
_WITH_TAGLINE = 3
_ITEM_TAGS = frozenset({"li", "td", "dt"})

# A line that is not understood is in the list if one of so many after it is.
_LOOK_AHEAD = 4
_BULLET = re.compile(r"^(?:[-*\u2022\u25cf\u25aa]|\d{1,3}[.)])\s+")
_FIRST_MARK = re.compile(r"^[(\[]?E(\d{1,4})\b[)\]]?(?![-/]\w)[.:]?")
_ARXIV = re.compile(
    r"[(\[]?(?:https?://)?(?:www\.)?(?:arxiv\.org/(?:abs|pdf)/|arxiv:\s?)?"
    r"(?<![\d.])(?P<id>\d{4}\.\d{4,5})(?P<more>v\d{1,2})?(?:\.pdf)?(?!\d)[)\]]?",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"https?://[^\s)\]]+", re.IGNORECASE)

# A title may end in "15 Minutes", so only the short form is cut from its end.
_LENGTH = re.compile(
    r"(?<!\w)(?:\d{1,2}\s?h\s)?\d{1,3}\s?min\.?$|^\d{1,3}\s?minutes$|^\d{1,2}:\d{2}(?::\d{2})?$",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?:paper|arxiv|pdf):?", re.IGNORECASE)

# A dot or bar without blanks around it is part of a name ("W·K").
_PART = re.compile(r"(?:^|(?<=\s))[\u00b7\u2022|](?=\s|$)")
_AROUND_PARTS = " \t\u00a0:,;-\u2013\u2014"


@dataclass(frozen=True, slots=True)
class ListedEpisode:
    """An episode in a list; the title is `None` where there is only a number.

    `title_line` is the line of the title, which may be behind that of the number.
    """

    line: int
    number: int
    title: str | None
    title_line: int
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class EpisodeList:
    """The list that closes a heading: its marker's line, and its episodes if any."""

    line: int
    episodes: tuple[ListedEpisode, ...]


@dataclass(frozen=True, slots=True)
class _ListLine:
    """The parts of one line of a list.

    `words` are the parts that are no fact, the title first; `dropped` is true if a part was
    understood that no entry keeps: a length, the version of an arXiv number, a label.
    """

    numbers: tuple[int, ...]
    words: tuple[str, ...]
    links: tuple[Link, ...]
    dropped: bool

    @property
    def is_item(self) -> bool:
        """True if the line begins an episode, or several with numbers alone."""
        return len(self.numbers) == 1 or (bool(self.numbers) and not self.words)

    @property
    def is_fact(self) -> bool:
        """True if the line only adds links or a length to the episode before it."""
        return not self.numbers and not self.words and (bool(self.links) or self.dropped)


def joined_links(links: Iterable[Link], more: Iterable[Link]) -> tuple[Link, ...]:
    """Join the links of an episode, each once, up to a limit."""
    return tuple(dict.fromkeys((*links, *more)))[: MOST_LINKS + 1]


def united(listed: Sequence[Link], in_text: Iterable[Link]) -> tuple[Link, ...]:
    """Add the papers, code and projects that a text links to; its other links explain a word.

    Beside a listed paper, other papers are only mentioned.
    """
    has_paper = any(link.label == "Paper" for link in listed)
    known = {link.url for link in listed}
    more = [
        Link(OTHER_LINK, link.url) if has_paper and link.label == "Paper" else link
        for link in in_text
        if link.url not in known and link.label != OTHER_LINK
    ]
    return tuple(dict.fromkeys((*listed, *more)))


def is_list_marker(text: str) -> bool:
    """Tell the line that begins a list of episodes: "Episodes in this topic" and the like."""
    return bool(_MARKER.match(text)) and looks_like_title(text)


def refuse_lost_heading(elements: Sequence[Element]) -> None:
    """Refuse a page on which the heading of a topic is no heading by its tag.

    Raises:
        DocumentError: if a short element, a tagline and a section's title follow each other.
    """
    for at, element in enumerate(elements):
        is_lost = element.level == 0 and opens_heading(elements, at)
        if is_lost and not (numbers_in(element.text) or _read_line(element).numbers):
            line = f"“{element.text}” on line {element.line}"
            raise changed_page(f"{line} is no heading by its tag")


def opens_heading(elements: Sequence[Element], at: int) -> bool:
    """Tell the best sign of a heading: a short line, a tagline, and a section's short line."""
    if at + _WITH_TAGLINE > len(elements):
        return False
    title, tagline, section = (element.text for element in elements[at : at + _WITH_TAGLINE])
    is_tagline = looks_like_tagline(tagline) and not numbers_in(tagline)
    return looks_like_title(title) and is_tagline and looks_like_title(section)


class FoldedBody:
    """A body whose lists are single parts, with the notes on their lines.

    On a page, elements outside of lists that are no text are passed over. A list goes from its
    marker, or first item, to the last element that is part of it; a heading of the `_level` that
    the list is below, or of a higher one, ends it.
    """

    def __init__(self, elements: Sequence[Element]) -> None:
        self.parts: list[Element | EpisodeList] = []
        self.warnings: list[Note] = []
        self.passed_over: list[Note] = []
        self._elements = elements
        self._at = self._level = self._item = 0
        self._episodes: list[ListedEpisode] = []
        while self._at < len(elements):
            self._read(elements[self._at])

    @property
    def elements(self) -> list[Element]:
        """The parts that are no lists."""
        return [part for part in self.parts if isinstance(part, Element)]

    @property
    def lists(self) -> list[EpisodeList]:
        """The lists alone."""
        return [part for part in self.parts if isinstance(part, EpisodeList)]

    @property
    def listed_numbers(self) -> frozenset[int]:
        """The numbers of the episodes in lists."""
        return frozenset(episode.number for found in self.lists for episode in found.episodes)

    def _read(self, element: Element) -> None:
        """Read an element, or the list that begins with it."""
        self._at += 1
        self._level = element.level or self._level
        is_marker = is_list_marker(element.text)
        if is_marker or _is_stray_item(element):
            self._read_list(element, is_marker=is_marker)
        elif reason := unread_reason(element):
            self.passed_over += element.notes(reason)
        else:
            self.parts.append(element)

    def _read_list(self, first: Element, *, is_marker: bool) -> None:
        self._episodes, self._item = [], 0
        if is_marker:
            self._read_marker(first)
        else:
            self._add_episodes(first, _read_line(first))
            self._warn(first, "a list of episodes that does not say what it is")
        while self._at < len(self._elements) and self._read_item(self._elements[self._at]):
            self._at += 1
        self.parts.append(EpisodeList(first.line, tuple(self._episodes)))

    def _read_marker(self, marker: Element) -> None:
        """Read the marker; behind its words there is a count or the beginning of the list."""
        self.passed_over += marker.notes("marks a list of episodes")
        rest = _MARKER.sub("", marker.text, count=1).strip()
        if (line := _read_text(rest)).is_item:
            self._add_episodes(marker, line)
        elif not _COUNT.match(rest):
            self._warn(marker, f"not understood in a list of episodes: {rest}")

    def _read_item(self, element: Element) -> bool:
        """Read an element of the list; return false behind the list's end."""
        if is_list_marker(element.text) or 0 < (element.level or 0) <= self._level:
            return False
        line = _read_line(element)
        is_fact = line.is_fact and element.item == self._item
        if _is_item(element, line):
            self._add_episodes(element, line)
        elif element.is_tagged and (line.numbers or numbers_in(element.text)):
            return False
        elif is_fact and not self._episodes:
            self._warn(element, f"belongs to no episode of the list: {element.text}")
        elif is_fact or (line.words and self._awaits_title(element)):
            self._complete_last(element, line)
        elif element.is_tagged or self._is_odd(element):
            self._warn(element, f"not understood in a list of episodes: {element.text}")
        else:
            return False
        return True

    def _add_episodes(self, element: Element, line: _ListLine) -> None:
        title = line.words[0] if line.words else None
        self._episodes += [
            ListedEpisode(element.line, number, title, element.line, line.links)
            for number in line.numbers
        ]
        self._item = element.item
        self._note_rest(element, line)

    def _complete_last(self, element: Element, line: _ListLine) -> None:
        """Give the last episode the links of a line, and its title if it has one."""
        last = self._episodes[-1]
        if line.words:
            last = replace(last, title=line.words[0], title_line=element.line)
        self._episodes[-1] = replace(last, links=joined_links(last.links, line.links))
        self._note_rest(element, line)

    def _note_rest(self, element: Element, line: _ListLine) -> None:
        """Note the parts of a line that no entry keeps."""
        for words in line.words[1:]:
            self._warn(element, f"not understood in a list of episodes: {words}")
        if line.dropped:
            self.passed_over += element.notes("the length or version in a list of episodes")

    def _awaits_title(self, element: Element) -> bool:
        """Tell whether the line is the title of a number that was alone on its line.

        A list of numbers alone has no titles, and the next heading is none.
        """
        untitled = [episode.title is None for episode in self._episodes[-2:]]
        if element.is_tagged:
            is_of_last = element.item == self._item and untitled[-1:] == [True]
            return is_of_last and looks_like_title(element.text)
        if not untitled or not untitled[-1] or untitled == [True, True]:
            return False
        follows = element.line == self._elements[self._at - 1].last_line + 1
        fits = len(element.text) <= _LONGEST_ITEM and not ends_sentence(element.text)
        return fits and (follows or not opens_heading(self._elements, self._at))

    def _is_odd(self, element: Element) -> bool:
        """Tell whether a line that is not understood is in the list.

        It is if the list goes on after it, or if a heading begins right behind it.
        """
        if not looks_like_title(element.text) and numbers_in(element.text):
            return False
        if opens_heading(self._elements, self._at + 1):
            return not opens_heading(self._elements, self._at)
        for following in self._elements[self._at + 1 : self._at + 1 + _LOOK_AHEAD]:
            line = _read_line(following)
            if _is_item(following, line) or line.is_fact:
                return True
            if not looks_like_title(following.text) or is_list_marker(following.text):
                return False
        return False

    def _warn(self, element: Element, text: str) -> None:
        self.warnings += element.notes(text)


def _is_stray_item(element: Element) -> bool:
    """Tell an item of a page's list whose title is missing from the page."""
    line = _read_line(element) if element.tag in _ITEM_TAGS else None
    if line is None or not _is_item(element, line) or ends_sentence(element.text):
        return False
    return bool(line.links) or line.dropped


def _is_item(element: Element, line: _ListLine) -> bool:
    """Tell an episode's line from a paragraph that names an episode."""
    if not line.is_item or len(element.text) > _LONGEST_ITEM:
        return False
    return looks_like_title(element.text) or bool(line.links) or line.dropped


def _read_line(element: Element) -> _ListLine:
    """Read the line of an element; a page's element has its links beside its words."""
    line = _read_text(element.item_text or element.text)
    return replace(
        line,
        links=tuple(dict.fromkeys((*element.links, *line.links))),
        dropped=line.dropped or element.has_labels,
    )


def _read_text(text: str) -> _ListLine:
    """Read a line: `E31 Title · 2501.01234 · 12 min`, in any order after the mark."""
    numbers, rest = _split_mark(_BULLET.sub("", text))
    papers = [f"https://arxiv.org/abs/{match['id']}" for match in _ARXIV.finditer(rest)]
    rest = _ARXIV.sub(" | ", rest)
    links = [Link("Paper", url) for url in papers]
    links += [Link(OTHER_LINK, url) for url in _ADDRESS.findall(rest)]
    rest = _ADDRESS.sub(" | ", rest)
    parts = [part.strip(_AROUND_PARTS) for part in _PART.split(rest)]
    words = [part.strip(_AROUND_PARTS) for part in (_LENGTH.sub("", part) for part in parts)]
    kept = tuple(word for word in words if word and not _LABEL.fullmatch(word))
    dropped = words != parts or any(_LABEL.fullmatch(word) for word in words)
    versions = any(match["more"] for match in _ARXIV.finditer(text))
    return _ListLine(numbers, kept, tuple(dict.fromkeys(links)), dropped or versions)


def _split_mark(text: str) -> tuple[tuple[int, ...], str]:
    """Split the episode numbers from the rest; behind a first mark, later ones are the title's."""
    numbers = numbers_in(text)
    bare = without_marks(text, frozenset(numbers)).strip(f"{_AROUND_PARTS}&\u00b7|")
    if numbers and bare in ("", "and"):
        return numbers, ""
    if numbers and (first := _FIRST_MARK.match(text)):
        return (int(first[1]),), text[first.end() :]
    return numbers, bare
