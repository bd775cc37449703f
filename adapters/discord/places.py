"""Where posts go, and where they stand."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import discord

from adapters.discord.calls import Calls
from bot.errors import Gone, Refused, RetryLater, Unclear

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
# Of a server: where posts go, and what has the permissions for that.
Holder = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel
Inside = Holder | discord.Thread


@dataclass(frozen=True, slots=True)
class Place:
    """A channel, a forum or a thread by its id; or a person, where `direct`."""

    id: int
    direct: bool = False


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that was sent.

    Attributes:
        channel: the channel, the thread (of a forum too) or the conversation that it is in.
        message: its id, `None` where it was sent and somebody removed it since.
        url: where it opens.
        parts: how many parts the reply has in the form that it was sent in; `None` where the
            message was found, for it doesn't tell.
    """

    channel: int
    message: int | None
    url: str = ""
    parts: int | None = None

    @property
    def place(self) -> Place:
        """Where further parts belong: in the same channel, below a forum's post in its thread."""
        return Place(self.channel)

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

    async def at(self, place: Place) -> Target:
        """Return the channel of a place.

        Raises:
            SendError: where there is none, or none that takes posts; never `Unclear`.
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
        raise Refused("Discord takes no messages in a channel of that kind.")

    async def _known(self, what: str, call: Awaitable[T]) -> T:
        async def limited() -> T:
            async with asyncio.timeout(_LOOK_SECONDS):
                return await call

        return await read(self._calls, what, limited())


async def read(calls: Calls, what: str, call: Awaitable[T]) -> T:
    """Make a call that posts nothing, so that one whose outcome is unclear may be made again.

    Raises:
        SendError: as `Calls.made`, but `RetryLater` in place of `Unclear`.
    """
    try:
        return await calls.made(what, call)
    except Unclear as error:
        raise RetryLater(error.sentence, _MOMENT, error.code) from error
