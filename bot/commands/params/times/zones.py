"""Time zones, by their IANA name or the part of it that is a city's."""

import asyncio
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from bot.commands.types import Context, ParamType
from bot.errors import ArgumentError, Option
from bot.replies.plain_text import quoted
from store.text import fold

EXPECTED = "A zone has an IANA name, such as Europe/Berlin; its city alone will mostly do."
_OFFERED, _COMPLETED = 3, 25
_ALIKE = 0.7
_LONGEST = 40  # no zone's name is longer
# Files beside the zones that hold no zone of anybody's.
_NO_ZONES = frozenset({"Factory", "localtime"})
# Zones at fixed distances, whose signs are the other way round than people write them: Etc/GMT-2
# is two hours ahead. They are only read where they are named in full.
# https://data.iana.org/time-zones/tzdb/etcetera
_FIXED = "Etc/"


def find_zone(text: str, names: Sequence[str]) -> str:
    """Return the zone that a text names: in full in any case, or by the end of its name.

    Raises:
        ArgumentError: if there is none, with the nearest; or if there are several, with each.
    """
    typed = text.strip()[:_LONGEST]
    for name in names:
        if name.lower() == typed.lower():
            return name
    by_end = _by_end(names)
    found = by_end.get(fold(typed), [])
    if len(found) == 1:
        return found[0]
    if found:
        raise ArgumentError(f"Several zones fit {quoted(typed)}.", "Which one?", _options(found))
    near = get_close_matches(fold(typed), by_end, n=_OFFERED, cutoff=_ALIKE)
    nearest = dict.fromkeys(name for end in near for name in by_end[end])
    raise ArgumentError(
        f"I can't read {quoted(typed)} as a zone.", EXPECTED, _options(list(nearest)[:_OFFERED])
    )


def zones_beginning(text: str, names: Sequence[str]) -> list[str]:
    """Return the zones of which some word begins so, a city's before a continent's."""
    typed = f" {fold(text)}"
    found = [name for name in _of_places(names) if typed in f" {fold(name)}"]
    return sorted(found, key=lambda name: not fold(name.rpartition("/")[2]).startswith(typed[1:]))


def _by_end(names: Iterable[str]) -> dict[str, list[str]]:
    """Return zones by the folded ends of their names, each from a slash on, and the whole."""
    by_end: dict[str, list[str]] = {}
    for name in _of_places(names):
        parts = name.split("/")
        for start in range(len(parts)):
            by_end.setdefault(fold("/".join(parts[start:])), []).append(name)
    return by_end


def _of_places(names: Iterable[str]) -> Iterable[str]:
    return (name for name in names if not name.startswith(_FIXED))


def _options(names: Iterable[str]) -> tuple[Option, ...]:
    return tuple(Option(name) for name in names)


@cache
def _known() -> tuple[str, ...]:
    return tuple(sorted(available_timezones() - _NO_ZONES))


async def _names() -> tuple[str, ...]:
    # The first time it looks into each file of the zones, which takes a while.
    return await asyncio.to_thread(_known)


async def _read(text: str, _context: Context) -> str:
    return find_zone(text, await _names())


async def _complete(beginning: str, context: Context) -> list[Option]:
    """Offer zones by the beginning of any word, the asker's own first, each with its time."""
    found = zones_beginning(beginning, await _names())
    own = [name for name in (context.actor.zone, context.zone) if name in found]
    offered = list(dict.fromkeys([*own, *found]))[:_COMPLETED]
    now = context.clock.now()
    return [Option(name, f"{now.astimezone(ZoneInfo(name)):%H:%M} now") for name in offered]


ZONE = ParamType("ZONE", _read, _complete, EXPECTED)
