"""Times: weekdays, times of day, zones, durations, and the end of a pause."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from difflib import get_close_matches
from itertools import chain
from zoneinfo import ZoneInfo

from bot.commands.params.scalars import choice, unreadable
from bot.commands.types import Context, ParamType
from bot.domain.schedule import WEEKDAYS, first_instant
from bot.domain.weeks import parse_coming
from bot.domain.zones import (
    is_offset,
    known_zones,
    zone_name,
    zone_of_offset,
    zones_by_end,
    zones_meant,
    zones_of_places,
    zones_of_short_name,
)
from bot.errors import ArgumentError, Option, SeveralMeant
from bot.replies.plain_text import quoted
from bot.replies.wording import UNITS, duration, in_units
from bot.replies.wording import day as in_words
from store.text import fold

_EXPECTED_DAY = "A day is one of the week, such as monday or mon."
_ALIKE_DAY = 0.75  # two letters in eight may be wrong
_LONGEST_DAY = 20  # what is longer is no misspelt day
_SHORT_DAYS = ("mon", "tue tues", "wed weds", "thu thur thurs", "fri", "sat", "sun")
_DAY_BY_NAME = {
    name: day
    for day, names in zip(WEEKDAYS, _SHORT_DAYS, strict=True)
    for short in names.split()
    for name in (day, f"{day}s", short, f"{short}.")
}
_DAY_NAME = choice(
    "DAY", "a day of the week", _EXPECTED_DAY, tuple(map(Option, WEEKDAYS)), _DAY_BY_NAME
)
# As in "every monday".
_BEFORE_DAY = re.compile(r"\s*(?:(?:every|each|on)\s+)?", re.IGNORECASE)


def _looks_like_day(text: str) -> bool:
    """Tell whether one word is a day, even a misspelt one."""
    typed = _bare(_BEFORE_DAY, text)
    if typed in _DAY_BY_NAME or " " in typed:
        return typed in _DAY_BY_NAME
    return bool(get_close_matches(typed[:_LONGEST_DAY], WEEKDAYS, n=1, cutoff=_ALIKE_DAY))


def _bare(before: re.Pattern[str], text: str) -> str:
    """Return a text in lower case, on one line, without a preposition before it."""
    return " ".join(before.sub("", text, count=1).lower().split())


async def _read_weekday(text: str, context: Context) -> int:
    return WEEKDAYS.index(await _DAY_NAME.read(_bare(_BEFORE_DAY, text), context))


WEEKDAY = replace(_DAY_NAME, read=_read_weekday, looks=_looks_like_day, write=None)


_EXPECTED_TIME = "A time of day is given as 09:00, 9am, 17h, noon or midnight."
_COMPLETED_TIMES = 12
_NAMED_TIMES = {"noon": time(12), "midnight": time()}
_NOON, _LAST_HOUR, _LAST_MINUTE = 12, 23, 59
_TIME = re.compile(
    r"(?P<hour>\d{1,2})(?:(?:[:.h]|(?<=\d\d))(?P<minute>\d{2})(?::00)?|h)?"
    r"\s*(?:(?P<half>[ap])\.?m\.?)?",
    re.ASCII,
)
# A text that is meant as a time, even a wrong one; before it "at" is allowed.
_LIKE_TIME = re.compile(r"\d{1,4}(?:[:.h]\d{0,4}){0,2}(?:\s*[ap]\.?m\.?)?", re.ASCII)
_BEFORE_TIME = re.compile(r"\s*(?:at\s+)?", re.IGNORECASE)
_LIKELY_TIMES = tuple(time(hour) for hour in (9, 8, 10, 12, 17, 7, 14, 18))
_ALL_TIMES = (
    *_LIKELY_TIMES,
    *(time(hour, minute) for minute in (0, 30, 15, 45) for hour in range(24)),
)


def read_time(text: str) -> time | None:
    """Parse a time of day; `None` for another text. Pure."""
    typed = _bare(_BEFORE_TIME, text)
    if typed in _NAMED_TIMES:
        return _NAMED_TIMES[typed]
    found = _TIME.fullmatch(typed)
    if not found:
        return None
    hour, minute, half = int(found["hour"]), int(found["minute"] or 0), found["half"]
    if half and not 1 <= hour <= _NOON:
        return None
    hour = hour % _NOON + _NOON * (half == "p") if half else hour
    return time(hour, minute) if hour <= _LAST_HOUR and minute <= _LAST_MINUTE else None


def in_digits(at: time) -> str:
    """Return a time of day as `09:00`."""
    return f"{at:%H:%M}"


def _looks_like_time(text: str) -> bool:
    typed = _bare(_BEFORE_TIME, text)
    return typed in _NAMED_TIMES or _LIKE_TIME.fullmatch(typed) is not None


async def _read_time_of_day(text: str, _context: Context) -> time:
    at = read_time(text)
    if at is None:
        raise unreadable(text, "a time of day", _EXPECTED_TIME, _nearest_times(text))
    return at


def _nearest_times(text: str) -> tuple[Option, ...]:
    """Return the time that a wrong one may mean, else likely ones."""
    found = _TIME.fullmatch(_bare(_BEFORE_TIME, text))
    if not found:
        return tuple(Option(in_digits(at)) for at in _LIKELY_TIMES[:3])
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if hour > _LAST_HOUR:  # 24:00 is midnight
        hour = 0 if hour == _LAST_HOUR + 1 else _LAST_HOUR
    return (Option(in_digits(time(hour, min(minute, _LAST_MINUTE)))),)


async def _complete_time(beginning: str, _context: Context) -> list[Option]:
    """Complete a time: the typed one, then those that begin so, whole hours before quarters."""
    typed = _bare(_BEFORE_TIME, beginning)
    exact = read_time(typed) or read_time(f"{typed}m")  # "9 p" is begun
    begun = (
        at
        for at in (_ALL_TIMES if typed else _LIKELY_TIMES)
        if in_digits(at).startswith(typed) or f"{at.hour}:{at:%M}".startswith(typed)
    )
    found = dict.fromkeys([exact, *begun] if exact else begun)
    return [Option(in_digits(at)) for at in found][:_COMPLETED_TIMES]


TIME_OF_DAY = ParamType(
    "TIME", _read_time_of_day, _complete_time, _EXPECTED_TIME, looks=_looks_like_time
)


_EXPECTED_ZONE = (
    "A zone has an IANA name, such as Europe/Berlin; its city alone will mostly do,"
    " and so will ET or UTC+2."
)
_OFFERED_ZONES, _COMPLETED_ZONES = 3, 25
_ALIKE_ZONE = 0.7
_LONGEST_ZONE = 40  # no zone's name is longer


def find_zone(text: str, names: Sequence[str]) -> str:
    """Return the zone that a text names, in full, by its end, shortly or by its offset.

    Raises:
        SeveralMeant: for a name of several, or of one that knows no summer time.
        ArgumentError: for any other text.
    """
    typed = text.strip()[:_LONGEST_ZONE]
    match zones_meant(typed, names):
        case [zone]:
            return zone
        case [_, *_] as found:
            several = f"Several zones fit {quoted(typed)}."
            raise SeveralMeant(several, "Which one?", tuple(map(Option, found)))
        case _ if is_offset(typed):
            raise ArgumentError(
                f"No zone is at {quoted(typed)} all year.",
                "Give its city, such as Europe/Berlin.",
                (Option("UTC"),),
            )
    by_end = zones_by_end(names)
    near = get_close_matches(fold(typed), by_end, n=_OFFERED_ZONES, cutoff=_ALIKE_ZONE)
    nearest = dict.fromkeys(chain.from_iterable(by_end[end] for end in near))
    options = tuple(map(Option, nearest))[:_OFFERED_ZONES]
    raise unreadable(typed, "a zone", _EXPECTED_ZONE, options)


async def _zone_names() -> tuple[str, ...]:
    # The first call reads all files of zones.
    return await asyncio.to_thread(known_zones)


async def _read_zone(text: str, _context: Context) -> str:
    return find_zone(text, await _zone_names())


async def _complete_zone(beginning: str, context: Context) -> list[Option]:
    """Complete zones by the beginning of any word, each with its time.

    The user's own come first, and those whose city begins so before those whose continent does.
    """
    typed = fold(beginning)
    found = [
        name for name in zones_of_places(await _zone_names()) if f" {typed}" in f" {fold(name)}"
    ]
    found.sort(key=lambda name: not fold(name.rpartition("/")[2]).startswith(typed))
    own = [name for name in (context.actor.zone, context.zone) if name in found]
    exact = (zone_of_offset(beginning),) if is_offset(beginning) else ()
    short = filter(None, (*exact, *zones_of_short_name(beginning)))
    offered = list(dict.fromkeys([*short, *own, *found]))[:_COMPLETED_ZONES]
    now = context.clock.now()
    return [
        Option(zone_name(name), f"{now.astimezone(ZoneInfo(name)):%H:%M} now") for name in offered
    ]


ZONE = ParamType("ZONE", _read_zone, _complete_zone, _EXPECTED_ZONE)


# Less than a week: the next due time posts the newest edition anyway.
LONGEST_PATIENCE = timedelta(days=6)
_EXPECTED_PATIENCE = "Patience is a time such as 3d, 12h or 90m, 6d at most; 0 waits for nothing."
_NO_PATIENCE = ("0", "none")
_LENGTHS = {name: length for name, (_, length) in UNITS.items()} | {"w": timedelta(weeks=1)}
_DURATION = re.compile(
    r"(?P<number>\d{1,5})\s*"
    r"(?P<unit>m(?:ins?|inutes?)?|h(?:rs?|ours?)?|d(?:ays?)?|w(?:ks?|eeks?)?)",
    re.ASCII,
)
_LIKELY_PATIENCE = ("3d", "1d", "2d", "4d", "5d", "6d", "6h", "12h", "0")


def read_duration(text: str) -> timedelta | None:
    """Parse a number and a unit, from minutes to weeks; `None` for another text. Pure."""
    found = _DURATION.fullmatch(text.strip().lower())
    return int(found["number"]) * _LENGTHS[found["unit"][0]] if found else None


def in_short(length: timedelta) -> str:
    """Return a duration in minutes or more as it is typed: `3d`, `12h`, `90m`, `0`."""
    number, unit = in_units(length)
    return f"{number}{unit}" if number else _NO_PATIENCE[0]


async def _read_patience(text: str, _context: Context) -> timedelta:
    typed = text.strip().lower()
    patience = timedelta() if typed in _NO_PATIENCE else read_duration(typed)
    if patience is None:
        near = f"{typed}d" if re.fullmatch("[1-6]", typed) else "3d"
        raise unreadable(text, "a time to wait", _EXPECTED_PATIENCE, (Option(near),))
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
_SPOKEN_ENDS = ("tomorrow", "next week", *WEEKDAYS, "1w", "2w", "4w")
_DAY = timedelta(days=1)
_LONGEST_PAUSE = 36_500 * _DAY
_BEFORE_END = re.compile(r"\s*(?:(?:in|for|on|until)\s+)*", re.IGNORECASE)
_OF_DAYS = re.compile(r"\d+ ?[dw]", re.ASCII)


def parse_day(text: str, today: date) -> date | None:
    """Parse a day, given the user's date; `None` for another text. Pure.

    A weekday, or a day without a year, is the next one after today.
    """
    typed = _bare(_BEFORE_END, text)
    return parse_coming(typed, today) or _day_by_length(typed, today)


def _day_by_length(text: str, today: date) -> date | None:
    passed = read_duration(text) if _OF_DAYS.match(text) else None
    try:
        return None if passed is None else today + passed
    except OverflowError:
        return None


def begins(until: date | datetime, zone: str) -> datetime:
    """Return the instant of a value: a day begins at midnight of a zone."""
    return until if isinstance(until, datetime) else first_instant(until, time(), zone)


async def _read_end(text: str, context: Context) -> date | datetime:
    today = context.today
    day, passed = parse_day(text, today), read_duration(_bare(_BEFORE_END, text))
    days = ((each, parse_day(each, today)) for each in ("monday", "2w"))
    near = tuple(Option(day.isoformat(), f"{each}: {in_words(day)}") for each, day in days if day)
    if day is None and passed is None:
        raise unreadable(text, "a day to come", _EXPECTED_END, near)
    if (day and day <= today) or not (day or passed):
        raise ArgumentError(f"{quoted(text)} is not to come.", _EXPECTED_END, near)
    if day is None:
        return context.clock.now().astimezone(UTC) + (passed or _DAY)
    if day - today > _LONGEST_PAUSE:
        raise ArgumentError(f"{in_words(day)} is too far ahead.", _EXPECTED_END, near)
    return day


async def _complete_end(beginning: str, context: Context) -> list[Option]:
    """Complete days in words, and a typed day."""
    typed = " ".join(beginning.lower().split())
    offers = [words for words in _SPOKEN_ENDS if words.startswith(typed)] or [typed]
    days = ((words, parse_day(words, context.today)) for words in offers)
    return [
        Option(words, in_words(day))
        for words, day in days
        if day and context.today < day <= context.today + _LONGEST_PAUSE
    ]


UNTIL = ParamType("UNTIL", _read_end, _complete_end, _EXPECTED_END)
