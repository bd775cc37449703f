"""Where posts go, and where they stand."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

import discord

from adapters.discord.api.calls import Calls
from bot.errors import Gone, OutcomeUnknown, Rejected, RetryLater

T = TypeVar("T")
_MOMENT = "Try again in a moment."
# The library repeats by itself what fails, for up to 25 seconds, and nobody waits for as long.
_LOOK_SECONDS = 5.0
# Where messages are sent; in a forum they begin threads, and are sent into these.
Talk = (
    discord.TextChannel
    | discord.Thread
    | discord.VoiceChannel
    | discord.StageChannel
    | discord.DMChannel
    | discord.GroupChannel
)
Target = Talk | discord.ForumChannel
# What the client doesn't hold, and is known well enough to be sent to.
Known = Target | discord.PartialMessageable
# Of a server: where posts go, and what has the permissions for that.
Holder = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel
Inside = Holder | discord.Thread
# A forum is not among them: its tags have to be looked up.
_TALKS = {
    kind.name: kind
    for kind in (
        discord.ChannelType.text,
        discord.ChannelType.news,
        discord.ChannelType.voice,
        discord.ChannelType.stage_voice,
        discord.ChannelType.public_thread,
        discord.ChannelType.private_thread,
        discord.ChannelType.news_thread,
        discord.ChannelType.private,
    )
}
THREAD = discord.ChannelType.public_thread.name


@dataclass(frozen=True, slots=True)
class Place:
    """A channel, a forum or a thread by its id; or a person, where `direct`.

    `kind` is the library's word for what it is, as far as that is known, and `server` the one
    that it is in; they tell no place from another.
    """

    id: int
    direct: bool = False
    kind: str | None = field(default=None, compare=False)
    server: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that was sent.

    Attributes:
        channel: the channel, the thread (of a forum too) or the conversation that it is in.
        message: its id, `None` where it was sent and somebody removed it since.
        url: where it opens.
        parts: how many parts the reply has in the form that it was sent in; `None` where the
            message was found, for it doesn't tell.
        kind: what the channel is, and `server` where, as of a `Place`.
    """

    channel: int
    message: int | None
    url: str = ""
    parts: int | None = None
    kind: str | None = field(default=None, compare=False)
    server: int | None = field(default=None, compare=False)

    @property
    def place(self) -> Place:
        """Where further parts belong: in the same channel, below a forum's post in its thread."""
        return Place(self.channel, kind=self.kind, server=self.server)

    @property
    def thread(self) -> Place:
        """The thread below it, which has its id.

        https://docs.discord.com/developers/resources/channel#start-thread-from-message

        Raises:
            Gone: where somebody removed it.
        """
        return Place(self.standing, kind=THREAD, server=self.server)

    @property
    def standing(self) -> int:
        """The message's id.

        Raises:
            Gone: where somebody removed it.
        """
        if self.message is None:
            raise Gone("That message is no longer there.", code="10008")
        return self.message


class Places:
    """Finds the channels that places mean.

    Args:
        client: returns the client of the moment; a connection made anew has another.
        calls: how Discord is called.
    """

    def __init__(self, client: Callable[[], discord.Client], calls: Calls) -> None:
        self._client = client
        self._calls = calls

    def client(self) -> discord.Client:
        """Return the client of the moment.

        Raises:
            RetryLater: where it isn't logged in, as while a connection is made anew.
        """
        client = self._client()
        if client.user is None or client.is_closed():
            raise RetryLater("The connection to Discord is being made.", _MOMENT)
        return client

    async def at(self, place: Place) -> Known:
        """Return the channel of a place: asked for only where the client doesn't know what it is.

        Raises:
            SendError: where there is none, or none that takes posts; never `OutcomeUnknown`.
        """
        client = self.client()
        kind = _TALKS.get(place.kind or "")
        if place.direct or kind is None or client.get_channel(place.id):
            return await self.looked_up(place)
        return client.get_partial_messageable(place.id, guild_id=place.server, type=kind)

    async def looked_up(self, place: Place) -> Target:
        """Do the same, and take nobody's word for what it is.

        Raises:
            SendError: as `at`.
        """
        client = self.client()
        if place.direct:
            person = discord.Object(place.id)
            return await self._known("create_dm", client.create_dm(person))
        channel = client.get_channel(place.id)
        if channel is None:
            channel = await self._known("fetch_channel", client.fetch_channel(place.id))
        if isinstance(channel, Target):
            return channel
        raise Rejected("Discord takes no messages in a channel of that kind.", code="50008")

    async def _known(self, what: str, call: Awaitable[T]) -> T:
        async def limited() -> T:
            async with asyncio.timeout(_LOOK_SECONDS):
                return await call

        return await read(self._calls, what, limited())


async def read(calls: Calls, what: str, call: Awaitable[T]) -> T:
    """Make a call that posts nothing, so that one whose outcome is unclear may be made again.

    Raises:
        SendError: as `Calls.made`, but `RetryLater` in place of `OutcomeUnknown`.
    """
    try:
        return await calls.made(what, call)
    except OutcomeUnknown as error:
        raise RetryLater(error.sentence, _MOMENT, error.code) from error
