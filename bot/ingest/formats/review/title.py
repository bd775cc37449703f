"""The title of a review and its range of days, wherever the copy has them."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.week_phrases import WeekPhrase, find_week
from bot.errors import DocumentError, WrongShape
from bot.ingest.formats.review.furniture import is_facts_line
from bot.ingest.formats.review.lines import Element, looks_like_title
from bot.ingest.formats.review.marks import numbers_in

_WEEK_IN_REVIEW = re.compile(r"week\s+in\s+review", re.IGNORECASE)
_BETWEEN_NAMES = re.compile(r"\s[\u2013\u2014-]\s")

# The head was found to have twelve lines; days named further down are not the review's own.
_LONGEST_HEAD = 20


@dataclass(frozen=True, slots=True)
class Title:
    """A title as printed, its range of days, and the element it was taken from."""

    element: Element
    text: str
    phrase: WeekPhrase

    @property
    def days(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The first and the last (month, day)."""
        return self.phrase.first, self.phrase.last

    @property
    def without_days(self) -> str:
        """The name that stays the same from week to week; it may be empty."""
        name = f"{self.text[: self.phrase.start]} {self.text[self.phrase.end :]}"
        return " ".join(name.split()).strip(" :,;()[]\u2013\u2014-")

    def agrees_with(self, other: "Title") -> bool:
        """Tell whether two titles name the same days, in the same year if both give one."""
        years = {self.phrase.last_year, other.phrase.last_year} - {None}
        return self.days == other.days and len(years) <= 1


def names_review(text: str) -> bool:
    """Tell whether a text has the words "Week in Review"."""
    return bool(_WEEK_IN_REVIEW.search(text))


def title_in(element: Element) -> Title | None:
    """Find a review's title in a line: "Week in Review" and a range of days.

    The alternative text of a picture has it between dashes, beside the show's name.
    """
    if not names_review(element.text) or not looks_like_title(element.text):
        return None
    if numbers_in(element.text):
        return None
    for text in (*_BETWEEN_NAMES.split(element.text), element.text):
        if names_review(text) and (phrase := find_week(text)):
            return Title(element, text.strip(), phrase)
    return None


def find_title(elements: Sequence[Element]) -> Title:
    """Find the title of the review, which is the one that most lines name.

    Raises:
        DocumentError: if no range of days is found, or if texts stand under two weeks.
    """
    titles = [title for element in elements if (title := title_in(element))]
    chosen = _most_named(titles) if titles else _dated_line(elements)
    _refuse_second_review(chosen, titles, elements)
    return chosen


def _most_named(titles: Sequence[Title]) -> Title:
    """Take the week that most titles name, from a line that is a title and nothing else."""
    days, _ = Counter(title.days for title in titles).most_common(1)[0]
    fitting = [title for title in titles if title.days == days]
    return next((title for title in fitting if title.text == title.element.text), fitting[0])


def _dated_line(elements: Sequence[Element]) -> Title:
    """Do without a title: take the first short line with a range of days, else prose with one."""
    dated = [
        Title(element, element.text, phrase)
        for element in elements[:_LONGEST_HEAD]
        if not is_facts_line(element.text) and (phrase := find_week(element.text))
    ]
    if not dated:
        raise WrongShape(
            "The review names no week: none of its first lines has a range of days.",
            "Copy the page again with its title, as in “Week in Review: June 1\u20137, 2026”.",
        )
    short = (title for title in dated if looks_like_title(title.text))
    return next(short, None) or _only_days(dated[0])


def _only_days(prose: Title) -> Title:
    """Make a title of the days that a paragraph names."""
    days = prose.text[prose.phrase.start : prose.phrase.end].strip()
    phrase = find_week(days)
    return Title(prose.element, days, phrase or prose.phrase)


def _refuse_second_review(
    title: Title, titles: Sequence[Title], elements: Sequence[Element]
) -> None:
    """Refuse a document with texts both before and after the title of another week."""
    texts = [e.line for e in elements if numbers_in(e.text) and not looks_like_title(e.text)]
    for other in titles:
        parts_texts = bool(texts) and texts[0] < other.element.line < texts[-1]
        if parts_texts and not other.agrees_with(title):
            raise DocumentError(
                f"The document holds two reviews: “{title.text}” and “{other.text}”.",
                "Import each review from a file of its own.",
            )
