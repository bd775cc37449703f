"""Durations: the patience of a subscription, and the end of a pause."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

from bot.commands.types import Context, ParamType
from bot.domain.schedule import WEEKDAYS, first_instant
from bot.domain.week_phrases import find_day, find_month_day
from bot.domain.weeks import Week
from bot.errors import ArgumentError, Option
from bot.replies.plain_text import quoted
from bot.replies.wording import UNITS, duration, in_units
from bot.replies.wording import day as in_words

# Less than a week: the next due time posts the newest edition anyway.
LONGEST_PATIENCE = timedelta(days=6)
_EXPECTED_PATIENCE = "Patience is a time such as 3d, 12h or 90m, 6d at most; 0 waits for nothing."
_NO_PATIENCE = ("0", "none")
_UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
_DURATION = re.compile(
    r"(?P<number>\d{1,5})\s*"
    r"(?P<unit>m(?:ins?|inutes?)?|h(?:rs?|ours?)?|d(?:ays?)?|w(?:ks?|eeks?)?)",
    re.ASCII,
)
_LIKELY_PATIENCE = ("3d", "1d", "2d", "4d", "5d", "6d", "6h", "12h", "0")


def read_duration(text: str) -> timedelta | None:
    """Parse a number and a unit, from minutes to weeks; `None` for another text. Pure."""
    found = _DURATION.fullmatch(text.strip().lower())
    return int(found["number"]) * _UNITS[found["unit"][0]] if found else None


def in_short(length: timedelta) -> str:
    """Return a duration in minutes or more as it is typed: `3d`, `12h`, `90m`, `0`."""
    number, unit = in_units(length)
    return f"{number}{unit}" if number else _NO_PATIENCE[0]


async def _read_patience(text: str, _context: Context) -> timedelta:
    typed = text.strip().lower()
    patience = timedelta() if typed in _NO_PATIENCE else read_duration(typed)
    if patience is None:
        near = (Option(f"{typed}d"),) if re.fullmatch("[1-6]", typed) else (Option("3d"),)
        raise ArgumentError(
            f"I can't read {quoted(text)} as a time to wait.", _EXPECTED_PATIENCE, near
        )
    if patience > LONGEST_PATIENCE:
        raise ArgumentError(
            f"{duration(patience)} is too long: it has to end before the next post is due.",
            _EXPECTED_PATIENCE,
            (Option(in_short(LONGEST_PATIENCE)),),
        )
    return patience


async def _complete_patience(beginning: str, _context: Context) -> list[Option]:
    """Complete likely durations, and the typed number with each unit."""
    typed = "".join(beginning.lower().split())
    begun = [f"{typed}{unit}" for unit in UNITS] if typed.isdigit() else [typed]
    offers = dict.fromkeys([*(each for each in _LIKELY_PATIENCE if each.startswith(typed)), *begun])
    return [
        Option(text, duration(patience) if patience else "only what is there at once")
        for text in offers
        for patience in [timedelta() if text in _NO_PATIENCE else read_duration(text)]
        if patience is not None and patience <= LONGEST_PATIENCE
    ]


PATIENCE = ParamType("PATIENCE", _read_patience, _complete_patience, _EXPECTED_PATIENCE)


_EXPECTED_END = (
    "A pause ends as a day begins (2026-01-12, jan 12, monday, tomorrow), or after a while"
    " (3 days, 2w)."
)
_SPOKEN = ("tomorrow", "next week", *WEEKDAYS, "1w", "2w", "4w")
_DAY, _YEAR = timedelta(days=1), timedelta(days=365)
_LONGEST_PAUSE = 100 * _YEAR
_LEAP_YEARS = 9  # no longer than this from one February 29 to the next: 1896 to 1904
_SHORT = 3  # letters of a weekday that tell it from the others
_BEFORE = re.compile(r"(?:in|for|on|until) ")  # says nothing more
_OF_DAYS = re.compile(r"\d+ ?[dw]", re.ASCII)
_ISO_DAY = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", re.ASCII)
_DAY_MONTH_YEAR = re.compile(r"(\d{1,2})(?:st|nd|rd|th)? ([a-z]+)\.?,? (\d{4})", re.ASCII)


def parse_day(text: str, today: date) -> date | None:
    """Parse a day, given the user's date; `None` for another text. Pure.

    A weekday, or a day without a year, is the next one after today.
    """
    try:
        return next(
            (day for read in _READERS if (day := read(_without_preposition(text), today))), None
        )
    except (ValueError, OverflowError):  # February 30, a day after the last of the year 9999
        return None


def _without_preposition(text: str) -> str:
    return _BEFORE.sub("", " ".join(text.lower().split()))


def _by_words(text: str, today: date) -> date | None:
    if text == "next week":
        return Week.of(today).last_day + _DAY
    return {"today": today, "yesterday": today - _DAY, "tomorrow": today + _DAY}.get(text)


def _by_weekday(text: str, today: date) -> date | None:
    typed = text.removeprefix("next ")
    for number, name in enumerate(WEEKDAYS):
        if len(typed) >= _SHORT and name.startswith(typed):
            return today + ((number - today.weekday() - 1) % 7 + 1) * _DAY
    return None


def _by_length(text: str, today: date) -> date | None:
    passed = read_duration(text) if _OF_DAYS.match(text) else None
    return None if passed is None else today + passed


def _by_date(text: str, today: date) -> date | None:
    if found := _ISO_DAY.fullmatch(text):
        return date(*map(int, found.groups()))
    whole = find_day(_DAY_MONTH_YEAR.sub(r"\2 \1, \3", text))
    if whole:
        return whole
    # The parser returns the latest past day, so it is asked as of later and later dates.
    days = (find_month_day(text, today + years * _YEAR) for years in range(1, _LEAP_YEARS))
    return next((day for day in days if day and day > today), None)


_READERS: tuple[Callable[[str, date], date | None], ...] = (
    _by_words,
    _by_weekday,
    _by_length,
    _by_date,
)


def begins(until: date | datetime, zone: str) -> datetime:
    """Return the instant of a value: a day begins at midnight of a zone."""
    return until if isinstance(until, datetime) else first_instant(until, time(), zone)


async def _read_end(text: str, context: Context) -> date | datetime:
    now, today = context.clock.now(), context.today
    day, passed = parse_day(text, today), read_duration(_without_preposition(text))
    if day is None and passed is None:
        raise ArgumentError(
            f"I can't read {quoted(text)} as a day to come.", _EXPECTED_END, _nearest_ends(context)
        )
    if (day and day <= today) or not (day or passed):
        raise ArgumentError(
            f"{quoted(text)} is not to come.", _EXPECTED_END, _nearest_ends(context)
        )
    if day is None:
        return now.astimezone(UTC) + (passed or _DAY)
    if day - today > _LONGEST_PAUSE:
        raise ArgumentError(
            f"{in_words(day)} is too far ahead.", _EXPECTED_END, _nearest_ends(context)
        )
    return day


def _nearest_ends(context: Context) -> tuple[Option, ...]:
    days = ((each, parse_day(each, context.today)) for each in ("monday", "2w"))
    return tuple(Option(day.isoformat(), _label(each, day)) for each, day in days if day)


def _label(spoken: str, day: date) -> str:
    return f"{spoken}: {in_words(day)}"


async def _complete_end(beginning: str, context: Context) -> list[Option]:
    """Complete days in words, and a typed day."""
    typed = " ".join(beginning.lower().split())
    offers = [words for words in _SPOKEN if words.startswith(typed)] or [typed]
    days = ((words, parse_day(words, context.today)) for words in offers)
    return [
        Option(words, in_words(day))
        for words, day in days
        if day and context.today < day <= context.today + _LONGEST_PAUSE
    ]


UNTIL = ParamType("UNTIL", _read_end, _complete_end, _EXPECTED_END)
