"""The head of a review: what stands before the first heading.

It has the title with its range of days, a line of facts, a player, and the overview.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.drafts import Note
from bot.ingest.formats.review.furniture import (
    Facts,
    furniture_reason,
    is_facts_line,
    is_kind_label,
    minutes_in,
    read_facts,
    shared_minutes,
)
from bot.ingest.formats.review.lines import Element, looks_like_title
from bot.ingest.formats.review.lists import fold_lists, is_list_marker
from bot.ingest.formats.review.marks import numbers_in
from bot.ingest.formats.review.title import Title, find_title, title_in

_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)


@dataclass(slots=True)
class Head:
    """All that stands before the first heading, and the `body` from there on."""

    title: Title
    facts: Facts = field(default_factory=Facts)
    minutes: int | None = None
    url: str | None = None
    overview: list[Element] = field(default_factory=list)
    body: list[Element] = field(default_factory=list)
    warnings: list[Note] = field(default_factory=list)
    passed_over: list[Note] = field(default_factory=list)


def read_head(elements: Sequence[Element]) -> Head:
    """Part a review's head from its body.

    Raises:
        DocumentError: if no range of days is found, or if texts stand under two weeks.
    """
    head = Head(find_title(elements))
    rest = _without_title(head, elements)
    rest = _without_facts(head, rest)
    rest = _without_furniture(head, rest)
    rest = _without_prose_before(head, rest)
    _split_overview(head, rest)
    return head


def _without_title(head: Head, elements: Sequence[Element]) -> list[Element]:
    """Set the title aside, and each line that repeats it or names another week."""
    rest = []
    for element in elements:
        title = title_in(element)
        if title and not title.agrees_with(head.title):
            head.warnings += element.notes(f"names another week than the title: {title.text}")
        elif title and (element != head.title.element or title.text != element.text):
            head.passed_over += element.notes("repeats the title")
        elif not title and (element != head.title.element or not looks_like_title(element.text)):
            rest.append(element)
    if not title_in(head.title.element):
        head.warnings += [Note(head.title.element.line, "no title; the days were taken from here")]
    return rest


def _without_facts(head: Head, elements: Sequence[Element]) -> list[Element]:
    """Read the line of facts; a second one is a repetition, or odd if it says otherwise."""
    rest = []
    for element in elements:
        if not is_facts_line(element.text):
            rest.append(element)
            continue
        take_facts(head, element)
    return rest


def take_facts(head: Head, element: Element) -> None:
    """Take in a line of facts; one that says otherwise than the first is odd."""
    facts, odd = read_facts(element)
    if head.facts.line is None:
        head.facts = facts
    elif not facts.agrees_with(head.facts):
        head.warnings += element.notes("contradicts the facts stated before")
    head.warnings += odd
    head.passed_over += element.notes("the review's facts; their count of episodes is not kept")


def _without_furniture(head: Head, elements: Sequence[Element]) -> list[Element]:
    """Set the player and ways to other pages aside; the first prose ends the player."""
    rest, lengths = [], []
    in_player = True
    for element in elements:
        if reason := furniture_reason(element.text):
            head.passed_over += element.notes(reason)
            lengths += [element] if in_player and minutes_in(element.text) is not None else []
        else:
            in_player = in_player and looks_like_title(element.text)
            rest.append(element)
    head.minutes, odd = shared_minutes(head.facts, lengths)
    head.warnings += odd
    return rest


def _without_prose_before(head: Head, elements: Sequence[Element]) -> list[Element]:
    """Report prose above the title that names no episode: the overview stands below it."""
    rest = []
    for element in elements:
        is_above = element.line < head.title.element.line and not looks_like_title(element.text)
        if is_above and not numbers_in(element.text):
            head.warnings += element.notes("not understood above the title")
        else:
            rest.append(element)
    return rest


def _split_overview(head: Head, elements: Sequence[Element]) -> None:
    """Part the overview from the body, and report short lines before it."""
    start = _first(elements, 0, is_title=False)
    end = _first(elements, start, is_title=True)
    short = [element for element in elements[:start] if not _takes_label(head, element)]
    overview, rest = elements[start:end], elements[end:]
    if not _is_overview(short, overview, rest):
        head.body = [*short, *overview, *rest]
        return
    for element in short:
        head.warnings += element.notes(f"not understood before the overview: {element.text}")
    head.overview, head.body = list(overview), list(rest)


def _first(elements: Sequence[Element], start: int, *, is_title: bool) -> int:
    """Return the first place from `start` on whose shape is that of a title, or is not.

    A list of episodes ends either search.
    """
    for at in range(start, len(elements)):
        text = elements[at].text
        if looks_like_title(text) == is_title or is_list_marker(text):
            return at
    return len(elements)


def _takes_label(head: Head, element: Element) -> bool:
    """Take the review's own address, or set aside a line that names the kind of page."""
    if is_kind_label(element.text):
        head.passed_over += element.notes("names the kind of page")
        return True
    if head.url is None and _ADDRESS.fullmatch(element.text):
        head.url = element.text
        return True
    return False


def _is_overview(
    short: Sequence[Element], prose: Sequence[Element], rest: Sequence[Element]
) -> bool:
    """Tell the overview from the first heading's own text, where the overview is missing.

    Right after the player it can be nothing else. Behind short lines, which may be headings,
    an overview names episodes that come again, and a tagline leads to a section with a mark.
    """
    if not prose or not short:
        return not short
    marks = {number for element in prose for number in numbers_in(element.text)}
    if marks:
        later = fold_lists(rest).elements
        return any(marks.intersection(numbers_in(element.text)) for element in later)
    return not any(numbers_in(element.text) for element in rest[1:2])
