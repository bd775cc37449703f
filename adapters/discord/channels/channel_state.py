"""The channels that posts go to, as the client knows them: the bot's permissions, tags of forums.

https://docs.discord.com/developers/topics/permissions
"""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import Enum

import discord

from adapters.discord.api.permissions import permission_label
from adapters.discord.channels.resolver import (
    ParentChannel,
    PostableChannel,
    ResolvedChannel,
    ServerChannel,
)
from bot.errors import NotAllowed, RetryLater, SendError
from bot.posting.ports import PostedMessage
from bot.replies.wording import shorten

_ALLOW = "A manager allows it: Edit Channel, Permissions, Broadsheet."
_UNLOCK = "A moderator unlocks it."
_THREADED_TYPES = {discord.ChannelType.text, discord.ChannelType.news}


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


def require_permissions(channel: ResolvedChannel, *actions: Action) -> None:
    """Raise an error if the bot is known to lack permissions for actions in a channel.

    Nothing is known of a partial channel: there Discord refuses the call.

    Raises:
        SendError: if a permission is missing.
    """
    if isinstance(channel, discord.PartialMessageable):
        return
    if error := permission_error(channel, *actions):
        raise error


def is_partial(channel: ResolvedChannel) -> bool:
    """Tell whether the type of a channel comes from the store, not from Discord."""
    return isinstance(channel, discord.PartialMessageable)


def is_announcement(channel: ResolvedChannel) -> bool:
    """Tell whether messages of a channel can be published."""
    return channel.type is discord.ChannelType.news


def has_threads(channel: ResolvedChannel) -> bool:
    """Tell whether threads can be opened below messages of a channel."""
    return channel.type in _THREADED_TYPES


def posted_message(channel: ResolvedChannel, message: int) -> PostedMessage:
    """Return a message that was sent to a channel; in a forum it is the first of its thread."""
    place = message if isinstance(channel, discord.ForumChannel) else channel.id
    # https://docs.discord.com/developers/reference#message-formatting; as "Copy Message Link".
    url = f"https://discord.com/channels/{_server_id(channel) or '@me'}/{place}/{message}"
    return PostedMessage(str(place), str(message), url)


def _server_id(channel: ResolvedChannel) -> int | None:
    match channel:
        case discord.DMChannel() | discord.GroupChannel():
            return None
        case discord.PartialMessageable():
            return channel.guild_id
        case _:
            return channel.guild.id


# https://docs.discord.com/developers/resources/channel#start-thread-from-message
MAX_NAME = 100
# https://docs.discord.com/developers/resources/channel#channel-object-channel-structure
_MAX_TAGS = 5
_DEFAULT_NAME = "AI papers"


def thread_name(title: str) -> str:
    """Return the name of a thread with a title."""
    return shorten(" ".join(title.split()), MAX_NAME) or _DEFAULT_NAME


def select_tags(
    available: Sequence[discord.ForumTag],
    topics: Iterable[str],
    *,
    required: bool = False,
    moderator: bool = False,
) -> list[discord.ForumTag]:
    """Return a forum's tags that are named like topics, in the order of the topics.

    Args:
        available: the tags of the forum.
        topics: slugs or words, the most important first.
        required: whether each post needs a tag. If none matches, the first one is selected.
        moderator: whether the bot may apply moderators' tags.

    Raises:
        NotAllowed: if a tag is required and the bot may apply none.
    """
    usable = [tag for tag in available if moderator or not tag.moderated]
    by_name = {_normalized(tag.name): tag for tag in reversed(usable)}
    names = dict.fromkeys(map(_normalized, topics))
    selected = [by_name[name] for name in names if name in by_name][:_MAX_TAGS]
    if selected or not required:
        return selected
    if not usable:
        raise NotAllowed(
            "That forum asks for a tag, and has none that Broadsheet may set.",
            "A manager adds a tag that everybody may use.",
            "40066",
        )
    return usable[:1]


def _normalized(name: str) -> str:
    return re.sub(r"[\s_-]+", " ", name).strip().casefold()
