"""The channels that posts go to: their state as the client knows it, and tags of forums. Pure."""

import re
from collections.abc import Iterable, Sequence

import discord

from adapters.discord.channels.missing_permissions import Action, permission_error
from adapters.discord.channels.resolver import ResolvedChannel
from bot.errors import NotAllowed
from bot.posting.ports import PostedMessage
from bot.replies.wording import shorten

_THREADED_TYPES = {discord.ChannelType.text, discord.ChannelType.news}


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
