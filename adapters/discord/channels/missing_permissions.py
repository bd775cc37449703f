"""What the bot itself may not do in a channel, found before it is tried.

https://docs.discord.com/developers/topics/permissions
"""

from collections.abc import Sequence
from datetime import datetime
from enum import Enum

import discord

from adapters.discord.api.permissions import named
from adapters.discord.channels.destinations import Holder, Inside, Target
from bot.errors import NotAllowed, RetryLater, SendError

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


def lacking(channel: Target, *needs: Need) -> SendError | None:
    """Return why something can't be done in a channel, `None` where nothing is known against it.

    Nothing is known of direct messages, nor of a server that the client doesn't hold, as in a
    process without the gateway.
    """
    if isinstance(channel, discord.DMChannel | discord.GroupChannel) or channel.guild.unavailable:
        return None
    holder = channel.parent if isinstance(channel, discord.Thread) else channel
    return None if holder is None else lacking_to(channel.guild.me, channel, holder, *needs)


def lacking_to(
    me: discord.Member, channel: Inside, holder: Holder, *needs: Need
) -> SendError | None:
    """Return why the bot can't do something in a channel of a server where it is a member.

    Args:
        me: the bot there.
        channel: the channel.
        holder: the channel that has its permissions: of a thread its parent, else the same.
        needs: what is to be done.
    """
    permissions = discord.abc.GuildChannel.permissions_for(holder, me)
    thread = isinstance(channel, discord.Thread)
    wanted = dict.fromkeys(flag for need in needs for flag in flags_for(need, in_thread=thread))
    missing = [flag for flag in wanted if not getattr(permissions, flag)]
    if missing and me.timed_out_until and me.is_timed_out():
        return _timed_out(me.timed_out_until)
    if missing:
        return NotAllowed(_sentence(missing, f"#{holder}"), _ALLOW, "50013")
    # https://docs.discord.com/developers/topics/threads#active-&-archived-threads
    is_shut = isinstance(channel, discord.Thread) and channel.locked
    if Need.POST in needs and is_shut and not permissions.manage_threads:
        return NotAllowed(f"The thread {channel} is locked.", _UNLOCK, "160005")
    return None


def is_moderator(channel: Target) -> bool:
    """Tell whether the bot is known to be a moderator of a channel's threads."""
    if isinstance(channel, discord.DMChannel | discord.GroupChannel) or channel.guild.unavailable:
        return False
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return False
    return channel.permissions_for(channel.guild.me).manage_threads


def _timed_out(until: datetime) -> RetryLater:
    """Return that a moderator silenced the bot for a while, of up to 28 days.

    https://docs.discord.com/developers/resources/guild#modify-guild-member
    """
    left = (until - discord.utils.utcnow()).total_seconds()
    return RetryLater(
        "A moderator gave Broadsheet a time-out in that server.",
        "A moderator ends it; it ends by itself too.",
        "50013",
        after=max(left, 1.0),
    )


def _sentence(missing: Sequence[str], name: str) -> str:
    *most, last = map(named, missing)
    words = f"{', '.join(most)} and {last}" if most else last
    return f"Broadsheet may not {words} in {name}."
