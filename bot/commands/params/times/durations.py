"""How long something takes: a number and a unit, of which some are read as patience."""

import re
from datetime import timedelta

from bot.commands.types import Context, ParamType
from bot.errors import ArgumentError, Option
from bot.replies.plain_text import quoted
from bot.replies.wording import UNITS, duration, in_units

# Shorter than a week: then the next due time has come, and the newest edition is posted anyway.
LONGEST_PATIENCE = timedelta(days=6)
EXPECTED = "Patience is a time such as 3d, 12h or 90m, 6d at most; 0 waits for nothing."
_NONE = ("0", "none")
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
_LIKELY = ("3d", "1d", "2d", "4d", "5d", "6d", "6h", "12h", "0")


def read_duration(text: str) -> timedelta | None:
    """Read a number and a unit, from minutes to weeks; `None` if the text is no such. Pure."""
    found = _DURATION.fullmatch(text.strip().lower())
    return int(found["number"]) * _UNITS[found["unit"][0]] if found else None


def in_short(length: timedelta) -> str:
    """Return a duration, to the minute, as it is typed: `3d`, `12h`, `90m`, `0`."""
    number, unit = in_units(length)
    return f"{number}{unit}" if number else _NONE[0]


async def _read(text: str, _context: Context) -> timedelta:
    typed = text.strip().lower()
    patience = timedelta() if typed in _NONE else read_duration(typed)
    if patience is None:
        near = (Option(f"{typed}d"),) if re.fullmatch("[1-6]", typed) else (Option("3d"),)
        raise ArgumentError(f"I can't read {quoted(text)} as a time to wait.", EXPECTED, near)
    if patience > LONGEST_PATIENCE:
        raise ArgumentError(
            f"{duration(patience)} is too long: it has to end before the next post is due.",
            EXPECTED,
            (Option(in_short(LONGEST_PATIENCE)),),
        )
    return patience


async def _complete(beginning: str, _context: Context) -> list[Option]:
    """Offer likely times, and in each unit the number that is typed."""
    typed = "".join(beginning.lower().split())
    begun = [f"{typed}{unit}" for unit in UNITS] if typed.isdigit() else [typed]
    offers = dict.fromkeys([*(each for each in _LIKELY if each.startswith(typed)), *begun])
    return [
        Option(text, duration(patience) if patience else "only what is there at once")
        for text in offers
        for patience in [timedelta() if text in _NONE else read_duration(text)]
        if patience is not None and patience <= LONGEST_PATIENCE
    ]


PATIENCE = ParamType("PATIENCE", _read, _complete, EXPECTED)
