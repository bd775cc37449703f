"""When a pause ends: as a day to come begins where the posts are, or after a while."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

from bot.commands.params.times.durations import read_duration
from bot.commands.types import Context, ParamType
from bot.domain.schedule import WEEKDAYS, first_instant
from bot.domain.week_phrases import find_day, find_month_day
from bot.domain.weeks import Week
from bot.errors import ArgumentError, Option
from bot.replies.plain_text import quoted
from bot.replies.wording import day as in_words

EXPECTED = (
    "A pause ends as a day begins (2026-01-12, jan 12, monday, tomorrow), or after a while"
    " (3 days, 2w)."
)
_SPOKEN = ("tomorrow", "next week", *WEEKDAYS, "1w", "2w", "4w")
_DAY, _YEAR = timedelta(days=1), timedelta(days=365)
_LONGEST = 100 * _YEAR  # whoever wants it longer unsubscribes
_LEAP_YEARS = 9  # no longer than this from one February 29 to the next: 1896 to 1904
_SHORT = 3  # letters of a weekday that tell it from the others
_BEFORE = re.compile(r"(?:in|for|on|until) ")  # says nothing more
_OF_DAYS = re.compile(r"\d+ ?[dw]", re.ASCII)
_ISO_DAY = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", re.ASCII)
_DAY_MONTH_YEAR = re.compile(r"(\d{1,2})(?:st|nd|rd|th)? ([a-z]+)\.?,? (\d{4})", re.ASCII)


def parse_day(text: str, today: date) -> date | None:
    """Read a day, where `today` is the asker's date; `None` if the text names none. Pure.

    A day without a year and a weekday are the next ones to come.
    """
    try:
        return next((day for read in _READERS if (day := read(_bare(text), today))), None)
    except (ValueError, OverflowError):  # February 30, a day after the last of the year 9999
        return None


def _bare(text: str) -> str:
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
    # The latest one that is not to come, as seen from later and later.
    days = (find_month_day(text, today + years * _YEAR) for years in range(1, _LEAP_YEARS))
    return next((day for day in days if day and day > today), None)


_READERS: tuple[Callable[[str, date], date | None], ...] = (
    _by_words,
    _by_weekday,
    _by_length,
    _by_date,
)


def begins(until: date | datetime, zone: str) -> datetime:
    """Return the instant of what was read: that of a day is when it begins in a zone."""
    return until if isinstance(until, datetime) else first_instant(until, time(), zone)


async def _read(text: str, context: Context) -> date | datetime:
    now, today = context.clock.now(), context.today
    day, passed = parse_day(text, today), read_duration(_bare(text))
    if day is None and passed is None:
        raise ArgumentError(
            f"I can't read {quoted(text)} as a day to come.", EXPECTED, _near(context)
        )
    if (day and day <= today) or not (day or passed):
        raise ArgumentError(f"{quoted(text)} is not to come.", EXPECTED, _near(context))
    if day is None:
        return now.astimezone(UTC) + (passed or _DAY)
    if day - today > _LONGEST:
        raise ArgumentError(f"{in_words(day)} is too far ahead.", EXPECTED, _near(context))
    return day


def _near(context: Context) -> tuple[Option, ...]:
    days = ((each, parse_day(each, context.today)) for each in ("monday", "2w"))
    return tuple(Option(day.isoformat(), _label(each, day)) for each, day in days if day)


def _label(spoken: str, day: date) -> str:
    return f"{spoken}: {in_words(day)}"


async def _complete(beginning: str, context: Context) -> list[Option]:
    """Offer days in words, and what was typed where it is one."""
    typed = " ".join(beginning.lower().split())
    offers = [words for words in _SPOKEN if words.startswith(typed)] or [typed]
    days = ((words, parse_day(words, context.today)) for words in offers)
    return [
        Option(words, in_words(day))
        for words, day in days
        if day and context.today < day <= context.today + _LONGEST
    ]


UNTIL = ParamType("UNTIL", _read, _complete, EXPECTED)
