"""What the bot itself may not do in a channel, found before it is tried.

https://docs.discord.com/developers/topics/permissions
"""

from collections.abc import Sequence
from enum import Enum

import discord

from adapters.discord.permissions import named
from adapters.discord.places import Target
from bot.errors import NotAllowed

_ALLOW = "A manager allows it: Edit Channel, Permissions, Broadsheet."
_UNLOCK = "A moderator unlocks it."


class Need(Enum):
    """What is to be done in a channel."""

    POST = "post, in a forum a new thread"
    EMBED = "show embeds"
    REPLY = "post below a post of a forum"
    THREAD = "open a thread below a post, and post there"
    LOOK = "look for an earlier post"


def flags_for(need: Need, *, in_thread: bool = False) -> tuple[str, ...]:
    """Return the permissions that something takes, by the library's names for them."""
    match need:
        case Need.POST if in_thread:
            return ("view_channel", "send_messages_in_threads")
        case Need.POST:
            return ("view_channel", "send_messages")
        case Need.REPLY:
            return ("view_channel", "send_messages_in_threads")
        case Need.EMBED:
            return ("embed_links",)
        case Need.THREAD:
            return ("view_channel", "create_public_threads", "send_messages_in_threads")
        case Need.LOOK:
            return ("view_channel", "read_message_history")


def lacking(channel: Target, *needs: Need) -> NotAllowed | None:
    """Return why something can't be done in a channel, `None` where nothing is known against it.

    Nothing is known of direct messages, nor of a server that the client doesn't hold, as in a
    process without the gateway.
    """
    permissions = _permissions(channel)
    if permissions is None:
        return None
    thread = isinstance(channel, discord.Thread)
    wanted = dict.fromkeys(flag for need in needs for flag in flags_for(need, in_thread=thread))
    missing = [flag for flag in wanted if not getattr(permissions, flag)]
    if missing:
        return NotAllowed(_sentence(missing, _name(channel)), _ALLOW, "50013")
    if Need.POST in needs and isinstance(channel, discord.Thread) and _is_shut(channel):
        return NotAllowed(f"The thread {channel} is locked.", _UNLOCK, "160005")
    return None


def is_moderator(channel: Target) -> bool:
    """Tell whether the bot is known to be a moderator of a channel's threads."""
    permissions = _permissions(channel)
    return permissions is not None and permissions.manage_threads


def _permissions(channel: Target) -> discord.Permissions | None:
    if isinstance(channel, discord.DMChannel | discord.GroupChannel) or channel.guild.unavailable:
        return None
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return None
    return channel.permissions_for(channel.guild.me)


def _is_shut(thread: discord.Thread) -> bool:
    """Tell whether only moderators may post in a thread.

    https://docs.discord.com/developers/topics/threads#active-&-archived-threads
    """
    return thread.locked and not is_moderator(thread)


def _sentence(missing: Sequence[str], name: str) -> str:
    *most, last = map(named, missing)
    words = f"{', '.join(most)} and {last}" if most else last
    return f"Broadsheet may not {words} in {name}."


def _name(channel: Target) -> str:
    """Return what people call the channel whose settings have the permissions."""
    holder = channel.parent if isinstance(channel, discord.Thread) else channel
    return f"#{holder}"
