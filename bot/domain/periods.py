"""Parsing of periods that users name: a year, a quarter, a month, a week, a day. All pure."""

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from bot.domain.week_phrases import YEARS
from bot.domain.weeks import Week, parse_week

EXPECTED = (
    "A period is a year (2025), a quarter (2025-Q4), a month (2025-03), a week (2025-W12, last"
    " week) or a day (2025-03-17)."
)

_DAY_LONG = timedelta(days=1)
_YEAR = re.compile(r"(\d{4})")
_QUARTER = re.compile(r"(\d{4})[- ]?q([1-4])")
_MONTH = re.compile(r"(\d{4})[-/](\d{1,2})")
_DAY = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})")


@dataclass(frozen=True, slots=True)
class Period:
    """A run of days, both ends within it."""

    first_day: date
    last_day: date


def parse_period(text: str, today: date) -> Period | None:
    """Read a period, where `today` is the user's date; `None` if the text names none.

    One that begins in a year beyond `YEARS` is none.
    """
    typed = " ".join(text.lower().split())
    try:
        period = next((period for read in _READERS if (period := read(typed, today))), None)
    except (ValueError, OverflowError):  # month 13, year 0
        return None
    return period if period and period.first_day.year in YEARS else None


def parse_whole_period(text: str, today: date) -> Period | None:
    """Read a period as `parse_period` does, but this month and this year up to their end."""
    typed = " ".join(text.lower().split()).removeprefix("this ")
    spoken = {"month": f"{today:%Y-%m}", "year": f"{today:%Y}"}
    return parse_period(spoken.get(typed, text), today)


def name_of(period: Period) -> str:
    """Return a name by which `parse_period` reads a whole period again on any day.

    Raises:
        ValueError: if it is neither a day, a week, a month, a quarter nor a year.
    """
    first = period.first_day
    quarter = f"{first:%Y}-Q{(first.month + 2) // 3}"
    names = (first.isoformat(), Week.of(first).name, f"{first:%Y-%m}", quarter, f"{first:%Y}")
    for name in names:
        if parse_period(name, first) == period:
            return name
    raise ValueError(f"{period} has no name")


def _months(year: int, first: int, last: int) -> Period:
    return Period(date(year, first, 1), date(year, last, monthrange(year, last)[1]))


def _by_words(text: str, today: date) -> Period | None:
    last_month, yesterday = today.replace(day=1) - _DAY_LONG, today - _DAY_LONG
    named = {
        "today": (today, today),
        "yesterday": (yesterday, yesterday),
        "month": (today.replace(day=1), today),
        "this month": (today.replace(day=1), today),
        "last month": (last_month.replace(day=1), last_month),
        "year": (date(today.year, 1, 1), today),
        "this year": (date(today.year, 1, 1), today),
        "last year": (date(today.year - 1, 1, 1), date(today.year - 1, 12, 31)),
    }
    return Period(*named[text]) if text in named else None


def _by_number(text: str, _today: date) -> Period | None:
    if year := _YEAR.fullmatch(text):
        return _months(int(year[1]), 1, 12)
    if quarter := _QUARTER.fullmatch(text):
        last = 3 * int(quarter[2])
        return _months(int(quarter[1]), last - 2, last)
    if month := _MONTH.fullmatch(text):
        return _months(int(month[1]), int(month[2]), int(month[2]))
    if day := _DAY.fullmatch(text):
        only = date(*map(int, day.groups()))
        return Period(only, only)
    return None


def _by_week(text: str, today: date) -> Period | None:
    week = parse_week(text, today)
    return Period(week.first_day, week.last_day) if week else None


_READERS: tuple[Callable[[str, date], Period | None], ...] = (_by_words, _by_number, _by_week)
