"""ISO weeks, and parsing of the weeks and periods that users name. All pure.

A week is an ISO week, Monday to Sunday: https://en.wikipedia.org/wiki/ISO_week_date
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeVar

from bot.domain.week_phrases import (
    YEARS,
    find_week,
    latest_day,
    read_day,
    read_month,
    read_month_day,
)

T = TypeVar("T")

EXPECTED_WEEK = (
    "A week is named by a day in it (2026-01-07, jan 5), by its number (2026-W02, week 2), or as"
    " this week, last week or 3 weeks ago."
)
EXPECTED_PERIOD = (
    "A period is a year (2025), a quarter (q4, 2025-Q4), a month (march, 2025-03), a week"
    " (2025-W12, last week), a day (2025-03-17), or as last month or the last 3 months."
)

_DAY, _WEEK = timedelta(days=1), timedelta(weeks=1)
_ISO_WEEK = re.compile(r"(\d{4})[- ]?w(\d{1,2})")
_NUMBER = re.compile(r"(?:w|week )(\d{1,2})(?:,? (?:of )?(\d{4}))?")
# Words that may stand before a week or a period and change nothing.
_BEFORE = re.compile(r"(?:(?:in|of|on|during|the|week of) )*")
_ISO_DAY = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_DAY_MONTH_YEAR = re.compile(r"(\d{1,2})(?:st|nd|rd|th)? ([a-z]+)\.?,? (\d{4})")
_AGO = re.compile(r"(\d{1,4}|[a-z]+) weeks? ago")
_COUNTS = ("a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NEAR = {"this week": 0, "last week": -1, "previous week": -1, "next week": 1}
_DAYS = {"today": 0, "yesterday": -1, "tomorrow": 1}
_YEAR = re.compile(r"(\d{4})")
_QUARTER = re.compile(r"(\d{4})[- ]?q([1-4])")
_NAMED_QUARTER = re.compile(r"q([1-4])(?:,? (?:of )?(\d{4}))?")
_NAMED_MONTH = re.compile(r"([a-z]{3,9}\.?)(?:,? (?:of )?(\d{4}))?")
_LAST_FEW = re.compile(r"(?:(?:last|past) (\d{1,3}|[a-z]+)|past) (day|week|month|year)s?")
_MONTH = re.compile(r"(\d{4})[-/](\d{1,2})")
_ONE_DAY = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})")
_RUN_OF_DAYS = re.compile(r"(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})")


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
        """Return the week of a name as `name` gives it."""
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


@dataclass(frozen=True, slots=True)
class Period:
    """A run of days, both ends within it."""

    first_day: date
    last_day: date


def first_reading(
    readers: Iterable[Callable[[str, date], T | None]], text: str, today: date
) -> T | None:
    """Return what the first reader makes of a text on one line and in lower case.

    `None` if none reads it, or the date is none: week 60, February 30, a million weeks ago.
    """
    typed = " ".join(text.lower().split())
    try:
        return next((value for read in readers if (value := read(typed, today))), None)
    except (ValueError, OverflowError):
        return None


def parse_week(text: str, today: date) -> Week | None:
    """Read a week, where `today` is the user's date; `None` if the text names none.

    Days without a year are the latest past ones. A week of a year beyond `YEARS` is none.
    """
    readers = _relative_week, _numbered_week, _week_of_day
    week = first_reading(readers, _without_words_before(text), today)
    return week if week and week.year in YEARS else None


def parse_period(text: str, today: date) -> Period | None:
    """Read a period, where `today` is the user's date; `None` if the text names none.

    One that begins in a year beyond `YEARS` is none.
    """
    readers = _relative_period, _numbered_period, _named_period, _week_long
    period = first_reading(readers, _without_words_before(text), today)
    return period if period and period.first_day.year in YEARS else None


def parse_whole_period(text: str, today: date) -> Period | None:
    """Read a period as `parse_period` does, but this month and this year up to their end."""
    typed = _without_words_before(text).removeprefix("this ")
    spoken = {"month": f"{today:%Y-%m}", "quarter": _quarter(today), "year": f"{today:%Y}"}
    return parse_period(spoken.get(typed, text), today)


def name_of(period: Period) -> str:
    """Return a name by which `parse_period` reads a period again on any day."""
    first = period.first_day
    names = first.isoformat(), Week.of(first).name, f"{first:%Y-%m}", _quarter(first), f"{first:%Y}"
    run_of_days = f"{first}..{period.last_day}"
    return next((name for name in names if parse_period(name, first) == period), run_of_days)


def whole_day(text: str) -> date | None:
    """Read a day with its year: `2026-01-07`, `jan 7, 2026`, `7th jan 2026`."""
    if found := _ISO_DAY.fullmatch(text):
        return date(*map(int, found.groups()))
    return read_day(_DAY_MONTH_YEAR.sub(r"\2 \1, \3", text))


def _without_words_before(text: str) -> str:
    """Return a text in lower case, on one line, without `the`, `in` or `week of` before it."""
    return _BEFORE.sub("", " ".join(text.lower().split()), count=1)


def _quarter(day: date) -> str:
    return f"{day:%Y}-Q{(day.month + 2) // 3}"


def _relative_week(text: str, today: date) -> Week | None:
    if text in _NEAR:
        return Week.of(today + _NEAR[text] * _WEEK)
    if text in _DAYS:
        return Week.of(today + _DAYS[text] * _DAY)
    found = _AGO.fullmatch(text)
    if not found:
        return None
    return Week.of(today - _counted(found[1]) * _WEEK)


def _counted(word: str) -> int:
    """Return a number in digits or as a word up to ten; raise `ValueError` for another word."""
    word = "a" if word in ("one", "an") else word
    return _COUNTS.index(word) + 1 if word in _COUNTS else int(word)


def _numbered_week(text: str, today: date) -> Week | None:
    if whole := _ISO_WEEK.fullmatch(text):
        return Week.of(date.fromisocalendar(int(whole[1]), int(whole[2]), 1))
    if found := _NUMBER.fullmatch(text):
        if found[2]:
            return Week.of(date.fromisocalendar(int(found[2]), int(found[1]), 1))
        mondays = (_monday(today.year - ago, int(found[1])) for ago in range(3))
        return next((Week.of(day) for day in mondays if day and day <= today), None)
    return None


def _monday(year: int, number: int) -> date | None:
    """Return the Monday of a week, `None` where the year has no week of that number."""
    try:
        return date.fromisocalendar(year, number, 1)
    except ValueError:
        return None


def _week_of_day(text: str, today: date) -> Week | None:
    day = whole_day(text) or _start_of_range(text, today)
    if day is None and (month_day := read_month_day(text)):
        day = latest_day(month_day, today)
    return Week.of(day) if day else None


def _start_of_range(text: str, today: date) -> date | None:
    """Return the first day of a range, `jan 5-11`: `Dec 29 - Jan 4, 2026` starts in 2025."""
    phrase = find_week(text)
    if phrase is None or phrase.start or text[phrase.end :].strip(" ).,"):
        return None
    year = phrase.first_year or (phrase.last_year and phrase.last_year - phrase.crosses_year)
    return date(year, *phrase.first) if year else latest_day(phrase.first, today)


def _relative_period(text: str, today: date) -> Period | None:
    if found := _LAST_FEW.fullmatch(text):
        return _last_few(_counted(found[1] or "a"), found[2], today)
    yesterday, last_month = today - _DAY, today.replace(day=1) - _DAY
    this_month = Period(today.replace(day=1), today)
    this_quarter = today.replace(day=1, month=today.month - (today.month - 1) % 3)
    this_year = Period(today.replace(month=1, day=1), today)
    named = {
        "today": Period(today, today),
        "yesterday": Period(yesterday, yesterday),
        "month": this_month,
        "this month": this_month,
        "quarter": Period(this_quarter, today),
        "this quarter": Period(this_quarter, today),
        "last month": Period(last_month.replace(day=1), last_month),
        "last quarter": _quarter_before(today),
        "year": this_year,
        "this year": this_year,
        "last year": _months(today.year - 1, 1, 12),
    }
    return named.get(text)


def _numbered_period(text: str, _today: date) -> Period | None:
    if year := _YEAR.fullmatch(text):
        return _months(int(year[1]), 1, 12)
    if quarter := _QUARTER.fullmatch(text):
        last = 3 * int(quarter[2])
        return _months(int(quarter[1]), last - 2, last)
    if month := _MONTH.fullmatch(text):
        return _months(int(month[1]), int(month[2]), int(month[2]))
    if day := _ONE_DAY.fullmatch(text):
        only = date(*map(int, day.groups()))
        return Period(only, only)
    if run := _RUN_OF_DAYS.fullmatch(text):
        first_day, last_day = map(date.fromisoformat, run.groups())
        return Period(first_day, last_day) if first_day <= last_day else None
    return None


def _named_period(text: str, today: date) -> Period | None:
    """Read a quarter or a month by its name; without a year it is the latest that has begun."""
    if quarter := _NAMED_QUARTER.fullmatch(text):
        first, last, year = 3 * int(quarter[1]) - 2, 3 * int(quarter[1]), quarter[2]
    elif (named := _NAMED_MONTH.fullmatch(text)) and (month := read_month(named[1])):
        first, last, year = month, month, named[2]
    else:
        return None
    return _months(int(year) if year else today.year - (first > today.month), first, last)


def _quarter_before(today: date) -> Period:
    last = 3 * ((today.month - 1) // 3) or 12
    return _months(today.year - (last > today.month), last - 2, last)


def _last_few(number: int, unit: str, today: date) -> Period:
    """Return the days from so many days, weeks, months or years ago up to today."""
    if unit in ("day", "week"):
        return Period(today - number * (_DAY if unit == "day" else _WEEK), today)
    months = 12 * today.year + today.month - 1 - number * (12 if unit == "year" else 1)
    year, month = months // 12, months % 12 + 1
    return Period(date(year, month, min(today.day, monthrange(year, month)[1])), today)


def _months(year: int, first: int, last: int) -> Period:
    return Period(date(year, first, 1), date(year, last, monthrange(year, last)[1]))


def _week_long(text: str, today: date) -> Period | None:
    week = parse_week(text, today)
    return Period(week.first_day, week.last_day) if week else None
