"""The state of a channel that posts go to, as far as the client knows it. Pure."""

import discord

from adapters.discord.channels.missing_permissions import Action, permission_error
from adapters.discord.channels.resolver import ResolvedChannel
from bot.posting.ports import PostedMessage

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
