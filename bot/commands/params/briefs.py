"""The minutes that a brief is to take, and the numbers that name briefs."""

import re
from dataclasses import replace

from bot.commands.params.counts import count
from bot.commands.types import Context, ParamType
from bot.errors import ArgumentError, Option
from bot.library.brief import LONGEST
from bot.replies.plain_text import quoted

_UNIT = re.compile(r"(?<=\d)\s*(?:m|min|mins|minutes?)\.?\s*$", re.IGNORECASE)
# As many digits as any database's whole numbers have.
_ID = re.compile(r"\d{1,9}", re.ASCII)
_OFFERED = ("5", "10", "15", "30", str(LONGEST))

_NUMBERS = count("MINUTES", 1, LONGEST)


async def _read_minutes(text: str, context: Context) -> int:
    """Read a number of minutes, which may be said to be minutes: `10 min`."""
    number: int = await _NUMBERS.read(_UNIT.sub("", text), context)
    return number


async def _complete_minutes(beginning: str, context: Context) -> list[Option]:
    """Offer a few lengths that people have time for, and of what is begun any."""
    if beginning.strip():
        return await _NUMBERS.complete(beginning, context)
    return [Option(each) for each in _OFFERED]


async def _read_id(text: str, _context: Context) -> int:
    if not _ID.fullmatch(text):
        raise ArgumentError(f"A brief is named by a number, not {quoted(text)}.")
    return int(text)


async def _offer_nothing(_beginning: str, _context: Context) -> list[Option]:
    return []


MINUTES = replace(_NUMBERS, read=_read_minutes, complete=_complete_minutes)
BRIEF_ID = ParamType("NUMBER", _read_id, _offer_nothing, "The number of a brief.")
