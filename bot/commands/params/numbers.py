"""Whole numbers: sizes, minutes, and the ids of subscriptions and briefs."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from bot.accounts.subscriptions import in_words
from bot.commands.types import Context, Kind, ParamType, complete_nothing
from bot.errors import ArgumentError, Option
from bot.library.brief import LONGEST
from bot.replies.plain_text import quoted
from store.posting import subscriptions
from store.records import Channel

_WHOLE = re.compile(r"[+-]?\d{1,9}", re.ASCII)
# As many digits as any database's whole numbers have.
_SUBSCRIPTION = re.compile(r"#?\s*(\d{1,9})", re.ASCII)
_OFFERED_IDS = 3
_MOST_OFFERED = 100  # no platform's menu shows more
_BEGUN = re.compile(r"[1-9]\d{0,9}", re.ASCII)


def count(name: str, least: int, most: int) -> ParamType:
    """Return the type of whole numbers from `least` to `most`."""
    bounds = f"whole number from {least} to {most}."
    expected, give = f"A {bounds}", f"Give a {bounds}"

    async def read(text: str, _context: Context) -> int:
        found = _WHOLE.search(text)
        near = () if found is None else (Option(str(min(max(int(found[0]), least), most))),)
        if found is None or found[0] != text.strip():
            raise ArgumentError(f"I can't read {quoted(text)} as a whole number.", give, near)
        if not least <= int(found[0]) <= most:
            how = "small" if int(found[0]) < least else "large"
            raise ArgumentError(f"{found[0]} is too {how}.", give, near)
        return int(found[0])

    async def complete(beginning: str, _context: Context) -> list[Option]:
        numbers = _beginning(beginning.strip(), least, most)
        return [Option(str(each)) for each in islice(numbers, _MOST_OFFERED)]

    return ParamType(name, read, complete, expected, kind=Kind.NUMBER, least=least, most=most)


def _beginning(typed: str, least: int, most: int) -> Iterator[int]:
    """Yield the numbers within bounds that begin with the typed digits."""
    if not typed:
        yield from range(least, most + 1)
    elif _BEGUN.fullmatch(typed):
        first, end = int(typed), int(typed) + 1
        while first <= most:
            yield from range(max(first, least), min(end, most + 1))
            first, end = 10 * first, 10 * end


async def _read_subscription(text: str, context: Context) -> int:
    found = _SUBSCRIPTION.fullmatch(text.strip())
    if not found:
        sentence = f"I can't read {quoted(text)} as the number of a subscription."
        raise ArgumentError(
            sentence, _EXPECTED_SUBSCRIPTION, await _nearest_subscriptions(text, context)
        )
    return int(found[1])


async def _nearest_subscriptions(text: str, context: Context) -> tuple[Option, ...]:
    """Return the subscription whose number is in a text, else the first ones of the channel."""
    offers = [Option(each.value) for each in await _subscriptions_here(context)]
    meant = [each for each in offers if each.value in re.findall(r"\d+", text)]
    return tuple(meant if len(meant) == 1 else offers[:_OFFERED_IDS])


async def _subscriptions_here(context: Context) -> list[Option]:
    """Return the ids of the channel's subscriptions, or of its parent's, and when each posts."""
    for place in filter(None, (context.actor.channel, context.actor.parent)):
        channel = Channel(context.workspace, place)
        if found := await context.database.read(subscriptions.of_channel, channel):
            return [Option(str(each.id), in_words(each)) for each in found]
    return []


async def _complete_subscription(beginning: str, context: Context) -> list[Option]:
    """Complete the number of a subscription of the channel."""
    typed = beginning.strip().removeprefix("#").strip()
    offers = await _subscriptions_here(context)
    return [option for option in offers if option.value.startswith(typed)]


_EXPECTED_SUBSCRIPTION = (
    "A subscription is named by its number, such as 7; subscriptions lists them."
)

SIZE = count("SIZE", 1, 25)
SUBSCRIPTION_ID = ParamType(
    "ID", _read_subscription, _complete_subscription, _EXPECTED_SUBSCRIPTION
)


_UNIT = re.compile(r"(?<=\d)\s*(?:m|min|mins|minutes?)\.?\s*$", re.IGNORECASE)
# As many digits as any database's whole numbers have.
_BRIEF = re.compile(r"\d{1,9}", re.ASCII)
_OFFERED_MINUTES = ("5", "10", "15", "30", str(LONGEST))

_NUMBERS = count("MINUTES", 1, LONGEST)


async def _read_minutes(text: str, context: Context) -> int:
    """Read a number of minutes, with its unit or without: `10 min`."""
    number: int = await _NUMBERS.read(_UNIT.sub("", text), context)
    return number


async def _complete_minutes(beginning: str, context: Context) -> list[Option]:
    """Complete a number of minutes; before one is begun, likely ones."""
    if beginning.strip():
        return await _NUMBERS.complete(beginning, context)
    return [Option(each) for each in _OFFERED_MINUTES]


async def _read_brief(text: str, _context: Context) -> int:
    if not _BRIEF.fullmatch(text):
        raise ArgumentError(f"A brief is named by a number, not {quoted(text)}.")
    return int(text)


MINUTES = replace(_NUMBERS, read=_read_minutes, complete=_complete_minutes)
BRIEF_ID = ParamType("NUMBER", _read_brief, complete_nothing, "The number of a brief.")
