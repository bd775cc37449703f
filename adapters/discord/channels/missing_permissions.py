"""The permissions that the bot lacks in a channel, checked before a call.

https://docs.discord.com/developers/topics/permissions
"""

from collections.abc import Sequence
from datetime import datetime
from enum import Enum

import discord

from adapters.discord.api.permissions import permission_label
from adapters.discord.channels.resolver import ParentChannel, PostableChannel, ServerChannel
from bot.errors import NotAllowed, RetryLater, SendError

_ALLOW = "A manager allows it: Edit Channel, Permissions, Broadsheet."
_UNLOCK = "A moderator unlocks it."


class Action(Enum):
    """An action of the bot in a channel."""

    POST = "post, in a forum a new thread"
    REPLY = "post below a post of a forum"
    THREAD = "open a thread below a post, and post there"
    FIND = "look for an earlier post"


def required_permissions(action: Action, *, in_thread: bool = False) -> tuple[str, ...]:
    """Return the library's flags of the permissions that an action requires."""
    match action:
        case Action.POST if in_thread:
            return ("view_channel", "send_messages_in_threads")
        case Action.POST:
            return ("view_channel", "send_messages")
        case Action.REPLY:
            return ("view_channel", "send_messages_in_threads")
        case Action.THREAD:
            return ("view_channel", "create_public_threads", "send_messages_in_threads")
        case Action.FIND:
            return ("view_channel", "read_message_history")


def permission_error(channel: PostableChannel, *actions: Action) -> SendError | None:
    """Return why the bot may not do actions in a channel, `None` if no reason is known.

    Nothing is known of direct messages, nor of a server that the client doesn't hold, as in a
    process without the gateway.
    """
    if isinstance(channel, discord.DMChannel | discord.GroupChannel) or channel.guild.unavailable:
        return None
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    return None if parent is None else member_error(channel.guild.me, channel, parent, *actions)


def member_error(
    me: discord.Member, channel: ServerChannel, parent: ParentChannel, *actions: Action
) -> SendError | None:
    """Return why the bot, as a member of a server, may not do actions in a channel.

    Args:
        me: the bot's member.
        channel: the channel.
        parent: the channel with its permissions: the parent of a thread, else the same.
        actions: what the bot is to do.
    """
    permissions = discord.abc.GuildChannel.permissions_for(parent, me)
    in_thread = isinstance(channel, discord.Thread)
    required = dict.fromkeys(
        flag for action in actions for flag in required_permissions(action, in_thread=in_thread)
    )
    missing = [flag for flag in required if not getattr(permissions, flag)]
    if missing and me.timed_out_until and me.is_timed_out():
        return _timeout_error(me.timed_out_until)
    if missing:
        return NotAllowed(_sentence(missing, f"#{parent}"), _ALLOW, "50013")
    # https://docs.discord.com/developers/topics/threads#active-&-archived-threads
    is_locked = isinstance(channel, discord.Thread) and channel.locked
    if Action.POST in actions and is_locked and not permissions.manage_threads:
        return NotAllowed(f"The thread {channel} is locked.", _UNLOCK, "160005")
    return None


def can_manage_threads(channel: PostableChannel) -> bool:
    """Tell whether the bot is known to have the permission Manage Threads in a channel."""
    if isinstance(channel, discord.DMChannel | discord.GroupChannel) or channel.guild.unavailable:
        return False
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return False
    return channel.permissions_for(channel.guild.me).manage_threads


def _timeout_error(until: datetime) -> RetryLater:
    """Return the error of a bot in time-out, which lasts up to 28 days.

    https://docs.discord.com/developers/resources/guild#modify-guild-member
    """
    remaining = (until - discord.utils.utcnow()).total_seconds()
    return RetryLater(
        "A moderator gave Broadsheet a time-out in that server.",
        "A moderator ends it; it ends by itself too.",
        "50013",
        after=max(remaining, 1.0),
    )


def _sentence(missing: Sequence[str], name: str) -> str:
    *others, last = map(permission_label, missing)
    labels = f"{', '.join(others)} and {last}" if others else last
    return f"Broadsheet may not {labels} in {name}."
