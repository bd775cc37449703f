"""The state of the fake Discord: the app, guilds, channels, and the refused payloads."""

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
    """A payload that Discord would refuse."""

    where: str
    error: int
    why: str
    payload: Any


class World:
    """The state of all guilds and channels, and of the app.

    Attributes:
        dispatch: sends an event of a guild (0: of none) to the bot.
        on_message: sends the event of a posted message to the bot.
        validating: whether request bodies are checked.
        app: fields of the application that override the valid ones.
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
        self.guild_commands: dict[int, list[Json]] = {}  # registered in one guild alone
        self.interactions: dict[str, Interaction] = {}
        self.refused: list[Refusal] = []
        self.dispatch: Callable[[str, Json, int], None] = lambda *_: None
        self.on_message: Callable[[Message], None] = lambda _: None
        self._nonces: dict[str, tuple[float, Message]] = {}
        self._passed = 0.0

    @property
    def now(self) -> float:
        """The seconds of a monotonic clock."""
        return time.monotonic() + self._passed

    def pass_time(self, seconds: float) -> None:
        """Advance the clock, so that interactions and nonces expire."""
        self._passed += seconds

    def next_id(self) -> int:
        """Return a new snowflake, greater than all before."""
        return snowflake_at(time.time(), next(self.numbers))

    def dm_with(self, user: User) -> Channel:
        """Return the direct message channel of a user."""
        for channel in self.channels.values():
            if channel.kind == "dm" and channel.recipients == [user]:
                return channel
        return self.store(Channel(self.next_id(), "dm", recipients=[user]))

    def store(self, channel: Channel) -> Channel:
        """Store a channel."""
        self.channels[channel.id] = channel
        if channel.guild:
            channel.guild.channels[channel.id] = channel
        return channel

    def bot_permissions(self, channel: Channel) -> int:
        """Return the permissions of the bot in a channel of a guild."""
        assert channel.guild
        return permissions_in(channel, channel.guild, self.bot.id)

    def post(
        self,
        channel: Channel,
        payload: Json,
        author: User | None = None,
        *,
        to: User | None = None,
        reference: Message | None = None,
    ) -> Message:
        """Post a message to a channel, as a reply to `reference` if given.

        An ephemeral one is visible to one user.
        """
        message = Message(self.next_id(), channel, author or self.bot)
        message.fill(payload)
        message.nonce = payload.get("nonce")
        message.ephemeral_for = to if message.flags & EPHEMERAL else None
        message.flags &= ~0 if to else ~EPHEMERAL
        message.reference = reference
        channel.messages.append(message)
        self.on_message(message)
        return message

    def posted_with(self, nonce: str | None) -> Message | None:
        """Return the message that the bot posted with a nonce in the last minutes."""
        made_at, message = self._nonces.get(nonce or "", (0.0, None))
        return message if self.now - made_at < NONCE_LASTS else None

    def store_nonce(self, nonce: str, message: Message) -> None:
        """Store the message of a nonce."""
        self._nonces[nonce] = (self.now, message)

    def sent(self) -> list[Message]:
        """Return all messages of the bot that are not deleted, the oldest first."""
        every = (message for channel in self.channels.values() for message in channel.messages)
        return sorted(
            (each for each in every if each.author is self.bot and not each.deleted),
            key=lambda message: message.id,
        )

    def refuse(self, where: str, error: int, why: str, payload: Any) -> None:
        """Record a refused payload."""
        self.refused.append(Refusal(where, error, why, payload))

    def payload_problems(self, payload: Any, kind: str) -> list[str]:
        """Return all problems of a payload."""
        return problems(payload, kind) if self.validating else []

    def body_problems(self, method: str, path: str, body: Any) -> list[str]:
        """Return the problems of a request by the OpenAPI document."""
        return openapi_problems(method, path, body) if self.validating else []

    def threads_of(self, channel: Channel) -> Iterator[Channel]:
        """Yield the threads of a channel that are not deleted."""
        every = list(channel.guild.channels.values()) if channel.guild else []
        yield from (each for each in every if each.parent is channel and not each.deleted)
