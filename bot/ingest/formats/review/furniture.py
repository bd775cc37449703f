"""Lines of a review that are no text: the line of facts, the player, links to other pages."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from bot.domain.drafts import Note
from bot.domain.week_phrases import find_day
from bot.ingest.formats.review.elements import Element, looks_like_title
from bot.ingest.formats.review.marks import numbers_in

_FACTS = re.compile(r"weekly\s+review\s*[\u00b7\u2022|,:\u2013\u2014-]", re.IGNORECASE)
_SEPARATOR = re.compile(r"\s*[\u00b7\u2022|]\s*|\s+[\u2013\u2014-]\s+")
_KIND = re.compile(r"(?:weekly\s+)?review", re.IGNORECASE)
_EPISODES = re.compile(r"(\d{1,4})\s+(?:episode|paper)s?", re.IGNORECASE)
_LENGTH = re.compile(
    r"(?:(\d{1,2})\s?h(?:r|rs|ours?)?\.?\s)?(\d{1,3})\s?min(?:s|utes?)?\.?", re.IGNORECASE
)
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2})?"
_FURNITURE = (
    (re.compile(r"[\u2190\u2192\u2039\u203a].*|.*[\u2190\u2192\u203a]"), "leads to another page"),
    (re.compile(rf"{_CLOCK}(?:\s?/\s?{_CLOCK})?"), "the player's time"),
    (_LENGTH, "a length in minutes"),
    (re.compile(r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}", re.IGNORECASE), "names the site"),
    (re.compile(r".*\bcover art", re.IGNORECASE), "describes the cover"),
    (re.compile(r"[\W_]+"), "a line without words"),
)
_LONGEST_FURNITURE = 300
_CAPTIONS = frozenset({"figure", "figcaption"})


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts that a review states; `claimed` is the count of episodes, `minutes` its length."""

    line: int | None = None
    claimed: int | None = None
    published_on: date | None = None
    minutes: int | None = None

    def agrees_with(self, other: "Facts") -> bool:
        """Tell whether two lines state the same facts."""
        return (self.claimed, self.published_on, self.minutes) == (
            other.claimed,
            other.published_on,
            other.minutes,
        )

    def completed_by(self, other: "Facts") -> "Facts":
        """Return these facts with those that only the other one states."""
        return Facts(
            self.line or other.line,
            other.claimed if self.claimed is None else self.claimed,
            self.published_on or other.published_on,
            self.minutes,
        )


def is_kind_label(text: str) -> bool:
    """Tell a line that only names the kind of the page, such as `Review`."""
    return bool(_KIND.fullmatch(text))


def is_facts_line(text: str) -> bool:
    """Tell the line `Weekly review · 4 episodes · Mar 15, 2026 · 17 min`."""
    return len(text) <= _LONGEST_FURNITURE and bool(_FACTS.match(text))


def furniture_reason(element: Element) -> str | None:
    """Return why an element is no text of the review, or `None` if it may be."""
    text = element.text
    if element.is_navigation and looks_like_title(text):
        return "leads to another page"
    if len(text) > _LONGEST_FURNITURE:
        return None
    return next((reason for pattern, reason in _FURNITURE if pattern.fullmatch(text)), None)


def unread_reason(element: Element) -> str | None:
    """Return why an element below the first heading of a page is no text, or `None`."""
    if element.level != 0 or numbers_in(element.text):
        return None
    return "a picture's caption" if element.tag in _CAPTIONS else furniture_reason(element)


def minutes_in(text: str) -> int | None:
    """Read a length such as `17 min` or `1 h 12 min`, in minutes."""
    match = _LENGTH.fullmatch(text)
    return int(match[1] or 0) * 60 + int(match[2]) if match else None


def read_facts(element: Element) -> tuple[Facts, list[Note]]:
    """Read a line of facts in any order; return notes on the parts that were not understood."""
    claimed = published_on = minutes = None
    odd = []
    for part in _SEPARATOR.split(element.text):
        if count := _EPISODES.fullmatch(part):
            claimed = int(count[1])
        elif (length := minutes_in(part)) is not None:
            minutes = length
        elif day := find_day(part):
            published_on = day
        elif part and not _KIND.fullmatch(part):
            odd.append(Note(element.line, f"not understood among the review's facts: {part}"))
    return Facts(element.line, claimed, published_on, minutes), odd


def shared_minutes(facts: Facts, lengths: Sequence[Element]) -> tuple[int | None, list[Note]]:
    """Return the listening time, of the facts before the player's, and notes on other times."""
    minutes = facts.minutes
    odd = []
    for element in lengths:
        length = minutes_in(element.text)
        minutes = length if minutes is None else minutes
        if length != minutes:
            odd.append(Note(element.line, f"the player says {length} minutes, not {minutes}"))
    return minutes, odd
