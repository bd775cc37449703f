"""What is known of a channel that posts go to, whether the client holds it or not. Pure."""

import discord

from adapters.discord.channels.destinations import Known, Sent
from adapters.discord.channels.missing_permissions import Need, lacking

_THREADED = {discord.ChannelType.text, discord.ChannelType.news}


def require(channel: Known, *needs: Need) -> None:
    """Make sure that nothing is known against doing something in a channel.

    Of one that the client doesn't hold nothing is known: there Discord refuses it.

    Raises:
        SendError: where it is not allowed.
    """
    if isinstance(channel, discord.PartialMessageable):
        return
    if lack := lacking(channel, *needs):
        raise lack


def is_partial(channel: Known) -> bool:
    """Tell whether somebody's word was taken for what a channel is."""
    return isinstance(channel, discord.PartialMessageable)


def is_news(channel: Known) -> bool:
    """Tell whether what stands in a channel can be published."""
    return channel.type is discord.ChannelType.news


def has_threads(channel: Known) -> bool:
    """Tell whether threads are opened below messages of a channel."""
    return channel.type in _THREADED


def standing(channel: Known, message: int, parts: int | None = None) -> Sent:
    """Return where a message stands: in the channel, or as the first of a forum's thread."""
    forum = isinstance(channel, discord.ForumChannel)
    place = message if forum else channel.id
    kind = discord.ChannelType.public_thread if forum else channel.type
    server = _server(channel)
    # https://docs.discord.com/developers/reference#message-formatting; as people copy it.
    url = f"https://discord.com/channels/{server or '@me'}/{place}/{message}"
    return Sent(place, message, url, parts, kind.name if kind else None, server)


def _server(channel: Known) -> int | None:
    match channel:
        case discord.DMChannel() | discord.GroupChannel():
            return None
        case discord.PartialMessageable():
            return channel.guild_id
        case _:
            return channel.guild.id
