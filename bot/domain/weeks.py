"""ISO weeks, and parsing of the weeks that users name. All pure.

A week is an ISO week, Monday to Sunday: https://en.wikipedia.org/wiki/ISO_week_date
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from bot.domain.week_phrases import YEARS, find_day, find_month_day, find_week

EXPECTED = (
    "A week is named by a day in it (2026-01-07, jan 5), by its number (2026-W02), or as"
    " this week, last week or 3 weeks ago."
)

_WEEK = timedelta(weeks=1)
_ISO_WEEK = re.compile(r"(?P<year>\d{4})[- ]?w(?P<number>\d{1,2})")
_NUMBER = re.compile(r"(?:w|week )(?P<number>\d{1,2})")
_ISO_DAY = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_DAY_MONTH_YEAR = re.compile(r"(\d{1,2})(?:st|nd|rd|th)? ([a-z]+)\.?,? (\d{4})")
_AGO = re.compile(r"(?P<number>\d{1,4}|[a-z]+) weeks? ago")
_COUNTS = ("a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NEAR = {"this week": 0, "last week": -1, "previous week": -1, "next week": 1}
_DAYS = {"today": 0, "yesterday": -1, "tomorrow": 1}


@dataclass(frozen=True, slots=True, order=True)
class Week:
    """An ISO week; the earlier the smaller."""

    year: int
    number: int

    @classmethod
    def of(cls, day: date) -> "Week":
        """Return the week that a day is in."""
        year, number, _ = day.isocalendar()
        return cls(year, number)

    @classmethod
    def named(cls, name: str) -> "Week":
        """Return the week of a name as `name` gives it.

        Raises:
            ValueError: for anything else.
        """
        return cls(int(name[:4]), int(name[6:]))

    @property
    def name(self) -> str:
        """The name of the week: `2026-W02`."""
        return f"{self.year:04}-W{self.number:02}"

    @property
    def first_day(self) -> date:
        """The Monday."""
        return date.fromisocalendar(self.year, self.number, 1)

    @property
    def last_day(self) -> date:
        """The Sunday."""
        return date.fromisocalendar(self.year, self.number, 7)


def parse_week(text: str, today: date) -> Week | None:
    """Read a week, where `today` is the user's date; `None` if the text names none.

    Days without a year are the latest past ones. A week of a year beyond `YEARS` is none.
    """
    typed = " ".join(text.lower().split())
    try:
        week = next((week for read in _READERS if (week := read(typed, today))), None)
    except (ValueError, OverflowError):  # week 60, February 30, a million weeks ago
        return None
    return Week.of(week.last_day) if week and week.year in YEARS else None


def _by_words(text: str, today: date) -> Week | None:
    if text in _NEAR:
        return Week.of(today + _NEAR[text] * _WEEK)
    return Week.of(today + timedelta(days=_DAYS[text])) if text in _DAYS else None


def _weeks_ago(text: str, today: date) -> Week | None:
    found = _AGO.fullmatch(text)
    if not found:
        return None
    word = "a" if found["number"] in ("one", "an") else found["number"]
    number = _COUNTS.index(word) + 1 if word in _COUNTS else int(word)
    return Week.of(today - number * _WEEK)


def _by_number(text: str, today: date) -> Week | None:
    if whole := _ISO_WEEK.fullmatch(text):
        return _real(int(whole["year"]), int(whole["number"]))
    if found := _NUMBER.fullmatch(text):
        years = (today.year, today.year - 1, today.year - 2)
        weeks = (Week(year, int(found["number"])) for year in years)
        return next((week for week in weeks if _exists(week) and week.first_day <= today), None)
    return None


def _by_day(text: str, today: date) -> Week | None:
    if found := _ISO_DAY.fullmatch(text):
        return Week.of(date(*map(int, found.groups())))
    text = _DAY_MONTH_YEAR.sub(r"\2 \1, \3", text)
    day = find_day(text) or _by_range(text, today) or find_month_day(text, today)
    return Week.of(day) if day else None


def _by_range(text: str, today: date) -> date | None:
    """Return the first day of a range, `jan 5-11`: `Dec 29 - Jan 4, 2026` starts in 2025."""
    phrase = find_week(text)
    if phrase is None:
        return None
    year = phrase.first_year or (phrase.last_year and phrase.last_year - phrase.crosses_year)
    if year:
        return date(year, *phrase.first)
    return find_month_day(f"{date(2000, *phrase.first):%B %d}", today)


def _real(year: int, number: int) -> Week:
    week = Week(year, number)
    _ = week.first_day  # raises ValueError: not every year has 53 weeks
    return week


def _exists(week: Week) -> bool:
    try:
        return _real(week.year, week.number) == week
    except ValueError:
        return False


_READERS: tuple[Callable[[str, date], Week | None], ...] = (
    _by_words,
    _weeks_ago,
    _by_number,
    _by_day,
)
