"""Channels and roles, by a mention, their name or their id; the value is the id."""

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches

from bot.actor import Named
from bot.commands.types import Context, Kind, ParamType
from bot.errors import ArgumentError, Option
from bot.replies.plain_text import quoted
from bot.replies.wording import count

_EXPECTED_CHANNEL = "A channel is named with its sign, such as #papers."
_EXPECTED_ROLE = "A role is mentioned (@Editors), or named by its name or its id."
_OFFERED, _COMPLETED = 3, 25
_ALIKE = 0.5
# https://docs.discord.com/developers/resources/channel#channel-object
# https://docs.discord.com/developers/resources/guild#create-guild-role
_LONGEST = 100
# https://docs.slack.dev/messaging/formatting-message-text#linking-channels
# https://docs.discord.com/developers/reference#message-formatting-formats
_CHANNEL_MENTION = re.compile(r"<#(?P<id>[A-Z0-9]+)(?:\|[^<>]*)?>", re.ASCII)
_ROLE_MENTION = re.compile(r"<@&(\d+)>")
# Slack's ids have a letter, then digits among others; Discord's are numbers.
_CHANNEL_ID = re.compile(r"[CG](?=[A-Z]*\d)[A-Z0-9]{7,}|\d+", re.ASCII)


def channel_id(text: str) -> str | None:
    """Return the id in the mention of a channel, or a text that is an id. Pure."""
    typed = text.strip()
    mention = _CHANNEL_MENTION.fullmatch(typed)
    if mention:
        return mention["id"]
    return typed if _CHANNEL_ID.fullmatch(typed) else None


def find_role(text: str, roles: Sequence[Named]) -> str:
    """Return the id of the role that a text mentions or names, or raise `ArgumentError`."""
    typed = _ROLE_MENTION.sub(r"\1", text.strip())
    unknown = f"There is no role {quoted(typed)} here."
    return _find(typed, roles, "roles", (unknown, _EXPECTED_ROLE), lambda role: role.name)


def role_name(role_id: str, roles: Sequence[Named]) -> str:
    """Return the name of a stored role id."""
    names = (role.name for role in roles if role.id == role_id)
    return next(names, f"{role_id} (no such role is here now)")


def _find(
    text: str,
    candidates: Sequence[Named],
    nouns: str,
    unknown: tuple[str, str],
    label: Callable[[Named], str],
) -> str:
    if any(each.id == text for each in candidates):
        return text
    typed = _folded(text)
    found = [each for each in candidates if _folded(each.name) == typed]
    if len(found) == 1:
        return found[0].id
    if found:
        several = tuple(Option(each.id, f"{label(each)} · {each.id}") for each in found)
        raise ArgumentError(f"Several {nouns} are called {quoted(text)}.", "Which one?", several)
    names = dict.fromkeys(_folded(each.name) for each in candidates)
    near = get_close_matches(typed[:_LONGEST], names, n=_OFFERED, cutoff=_ALIKE)
    nearest = [each for each in candidates if _folded(each.name) in near]
    nearest.sort(key=lambda each: near.index(_folded(each.name)))
    raise ArgumentError(
        *unknown, tuple(Option(each.id, label(each)) for each in nearest[:_OFFERED])
    )


def _complete(beginning: str, candidates: Iterable[Named]) -> list[Named]:
    """Return what has the typed text in its name, names that begin so first."""
    typed = _folded(beginning)
    found = [each for each in candidates if typed in _folded(each.name)]
    return sorted(found, key=lambda each: not _folded(each.name).startswith(typed))


def _folded(name: str) -> str:
    """Return a name for comparison: on one line, in one case, without its sign."""
    return " ".join(name.split()).removeprefix("#").removeprefix("@").casefold()


def _with_sign(channel: Named) -> str:
    return f"#{channel.name}"


async def _read_channel(text: str, context: Context) -> str:
    named = channel_id(text)
    if named:
        return named
    channels = context.actor.channels
    if channels is None:
        raise ArgumentError("There are no channels here.", "Ask in a chat platform.")
    known = await channels.known()
    # Some of Slack's clients send the id of a mentioned channel in the place of its name.
    unsigned = text.strip().removeprefix("#")
    is_name = any(_folded(channel.name) == _folded(unsigned) for channel in known.named)
    if channel_id(unsigned) is not None and not is_name:
        return unsigned
    unknown = f"There is no channel {quoted(text)} that you are in."
    if known.cut:
        listed = count(len(known.named), "channel")
        unknown = (
            f"There is no channel {quoted(text)} among the {listed} of yours that were listed."
        )
    return _find(text.strip(), known.named, "channels", (unknown, _EXPECTED_CHANNEL), _with_sign)


async def _complete_channel(beginning: str, context: Context) -> list[Option]:
    if context.actor.channels is None:
        return []
    found = _complete(beginning, (await context.actor.channels.known()).named)
    return [Option(channel.id, _with_sign(channel)) for channel in found[:_COMPLETED]]


async def _read_role(text: str, context: Context) -> str:
    return find_role(text, context.actor.roles())


async def _complete_role(beginning: str, context: Context) -> list[Option]:
    roles = context.actor.roles()
    return [_role_option(role, roles) for role in _complete(beginning, roles)]


def _role_option(role: Named, roles: Sequence[Named]) -> Option:
    """Offer a role by its name, or by its id if the name means another role too."""
    name = _folded(role.name)
    meanings = sum(name in (_folded(other.name), other.id) for other in roles)
    return Option(role.name) if meanings == 1 else Option(role.id, role.name)


CHANNEL = ParamType(
    "CHANNEL", _read_channel, _complete_channel, _EXPECTED_CHANNEL, kind=Kind.CHANNEL
)
ROLE = ParamType("ROLE", _read_role, _complete_role, _EXPECTED_ROLE)
