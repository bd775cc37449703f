"""Times of day, to the minute, as a wall clock shows them."""

import re
from collections.abc import Iterator
from datetime import time

from bot.commands.types import Context, ParamType
from bot.errors import ArgumentError, Option
from bot.replies.plain_text import quoted

EXPECTED = "A time of day is given as 09:00, 9am, 17h, noon or midnight."
_COMPLETED = 12
_NAMED = {"noon": time(12), "midnight": time()}
_NOON, _LAST_HOUR, _LAST_MINUTE = 12, 23, 59
_TIME = re.compile(
    r"(?P<hour>\d{1,2})(?:(?:[:.h]|(?<=\d\d))(?P<minute>\d{2})(?::00)?|h)?"
    r"\s*(?:(?P<half>[ap])\.?m\.?)?",
    re.ASCII,
)
# What was meant as a time, rightly or not. As in "at 9": the word before it says nothing more.
_LIKE_TIME = re.compile(r"\d{1,4}(?:[:.h]\d{0,4}){0,2}(?:\s*[ap]\.?m\.?)?", re.ASCII)
_BEFORE = re.compile(r"\s*(?:at\s+)?", re.IGNORECASE)
# When people read: the likeliest first.
_LIKELY = tuple(time(hour) for hour in (9, 8, 10, 12, 17, 7, 14, 18))


def read_time(text: str) -> time | None:
    """Read a time of day; `None` if the text is none. Pure."""
    typed = _bare(text)
    if typed in _NAMED:
        return _NAMED[typed]
    found = _TIME.fullmatch(typed)
    if not found:
        return None
    hour, minute, half = int(found["hour"]), int(found["minute"] or 0), found["half"]
    if half and not 1 <= hour <= _NOON:
        return None
    hour = hour % _NOON + _NOON * (half == "p") if half else hour
    return time(hour, minute) if hour <= _LAST_HOUR and minute <= _LAST_MINUTE else None


def in_digits(at: time) -> str:
    """Return a time of day as it is written everywhere: `09:00`."""
    return f"{at:%H:%M}"


def _bare(text: str) -> str:
    return " ".join(_BEFORE.sub("", text, count=1).lower().split())


def _looks(text: str) -> bool:
    typed = _bare(text)
    return typed in _NAMED or _LIKE_TIME.fullmatch(typed) is not None


async def _read(text: str, _context: Context) -> time:
    at = read_time(text)
    if at is None:
        raise ArgumentError(f"I can't read {quoted(text)} as a time of day.", EXPECTED, _near(text))
    return at


def _near(text: str) -> tuple[Option, ...]:
    """Return the time that a wrong one may have been meant as, else likely ones."""
    found = _TIME.fullmatch(_bare(text))
    if not found:
        return tuple(Option(in_digits(at)) for at in _LIKELY[:3])
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if hour > _LAST_HOUR:  # 24:00 is midnight
        hour = 0 if hour == _LAST_HOUR + 1 else _LAST_HOUR
    return (Option(in_digits(time(hour, min(minute, _LAST_MINUTE)))),)


async def _complete(beginning: str, _context: Context) -> list[Option]:
    """Offer what was typed as a time, then those that begin so, whole hours before quarters."""
    typed = _bare(beginning)
    exact = read_time(typed) or read_time(f"{typed}m")  # "9 p" is begun
    offers = _LIKELY if not typed else tuple(_all())
    begun = [at for at in offers if _begins(typed, at)]
    found = dict.fromkeys(([exact] if exact else []) + begun)
    return [Option(in_digits(at)) for at in found][:_COMPLETED]


def _begins(typed: str, at: time) -> bool:
    return in_digits(at).startswith(typed) or f"{at.hour}:{at:%M}".startswith(typed)


def _all() -> Iterator[time]:
    yield from _LIKELY
    yield from (time(hour, minute) for minute in (0, 30, 15, 45) for hour in range(24))


TIME_OF_DAY = ParamType("TIME", _read, _complete, EXPECTED, looks=_looks)
