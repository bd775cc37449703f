"""The lists "Episodes in this topic": empty in the copies seen, filled on the web pages.

A filled list gives an episode its paper's title, its arXiv number and its length, all in one
line or each in a line of its own.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from bot.domain.drafts import Note
from bot.ingest.formats.review.items import ListLine, read_list_line
from bot.ingest.formats.review.lines import (
    Element,
    ends_sentence,
    looks_like_tagline,
    looks_like_title,
)
from bot.ingest.formats.review.marks import numbers_in
from bot.ingest.limits import MOST_LINKS
from store.records import Link

_MARKER = re.compile(r"episodes? in this \w+\s*[:(]?", re.IGNORECASE)
_COUNT = re.compile(r"^\d{0,4}\)?:?$")

_LONGEST_ITEM = 300
# A line that is not understood still lies in the list if one of so many after it does.
_LOOK_AHEAD = 4


@dataclass(frozen=True, slots=True)
class ListedEpisode:
    """What a list says about one episode; the title is `None` where it gives a number only.

    `title_line` is where the title stands, which may be behind the number's line.
    """

    line: int
    number: int
    title: str | None
    title_line: int
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class EpisodeList:
    """The list that closes a heading: its marker's line, and the episodes in it if any."""

    line: int
    episodes: tuple[ListedEpisode, ...]


@dataclass(slots=True)
class FoldedBody:
    """A body whose lists are single parts, with the notes on their lines."""

    parts: list[Element | EpisodeList] = field(default_factory=list)
    warnings: list[Note] = field(default_factory=list)
    passed_over: list[Note] = field(default_factory=list)

    @property
    def elements(self) -> list[Element]:
        """The parts that are no lists."""
        return [part for part in self.parts if isinstance(part, Element)]

    @property
    def lists(self) -> list[EpisodeList]:
        """The lists alone."""
        return [part for part in self.parts if isinstance(part, EpisodeList)]


def joined_links(links: Iterable[Link], more: Iterable[Link]) -> tuple[Link, ...]:
    """Join the links of an episode, each once; of very many those are left out that come last."""
    return tuple(islice(dict.fromkeys(chain(links, more)), MOST_LINKS + 1))


def is_list_marker(text: str) -> bool:
    """Tell the line that begins a list of episodes, whatever a heading is called there."""
    return bool(_MARKER.match(text)) and looks_like_title(text)


def fold_lists(elements: Sequence[Element]) -> FoldedBody:
    """Put each list of episodes into one part; lines in it that can't be read are warned of."""
    body = FoldedBody()
    at = 0
    while at < len(elements):
        if is_list_marker(elements[at].text):
            at = _ListReader(elements, at, body).read()
        else:
            body.parts.append(elements[at])
            at += 1
    return body


def opens_heading(elements: Sequence[Element], at: int) -> bool:
    """Tell the surest sign of a heading: a short line, a tagline, and a section's short line."""
    shapes = elements[at : at + 3]
    return (
        len(shapes) == 3  # noqa: PLR2004 - heading, tagline, section
        and looks_like_title(shapes[0].text)
        and looks_like_tagline(shapes[1].text)
        and not numbers_in(shapes[1].text)
        and looks_like_title(shapes[2].text)
    )


class _ListReader:
    """Reads one list, from its marker to the first line that is no part of it."""

    def __init__(self, elements: Sequence[Element], at: int, body: FoldedBody) -> None:
        self._elements = elements
        self._at = at
        self._body = body
        self._episodes: list[ListedEpisode] = []

    def read(self) -> int:
        """Add the list to the body, and return where the text goes on."""
        marker = self._elements[self._at]
        self._read_marker(marker)
        self._at += 1
        while self._at < len(self._elements) and self._reads(self._elements[self._at]):
            self._at += 1
        self._body.parts.append(EpisodeList(marker.line, tuple(self._episodes)))
        return self._at

    def _read_marker(self, marker: Element) -> None:
        """Name the marker; what stands behind its words is a count or already the list."""
        self._body.passed_over += marker.notes("marks a list of episodes")
        rest = _MARKER.sub("", marker.text, count=1).strip()
        line = read_list_line(rest)
        if line.is_item:
            self._add_episodes(marker, line)
        elif not _COUNT.match(rest):
            self._warn(marker, f"not understood in a list of episodes: {rest}")

    def _reads(self, element: Element) -> bool:
        """Take the element into the list, or tell that the list has ended."""
        if is_list_marker(element.text):
            return False
        line = read_list_line(element.text)
        if _is_item(element, line):
            self._add_episodes(element, line)
        elif line.is_fact:
            self._add_facts(element, line)
        elif line.words and self._awaits_title(element):
            self._add_title(element, line)
        elif self._is_odd(element):
            self._warn(element, f"not understood in a list of episodes: {element.text}")
        else:
            return False
        return True

    def _add_episodes(self, element: Element, line: ListLine) -> None:
        title = line.words[0] if line.words else None
        self._episodes += [
            ListedEpisode(element.line, number, title, element.line, line.links)
            for number in line.numbers
        ]
        self._note_rest(element, line)

    def _add_facts(self, element: Element, line: ListLine) -> None:
        if self._episodes:
            self._unite_last(line.links)
            self._note_rest(element, line)
        else:
            self._warn(element, f"belongs to no episode of the list: {element.text}")

    def _add_title(self, element: Element, line: ListLine) -> None:
        last = self._episodes[-1]
        self._episodes[-1] = replace(last, title=line.words[0], title_line=element.line)
        self._unite_last(line.links)
        self._note_rest(element, line)

    def _unite_last(self, links: tuple[Link, ...]) -> None:
        last = self._episodes[-1]
        self._episodes[-1] = replace(last, links=joined_links(last.links, links))

    def _note_rest(self, element: Element, line: ListLine) -> None:
        """Name what the entries do not keep of a line."""
        for words in line.words[1:]:
            self._warn(element, f"not understood in a list of episodes: {words}")
        if line.dropped:
            self._body.passed_over += element.notes("the length or version in a list of episodes")

    def _awaits_title(self, element: Element) -> bool:
        """Tell whether the line is the title of a number that stood alone on its line.

        A list of nothing but numbers awaits none, and the next heading is not taken for one.
        """
        untitled = [episode.title is None for episode in self._episodes[-2:]]
        if not untitled or not untitled[-1] or untitled == [True, True]:
            return False
        follows = element.line == self._elements[self._at - 1].last_line + 1
        fits = len(element.text) <= _LONGEST_ITEM and not ends_sentence(element.text)
        return fits and (follows or not opens_heading(self._elements, self._at))

    def _is_odd(self, element: Element) -> bool:
        """Tell whether a line that is not understood lies in the list.

        It does if the list goes on after it, or if a heading begins right behind it.
        """
        if not looks_like_title(element.text) and numbers_in(element.text):
            return False
        if opens_heading(self._elements, self._at + 1):
            return not opens_heading(self._elements, self._at)
        return self._goes_on()

    def _goes_on(self) -> bool:
        for following in self._elements[self._at + 1 : self._at + 1 + _LOOK_AHEAD]:
            line = read_list_line(following.text)
            if _is_item(following, line) or line.is_fact:
                return True
            if not looks_like_title(following.text) or is_list_marker(following.text):
                return False
        return False

    def _warn(self, element: Element, text: str) -> None:
        self._body.warnings += element.notes(text)


def _is_item(element: Element, line: ListLine) -> bool:
    """Tell an episode's line from a paragraph that names an episode."""
    if not line.is_item or len(element.text) > _LONGEST_ITEM:
        return False
    return looks_like_title(element.text) or bool(line.links) or line.dropped
