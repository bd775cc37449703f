"""The head of a review, before its first heading.

It has the title with its range of days, a line of facts, a player, and the overview.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from bot.domain.dates import find_days
from bot.domain.dates.written_date import WrittenDate
from bot.domain.drafts import Note
from bot.errors import DocumentError, WrongShape
from bot.ingest.formats.review.elements import (
    TITLE_TAG,
    Element,
    ReviewFacts,
    changed_page,
    furniture_reason,
    is_facts_line,
    is_kind_label,
    looks_like_title,
    minutes_in,
    numbers_in,
    read_facts,
)
from bot.ingest.formats.review.lists import FoldedBody, is_list_marker
from bot.ingest.formats.review.page import ReviewPage

_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
_WEEK_IN_REVIEW = re.compile(r"week\s+in\s+review", re.IGNORECASE)
_BETWEEN_NAMES = re.compile(r"\s[\u2013\u2014-]\s")

# The head was found to have twelve lines; days named further down are not the review's own.
_LONGEST_HEAD = 20

# Midnight is not the same everywhere.
_ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class PrintedTitle:
    """A title as printed, its range of days, and the element it was taken from."""

    element: Element
    text: str
    phrase: WrittenDate

    @property
    def without_days(self) -> str:
        """The name that stays the same from week to week; it may be empty."""
        name = f"{self.text[: self.phrase.start]} {self.text[self.phrase.end :]}"
        return " ".join(name.split()).strip(" :,;()[]\u2013\u2014-")

    def agrees_with(self, other: "PrintedTitle") -> bool:
        """Tell whether two titles name the same days, in the same year if both give one."""
        years = {self.phrase.last_year, other.phrase.last_year} - {None}
        return _days(self) == _days(other) and len(years) <= 1


@dataclass(slots=True)
class ReviewHead:
    """The elements before the first heading, sorted, and the `body` from there on."""

    title: PrintedTitle
    facts: ReviewFacts = field(default_factory=ReviewFacts)
    minutes: int | None = None
    url: str | None = None
    overview: list[Element] = field(default_factory=list)
    body: list[Element] = field(default_factory=list)
    warnings: list[Note] = field(default_factory=list)
    passed_over: list[Note] = field(default_factory=list)


def read_page_head(page: ReviewPage) -> ReviewHead:
    """Split a page's head from its body, and add the facts that its tags state.

    Raises:
        DocumentError: if no title names a week, or if there are texts under two weeks.
    """
    head = read_head(page.elements)
    head.url = page.url
    head.passed_over += page.passed_over
    line = head.title.element.line
    if head.title.element.tag == TITLE_TAG:
        note = "no heading has the title; it was taken from the page's head"
        head.warnings.append(Note(line, note))
    if head.facts.claimed is None:
        head.warnings.append(Note(line, "no count of episodes is stated that could be checked"))
    if not head.overview:
        head.warnings.append(Note(line, "the page has no overview"))
    if page.published_on:
        stated = head.facts.published_on
        if stated is None:
            line = head.facts.line or page.published_line
            head.facts = replace(head.facts, line=line, published_on=page.published_on)
        elif abs(page.published_on - stated) > _ONE_DAY:
            note = f"the page's head gives another day of publication: {page.published_on}"
            head.warnings.append(Note(page.published_line, note))
    return head


def read_head(elements: Sequence[Element]) -> ReviewHead:
    """Split a review's head from its body."""
    head = ReviewHead(_find_title(elements))
    above = frozenset(map(id, elements[: elements.index(head.title.element)]))
    rest = _texts(head, elements, above)
    if head.title.element.is_tagged:
        _split_at_heading(head, rest, above)
    else:
        _split_overview(head, rest)
    return head


def names_review(text: str) -> bool:
    """Tell whether a text has the words "Week in Review"."""
    return bool(_WEEK_IN_REVIEW.search(text))


def title_in(element: Element) -> PrintedTitle | None:
    """Find a review's title in a line: "Week in Review" and a range of days.

    The alternative text of a picture has it between dashes, beside the show's name.
    """
    if not names_review(element.text) or not looks_like_title(element.text):
        return None
    if numbers_in(element.text):
        return None
    for text in (*_BETWEEN_NAMES.split(element.text), element.text):
        if names_review(text) and (phrase := find_days(text)):
            return PrintedTitle(element, text.strip(), phrase)
    return None


def _find_title(elements: Sequence[Element]) -> PrintedTitle:
    """Find the title of the review: a page's heading, or the one that most lines name."""
    titles = [title for element in elements if (title := title_in(element))]
    if elements and elements[0].is_tagged:
        chosen = _tagged_title(titles, elements)
    else:
        chosen = _most_named(titles) if titles else _dated_line(elements)
    _refuse_second_review(chosen, titles, elements)
    return chosen


def _days(title: PrintedTitle) -> tuple[tuple[int, int], tuple[int, int]]:
    return title.phrase.first, title.phrase.last


def _most_named(titles: Sequence[PrintedTitle]) -> PrintedTitle:
    """Return the week that most titles name, from a line that is a title alone."""
    days, _ = Counter(map(_days, titles)).most_common(1)[0]
    fitting = [title for title in titles if _days(title) == days]
    return next((title for title in fitting if title.text == title.element.text), fitting[0])


def _tagged_title(titles: Sequence[PrintedTitle], elements: Sequence[Element]) -> PrintedTitle:
    """Return the highest heading that is a title, else a dated `h1`, else a title of the head."""
    headings = [title for title in titles if title.element.level]
    found = [
        *sorted(headings, key=lambda title: title.element.level or 0),
        *_dated(element for element in elements if element.level == 1),
        *(title for title in titles if title.element.tag == TITLE_TAG),
    ]
    if not found:
        example = "\u201cWeek in Review: June 1\u20137, 2026\u201d"
        raise changed_page(f"no title names a week, as in {example}")
    return found[0]


def _dated_line(elements: Sequence[Element]) -> PrintedTitle:
    """Return the first short line with a range of days, else such a range in prose, for a title."""
    dated = _dated(e for e in elements[:_LONGEST_HEAD] if not is_facts_line(e.text))
    if not dated:
        raise WrongShape(
            "The review names no week: none of its first lines has a range of days.",
            "Copy the page again with its title, as in “Week in Review: June 1\u20137, 2026”.",
        )
    if short := next((title for title in dated if looks_like_title(title.text)), None):
        return short
    prose = dated[0]
    days = prose.text[prose.phrase.start : prose.phrase.end].strip()
    return PrintedTitle(prose.element, days, find_days(days) or prose.phrase)


def _dated(elements: Iterable[Element]) -> list[PrintedTitle]:
    return [PrintedTitle(e, e.text, phrase) for e in elements if (phrase := find_days(e.text))]


def _refuse_second_review(
    title: PrintedTitle, titles: Sequence[PrintedTitle], elements: Sequence[Element]
) -> None:
    """Refuse a document with texts both before and after the title of another week."""
    texts = [e.line for e in elements if numbers_in(e.text) and not looks_like_title(e.text)]
    for other in titles:
        is_caption = other.element.level == 0  # such as that of a player
        parts_texts = bool(texts) and texts[0] < other.element.line < texts[-1]
        if parts_texts and not is_caption and not other.agrees_with(title):
            raise DocumentError(
                f"The document holds two reviews: “{title.text}” and “{other.text}”.",
                "Import each review from a file of its own.",
            )


def _texts(head: ReviewHead, elements: Sequence[Element], above: frozenset[int]) -> list[Element]:
    """Return the elements that are no titles, no facts, no part of the player, no links elsewhere.

    The first prose ends the player; on a page the first heading that is none of these ends the
    head. Prose `above` the title that names no episode is odd: the overview is below it.
    """
    rest, lengths = [], []
    in_player, in_head = True, True
    for element in elements:
        if _reads_title(head, element):
            continue
        if is_facts_line(element.text):
            _read_facts_line(head, element)
        elif in_head and (reason := furniture_reason(element)):
            head.passed_over += element.notes(reason)
            lengths += [element] if in_player else []
        else:
            is_prose = not looks_like_title(element.text)
            in_player = in_player and not is_prose
            in_head = in_head and not element.level
            if is_prose and id(element) in above and not numbers_in(element.text):
                head.warnings += element.notes("not understood above the title")
            else:
                rest.append(element)
    title = head.title.element
    if not (title.is_tagged or title_in(title)):
        head.warnings += [Note(title.line, "no title; the days were taken from here")]
    _read_minutes(head, lengths)
    return rest


def _reads_title(head: ReviewHead, element: Element) -> bool:
    """Read an element that is the title, repeats it or names another week."""
    title = title_in(element)
    is_own = element == head.title.element
    if title and not title.agrees_with(head.title):
        head.warnings += element.notes(f"names another week than the title: {title.text}")
    elif title and not (is_own and title.text == element.text):
        head.passed_over += element.notes("repeats the title")
    is_title = title is not None or element.tag == TITLE_TAG
    return is_title or (is_own and looks_like_title(element.text))


def _read_facts_line(head: ReviewHead, element: Element) -> None:
    """Read a line of facts; one that states others than the first is odd."""
    facts, odd = read_facts(element)
    if head.facts.line is None:
        head.facts = facts
    elif facts != head.facts:
        head.warnings += element.notes("contradicts the facts stated before")
    head.warnings += odd
    head.passed_over += element.notes("the review's facts; their count of episodes is not kept")


def _read_minutes(head: ReviewHead, player: Sequence[Element]) -> None:
    """Read the listening time, of the facts or else the player's."""
    head.minutes = head.facts.minutes
    for element in player:
        length = minutes_in(element.text)
        head.minutes = length if head.minutes is None else head.minutes
        if length not in (None, head.minutes):
            note = f"the player says {length} minutes, not {head.minutes}"
            head.warnings.append(Note(element.line, note))


def _split_at_heading(head: ReviewHead, elements: Sequence[Element], above: frozenset[int]) -> None:
    """Split a page's overview from its body, which begins with the first heading or list."""
    begins = (
        at
        for at, element in enumerate(elements)
        if is_list_marker(element.text)
        or (element.level and id(element) not in above and not is_kind_label(element.text))
    )
    start = next(begins, len(elements))
    for element in elements[:start]:
        if numbers_in(element.text) or not looks_like_title(element.text):
            head.overview.append(element)
        elif not _reads_label(head, element):
            _warn_of_short(head, element)
    head.body = list(elements[start:])


def _split_overview(head: ReviewHead, elements: Sequence[Element]) -> None:
    """Split the overview from the body, and report short lines before it."""
    start = _first(elements, 0, is_title=False)
    end = _first(elements, start, is_title=True)
    short = [element for element in elements[:start] if not _reads_label(head, element)]
    overview, rest = elements[start:end], elements[end:]
    if not _is_overview(short, overview, rest):
        head.body = [*short, *overview, *rest]
        return
    for element in short:
        _warn_of_short(head, element)
    head.overview, head.body = list(overview), list(rest)


def _warn_of_short(head: ReviewHead, element: Element) -> None:
    head.warnings += element.notes(f"not understood before the overview: {element.text}")


def _first(elements: Sequence[Element], start: int, *, is_title: bool) -> int:
    """Return the first place from `start` on of a list, or of the shape of a title or of none."""
    places = (
        at
        for at, element in enumerate(elements[start:], start)
        if looks_like_title(element.text) == is_title or is_list_marker(element.text)
    )
    return next(places, len(elements))


def _reads_label(head: ReviewHead, element: Element) -> bool:
    """Read a short line as the review's address, as a fact or as a label of the page."""
    facts, odd = read_facts(element)
    if is_kind_label(element.text):
        head.passed_over += element.notes("names the kind of page")
    elif head.url is None and _ADDRESS.fullmatch(element.text):
        head.url = element.text
    elif not odd:
        claimed = facts.claimed if head.facts.claimed is None else head.facts.claimed
        published_on = head.facts.published_on or facts.published_on
        line = head.facts.line or facts.line
        head.facts = replace(head.facts, line=line, claimed=claimed, published_on=published_on)
        head.passed_over += element.notes("one of the review's facts")
    else:
        return False
    return True


def _is_overview(
    short: Sequence[Element], prose: Sequence[Element], rest: Sequence[Element]
) -> bool:
    """Tell the overview from the first heading's own text, where the overview is missing.

    Right after the player it is the overview. Behind short lines, which may be headings, an
    overview names episodes that come again, and a tagline is before a section with a mark.
    """
    if not prose or not short:
        return not short
    marks = {number for element in prose for number in numbers_in(element.text)}
    if marks:
        later = FoldedBody(rest).elements
        return any(marks.intersection(numbers_in(element.text)) for element in later)
    return not any(numbers_in(element.text) for element in rest[1:2])
