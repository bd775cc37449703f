"""Resolving the target of a post to a channel of discord.py."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

import discord

from adapters.common.call_attempt import repeatable
from adapters.discord.api.calls import Calls
from bot.errors import Rejected, RetryLater

T = TypeVar("T")
# The library itself retries what fails, for up to 25 seconds, which is too long here.
_FETCH_SECONDS = 5.0
# A message is sent to one of these; in a forum it opens a thread.
MessageableChannel = (
    discord.TextChannel
    | discord.Thread
    | discord.VoiceChannel
    | discord.StageChannel
    | discord.DMChannel
    | discord.GroupChannel
)
PostableChannel = MessageableChannel | discord.ForumChannel
# A partial channel is one that the client doesn't hold, of a known type.
ResolvedChannel = PostableChannel | discord.PartialMessageable
# The channels of a server that posts go to: those with permissions of their own, and threads.
ParentChannel = (
    discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel
)
ServerChannel = ParentChannel | discord.Thread
# A forum is not among them: its tags have to be fetched.
_PARTIAL_TYPES = {
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
class PostTarget:
    """The target of a post: a channel, a forum or a thread by its id, or a user if `direct`.

    `kind` is the library's name of the channel type and `server` the server's id, if known; they
    do not count in comparisons.
    """

    id: int
    direct: bool = False
    kind: str | None = field(default=None, compare=False)
    server: int | None = field(default=None, compare=False)


class ChannelResolver:
    """Resolves targets to channels.

    Args:
        client: returns the current client; a new connection has a new one.
        calls: runs API calls.
    """

    def __init__(self, client: Callable[[], discord.Client], calls: Calls) -> None:
        self._client = client
        self._calls = calls

    def client(self) -> discord.Client:
        """Return the current client.

        Raises:
            RetryLater: if it isn't logged in, as during a reconnection.
        """
        client = self._client()
        if client.user is None or client.is_closed():
            raise RetryLater("The connection to Discord is being made.", "Try again in a moment.")
        return client

    async def resolve(self, target: PostTarget) -> ResolvedChannel:
        """Return the channel of a target; it is fetched only if its type is unknown.

        Raises:
            SendError: if there is none, or none that takes posts; never `OutcomeUnknown`.
        """
        client = self.client()
        kind = _PARTIAL_TYPES.get(target.kind or "")
        if target.direct or kind is None or client.get_channel(target.id):
            return await self.fetch(target)
        return client.get_partial_messageable(target.id, guild_id=target.server, type=kind)

    async def fetch(self, target: PostTarget) -> PostableChannel:
        """Return the channel of a target as Discord has it, whatever `target.kind` says.

        Raises:
            SendError: as `resolve`.
        """
        client = self.client()
        if target.direct:
            user = discord.Object(target.id)
            return await run_read(self._calls, "create_dm", client.create_dm(user), _FETCH_SECONDS)
        channel = client.get_channel(target.id)
        if channel is None:
            fetched = client.fetch_channel(target.id)
            channel = await run_read(self._calls, "fetch_channel", fetched, _FETCH_SECONDS)
        if isinstance(channel, PostableChannel):
            return channel
        raise Rejected("Discord takes no messages in a channel of that kind.", code="50008")


async def run_read(calls: Calls, name: str, call: Awaitable[T], seconds: float | None = None) -> T:
    """Run a call that posts nothing and so may be repeated, as `Calls.run`.

    Raises:
        SendError: as `Calls.run`, but `RetryLater` instead of `OutcomeUnknown`.
    """
    with repeatable():
        return await calls.run(name, call, seconds)
