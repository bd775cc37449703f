"""The time of a weekly post: its weekday, time of day and zone."""

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import time
from difflib import get_close_matches
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from bot.commands.params.choices import choice
from bot.commands.types import Context, ParamType
from bot.domain.schedule import WEEKDAYS
from bot.errors import ArgumentError, Option
from bot.replies.plain_text import quoted
from store.text import fold

_EXPECTED_DAY = "A day is one of the week, such as monday or mon."
_ALIKE_DAY = 0.75  # two letters in eight may be wrong
_LONGEST_DAY = 20  # what is longer is no misspelt day
_MORE_DAY_NAMES = {
    "monday": ("mon",),
    "tuesday": ("tue", "tues"),
    "wednesday": ("wed", "weds"),
    "thursday": ("thu", "thur", "thurs"),
    "friday": ("fri",),
    "saturday": ("sat",),
    "sunday": ("sun",),
}
_DAY_BY_NAME = {
    name: day
    for day, short in _MORE_DAY_NAMES.items()
    for name in (day, f"{day}s", *short, *(f"{each}." for each in short))
}
_DAY_NAME = choice(
    "DAY", "a day of the week", _EXPECTED_DAY, tuple(Option(day) for day in WEEKDAYS), _DAY_BY_NAME
)
# As in "every monday".
_BEFORE_DAY = re.compile(r"\s*(?:(?:every|each|on)\s+)?", re.IGNORECASE)


def _looks_like_day(text: str) -> bool:
    """Tell whether one word is a day, even a misspelt one."""
    typed = _bare_day(text)
    if typed in _DAY_BY_NAME or " " in typed:
        return typed in _DAY_BY_NAME
    return bool(get_close_matches(typed[:_LONGEST_DAY], WEEKDAYS, n=1, cutoff=_ALIKE_DAY))


def _bare_day(text: str) -> str:
    return " ".join(_BEFORE_DAY.sub("", text, count=1).lower().split())


async def _read_day(text: str, context: Context) -> int:
    return WEEKDAYS.index(await _DAY_NAME.read(_bare_day(text), context))


WEEKDAY = replace(_DAY_NAME, read=_read_day, looks=_looks_like_day, write=None)


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


def read_time(text: str) -> time | None:
    """Parse a time of day; `None` for another text. Pure."""
    typed = _bare_time(text)
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


def _bare_time(text: str) -> str:
    return " ".join(_BEFORE_TIME.sub("", text, count=1).lower().split())


def _looks_like_time(text: str) -> bool:
    typed = _bare_time(text)
    return typed in _NAMED_TIMES or _LIKE_TIME.fullmatch(typed) is not None


async def _read_time_of_day(text: str, _context: Context) -> time:
    at = read_time(text)
    if at is None:
        raise ArgumentError(
            f"I can't read {quoted(text)} as a time of day.", _EXPECTED_TIME, _nearest_times(text)
        )
    return at


def _nearest_times(text: str) -> tuple[Option, ...]:
    """Return the time that a wrong one may mean, else likely ones."""
    found = _TIME.fullmatch(_bare_time(text))
    if not found:
        return tuple(Option(in_digits(at)) for at in _LIKELY_TIMES[:3])
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if hour > _LAST_HOUR:  # 24:00 is midnight
        hour = 0 if hour == _LAST_HOUR + 1 else _LAST_HOUR
    return (Option(in_digits(time(hour, min(minute, _LAST_MINUTE)))),)


async def _complete_time(beginning: str, _context: Context) -> list[Option]:
    """Complete a time: the typed one, then those that begin so, whole hours before quarters."""
    typed = _bare_time(beginning)
    exact = read_time(typed) or read_time(f"{typed}m")  # "9 p" is begun
    offers = _LIKELY_TIMES if not typed else tuple(_all_times())
    begun = [at for at in offers if _begins_so(typed, at)]
    found = dict.fromkeys(([exact] if exact else []) + begun)
    return [Option(in_digits(at)) for at in found][:_COMPLETED_TIMES]


def _begins_so(typed: str, at: time) -> bool:
    return in_digits(at).startswith(typed) or f"{at.hour}:{at:%M}".startswith(typed)


def _all_times() -> Iterator[time]:
    yield from _LIKELY_TIMES
    yield from (time(hour, minute) for minute in (0, 30, 15, 45) for hour in range(24))


TIME_OF_DAY = ParamType(
    "TIME", _read_time_of_day, _complete_time, _EXPECTED_TIME, looks=_looks_like_time
)


EXPECTED_ZONE = "A zone has an IANA name, such as Europe/Berlin; its city alone will mostly do."
_OFFERED_ZONES, _COMPLETED_ZONES = 3, 25
_ALIKE_ZONE = 0.7
_LONGEST_ZONE = 40  # no zone's name is longer
# Files beside the zones that are no zones.
_NO_ZONES = frozenset({"Factory", "localtime"})
# Zones with a fixed offset, whose signs are reversed: Etc/GMT-2 is two hours ahead. They are read
# only by their full name.
# https://data.iana.org/time-zones/tzdb/etcetera
_FIXED = "Etc/"


def find_zone(text: str, names: Sequence[str]) -> str:
    """Return the zone that a text names, in any case, in full or by the end of its name.

    Raises:
        ArgumentError: if there is none, with the nearest; or if there are several, with each.
    """
    typed = text.strip()[:_LONGEST_ZONE]
    for name in names:
        if name.lower() == typed.lower():
            return name
    by_end = _by_end(names)
    found = by_end.get(fold(typed), [])
    if len(found) == 1:
        return found[0]
    if found:
        raise ArgumentError(
            f"Several zones fit {quoted(typed)}.", "Which one?", _zone_options(found)
        )
    near = get_close_matches(fold(typed), by_end, n=_OFFERED_ZONES, cutoff=_ALIKE_ZONE)
    nearest = dict.fromkeys(name for end in near for name in by_end[end])
    raise ArgumentError(
        f"I can't read {quoted(typed)} as a zone.",
        EXPECTED_ZONE,
        _zone_options(list(nearest)[:_OFFERED_ZONES]),
    )


def zones_beginning(text: str, names: Sequence[str]) -> list[str]:
    """Return the zones with a word that begins so, of a city before that of a continent."""
    typed = f" {fold(text)}"
    found = [name for name in _of_places(names) if typed in f" {fold(name)}"]
    return sorted(found, key=lambda name: not fold(name.rpartition("/")[2]).startswith(typed[1:]))


def _by_end(names: Iterable[str]) -> dict[str, list[str]]:
    """Return zones by the ends of their names, each from a slash on, and the whole."""
    by_end: dict[str, list[str]] = {}
    for name in _of_places(names):
        parts = name.split("/")
        for start in range(len(parts)):
            by_end.setdefault(fold("/".join(parts[start:])), []).append(name)
    return by_end


def _of_places(names: Iterable[str]) -> Iterable[str]:
    return (name for name in names if not name.startswith(_FIXED))


def _zone_options(names: Iterable[str]) -> tuple[Option, ...]:
    return tuple(Option(name) for name in names)


@cache
def _known_zones() -> tuple[str, ...]:
    return tuple(sorted(available_timezones() - _NO_ZONES))


async def _zone_names() -> tuple[str, ...]:
    # The first call reads all files of zones.
    return await asyncio.to_thread(_known_zones)


async def _read_zone(text: str, _context: Context) -> str:
    return find_zone(text, await _zone_names())


async def _complete_zone(beginning: str, context: Context) -> list[Option]:
    """Complete zones by the beginning of any word, the user's own first, each with its time."""
    found = zones_beginning(beginning, await _zone_names())
    own = [name for name in (context.actor.zone, context.zone) if name in found]
    offered = list(dict.fromkeys([*own, *found]))[:_COMPLETED_ZONES]
    now = context.clock.now()
    return [Option(name, f"{now.astimezone(ZoneInfo(name)):%H:%M} now") for name in offered]


ZONE = ParamType("ZONE", _read_zone, _complete_zone, EXPECTED_ZONE)
