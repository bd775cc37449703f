"""Channels, by a mention, their name or their id; the value is the id."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from bot.actor import Named
from bot.commands.types import Context, Kind, ParamType
from bot.errors import ArgumentError, Option
from bot.replies.plain_text import quoted

EXPECTED = "A channel is named with its sign, such as #papers."
_OFFERED, _COMPLETED = 3, 25
_ALIKE = 0.5
_LONGEST = 100  # https://docs.discord.com/developers/resources/channel#channel-object
# https://docs.slack.dev/messaging/formatting-message-text#linking-channels
# https://docs.discord.com/developers/reference#message-formatting-formats
_MENTION = re.compile(r"<#(?P<id>[A-Z0-9]+)(?:\|[^<>]*)?>", re.ASCII)
# Slack's ids have a letter, then digits among others; Discord's are numbers.
_ID = re.compile(r"[CG](?=[A-Z]*\d)[A-Z0-9]{7,}|\d+", re.ASCII)


def find_channel(text: str, channels: Sequence[Named]) -> str:
    """Return the id of the channel that a text names, by its id or its name in any case.

    Raises:
        ArgumentError: if there is none, with the nearest; or if there are several, with each.
    """
    if any(channel.id == text.strip() for channel in channels):
        return text.strip()
    typed = _folded(text)
    found = [channel for channel in channels if _folded(channel.name) == typed]
    if len(found) == 1:
        return found[0].id
    if found:
        each = tuple(Option(channel.id, f"#{channel.name} · {channel.id}") for channel in found)
        raise ArgumentError(f"Several channels are called {quoted(text)}.", "Which one?", each)
    names = dict.fromkeys(_folded(channel.name) for channel in channels)
    near = get_close_matches(typed[:_LONGEST], names, n=_OFFERED, cutoff=_ALIKE)
    nearest = [_option(channel) for channel in channels if _folded(channel.name) in near]
    nearest.sort(key=lambda option: near.index(_folded(option.label)))
    raise ArgumentError(
        f"There is no channel {quoted(text)} that you are in.", EXPECTED, tuple(nearest[:_OFFERED])
    )


def channel_id(text: str) -> str | None:
    """Return the id in a mention, or a text that is an id. Pure."""
    typed = text.strip()
    mention = _MENTION.fullmatch(typed)
    if mention:
        return mention["id"]
    return typed if _ID.fullmatch(typed) else None


def _folded(name: str) -> str:
    """Return a name for comparison: on one line, in one case, without its sign."""
    return " ".join(name.split()).removeprefix("#").casefold()


def _option(channel: Named) -> Option:
    return Option(channel.id, f"#{channel.name}")


async def _read(text: str, context: Context) -> str:
    named = channel_id(text)
    if named:
        return named
    channels = context.actor.channels
    if channels is None:
        raise ArgumentError("There are no channels here.", "Ask in a chat platform.")
    known = await channels.known()
    # Some of Slack's clients send the id of a mentioned channel in the place of its name.
    unsigned = text.strip().removeprefix("#")
    return unsigned if _is_id(unsigned, known) else find_channel(text, known)


def _is_id(text: str, channels: Sequence[Named]) -> bool:
    """Tell whether a text is an id, and not a name that looks like one."""
    is_name = any(_folded(channel.name) == _folded(text) for channel in channels)
    return channel_id(text) is not None and not is_name


async def _complete(beginning: str, context: Context) -> list[Option]:
    """Complete a channel by any part of its name, those that begin so first."""
    if context.actor.channels is None:
        return []
    typed = _folded(beginning)
    known = await context.actor.channels.known()
    found = [channel for channel in known if typed in _folded(channel.name)]
    found.sort(key=lambda channel: not _folded(channel.name).startswith(typed))
    return [_option(channel) for channel in found[:_COMPLETED]]


CHANNEL = ParamType("CHANNEL", _read, _complete, EXPECTED, kind=Kind.CHANNEL)
