"""All that Discord knows: the app, the servers, the conversations, and what it would not take."""

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.fakes.discord.identities import User, snowflake_at
from tests.fakes.discord.interactions import Interaction
from tests.fakes.discord.permissions import permissions_in
from tests.fakes.discord.records import EPHEMERAL, Channel, Guild, Message
from tests.fakes.discord.rules.components import Json
from tests.fakes.discord.rules.messages import problems
from tests.fakes.discord.rules.openapi import openapi_problems

# "A few minutes": https://docs.discord.com/developers/resources/message#create-message
NONCE_LASTS = 180.0


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something of the bot's that Discord would not take."""

    where: str
    error: int
    why: str
    payload: Any


class World:
    """All of Discord, and the app as it knows it.

    Attributes:
        dispatch: brings an event of a server (0: of none) to the bot.
        validating: whether bodies are judged; a measurement does without.
        app: facts of the app that differ from those of a good one.
    """

    def __init__(self) -> None:
        self.token = "discord-token"  # noqa: S105 - of the fake
        self.url = ""
        self.validating = True
        self.numbers = itertools.count(1)
        self.bot = User(self.next_id(), "broadsheet", bot=True)
        self.application_id = self.bot.id
        self.app: Json = {}
        self.shards = 1
        self.guilds: dict[int, Guild] = {}
        self.users: dict[int, User] = {self.bot.id: self.bot}
        self.channels: dict[int, Channel] = {}
        self.commands: list[Json] = []
        self.interactions: dict[str, Interaction] = {}
        self.refused: list[Refusal] = []
        self.dispatch: Callable[[str, Json, int], None] = lambda *_: None
        self._nonces: dict[str, tuple[float, Message]] = {}
        self._passed = 0.0

    @property
    def now(self) -> float:
        """Seconds on a clock that only goes forward."""
        return time.monotonic() + self._passed

    def pass_time(self, seconds: float) -> None:
        """Let interactions and nonces grow older."""
        self._passed += seconds

    def next_id(self) -> int:
        """Return an id that nothing else has, greater than all before."""
        return snowflake_at(time.time(), next(self.numbers))

    def dm_with(self, user: User) -> Channel:
        """Return the direct messages of the bot and somebody."""
        for channel in self.channels.values():
            if channel.kind == "dm" and channel.recipients == [user]:
                return channel
        return self.store(Channel(self.next_id(), "dm", recipients=[user]))

    def store(self, channel: Channel) -> Channel:
        """Know a channel from now on."""
        self.channels[channel.id] = channel
        if channel.guild:
            channel.guild.channels[channel.id] = channel
        return channel

    def bot_permissions(self, channel: Channel) -> int:
        """Return what the bot may do in a channel of a server that it is in."""
        assert channel.guild
        return permissions_in(channel, channel.guild, self.bot.id)

    def post(
        self, channel: Channel, payload: Json, author: User | None = None, *, to: User | None = None
    ) -> Message:
        """Put a message into a channel, seen by all or, an ephemeral one, by one person."""
        message = Message(self.next_id(), channel, author or self.bot)
        message.fill(payload)
        message.nonce = payload.get("nonce")
        message.ephemeral_for = to if message.flags & EPHEMERAL else None
        message.flags &= ~0 if to else ~EPHEMERAL
        channel.messages.append(message)
        return message

    def posted_with(self, nonce: str | None) -> Message | None:
        """Return what the bot posted with the same nonce some minutes ago."""
        made_at, message = self._nonces.get(nonce or "", (0.0, None))
        return message if self.now - made_at < NONCE_LASTS else None

    def store_nonce(self, nonce: str, message: Message) -> None:
        """Return this message for the same nonce, for some minutes."""
        self._nonces[nonce] = (self.now, message)

    def sent(self) -> list[Message]:
        """Return every message of the bot's that is there, the oldest first."""
        every = (message for channel in self.channels.values() for message in channel.messages)
        return sorted(
            (each for each in every if each.author is self.bot and not each.deleted),
            key=lambda message: message.id,
        )

    def refuse(self, where: str, error: int, why: str, payload: Any) -> None:
        """Note what Discord would not take."""
        self.refused.append(Refusal(where, error, why, payload))

    def payload_problems(self, payload: Any, kind: str) -> list[str]:
        """Return what Discord would say against a payload."""
        return problems(payload, kind) if self.validating else []

    def body_problems(self, method: str, path: str, body: Any) -> list[str]:
        """Return what Discord's own document says against a request."""
        return openapi_problems(method, path, body) if self.validating else []

    def threads_of(self, channel: Channel) -> Iterator[Channel]:
        """Give the threads of a channel that are there."""
        every = list(channel.guild.channels.values()) if channel.guild else []
        yield from (each for each in every if each.parent is channel and not each.deleted)
