"""Days of the week, by their number from Monday, 0."""

import re
from dataclasses import replace
from difflib import get_close_matches

from bot.commands.params.choices import choice
from bot.commands.types import Context
from bot.domain.schedule import WEEKDAYS
from bot.errors import Option

EXPECTED = "A day is one of the week, such as monday or mon."
_ALIKE = 0.75  # two letters in eight may be wrong
_LONGEST = 20  # what is longer is no misspelt day
_MORE = {
    "monday": ("mon",),
    "tuesday": ("tue", "tues"),
    "wednesday": ("wed", "weds"),
    "thursday": ("thu", "thur", "thurs"),
    "friday": ("fri",),
    "saturday": ("sat",),
    "sunday": ("sun",),
}
_BY_NAME = {
    name: day
    for day, short in _MORE.items()
    for name in (day, f"{day}s", *short, *(f"{each}." for each in short))
}
_NAME = choice(
    "DAY", "a day of the week", EXPECTED, tuple(Option(day) for day in WEEKDAYS), _BY_NAME
)
# As in "every monday": says nothing more.
_BEFORE = re.compile(r"\s*(?:(?:every|each|on)\s+)?", re.IGNORECASE)


def _looks(text: str) -> bool:
    """Tell whether one word may be a day, even a misspelt one."""
    typed = _bare(text)
    if typed in _BY_NAME or " " in typed:
        return typed in _BY_NAME
    return bool(get_close_matches(typed[:_LONGEST], WEEKDAYS, n=1, cutoff=_ALIKE))


def _bare(text: str) -> str:
    return " ".join(_BEFORE.sub("", text, count=1).lower().split())


async def _read(text: str, context: Context) -> int:
    return WEEKDAYS.index(await _NAME.read(_bare(text), context))


WEEKDAY = replace(_NAME, read=_read, looks=_looks)
