"""The client: the library's own, lean, and what it hears handed on."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import aiohttp
import discord
from discord import app_commands

from adapters.discord.api.library_buckets import tidy_seldom
from adapters.discord.interactions.command_tree import Ears, register
from adapters.discord.interactions.components import ITEMS, PressHandler, is_ours
from bot.commands.types import Command

_log = logging.getLogger(__name__)
# A longer wait for a rate limit is an error, so that nobody waits for an answer in vain; the
# library takes no shorter time.
_LONGEST_WAIT = 30.0


class Hears(Ears, PressHandler, Protocol):
    """What commands, buttons and forms are handed to."""

    async def submitted(self, interaction: discord.Interaction[Any]) -> None:
        """A submitted form."""

    async def unknown(self, interaction: discord.Interaction[Any]) -> None:
        """A button that means nothing."""


@dataclass(frozen=True, slots=True)
class Shard:
    """One of so many shards; the first is 0."""

    number: int
    of: int


class Gateway(Protocol):
    """What is told of the connection."""

    async def identifies(self, shard: int) -> None:
        """A shard is about to identify itself: wait until it may."""

    def shard_up(self, shard: int) -> None:
        """A shard is connected."""

    def shard_down(self, shard: int) -> None:
        """A shard lost its connection."""


class Servers(Protocol):
    """What is told of the servers that the bot is in."""

    async def ready(self, client: "BroadsheetClient") -> None:
        """All of them are known."""

    async def joined(self, guild: discord.Guild) -> None:
        """The bot was added to a server, or one that was away is back."""

    async def removed(self, guild: discord.Guild) -> None:
        """The bot was taken out of a server, or the server is no more."""


def _alone(shard: Shard | None) -> dict[str, Any]:
    return {"shard_ids": [shard.number], "shard_count": shard.of} if shard else {}


def _lean(trace: aiohttp.TraceConfig) -> dict[str, Any]:
    return {
        "max_messages": None,
        "allowed_mentions": discord.AllowedMentions.none(),
        "max_ratelimit_timeout": _LONGEST_WAIT,
        "http_trace": trace,
    }


def rest_client(trace: aiohttp.TraceConfig) -> discord.Client:
    """Return a client that makes calls and is never connected; `trace` watches its requests."""
    client = discord.Client(intents=discord.Intents(guilds=True), **_lean(trace))
    tidy_seldom(client.http)
    return client


class BroadsheetClient(discord.AutoShardedClient):
    """A client that hears commands, buttons and forms, and keeps nothing but servers.

    Args:
        commands: what may be asked.
        hears: what is handed on to.
        gateway: what is told of the connection.
        servers: what is told of the servers that the bot is in.
        trace: watches its requests.
        shard: which one it is, and of how many; `None` for all that Discord recommends.
    """

    def __init__(  # noqa: PLR0913 - what it knows, and whom it tells of what
        self,
        commands: Sequence[Command],
        hears: Hears,
        gateway: Gateway,
        servers: Servers,
        trace: aiohttp.TraceConfig,
        *,
        shard: Shard | None = None,
    ) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            **_alone(shard),
            **_lean(trace),
        )
        tidy_seldom(self.http)
        self.hears = hears
        self._told = gateway
        self._servers = servers
        self.tree = app_commands.CommandTree(self)
        register(self.tree, commands, hears)

    async def setup_hook(self) -> None:
        """Hear the buttons of every message, whenever it was sent and by which process."""
        self.add_dynamic_items(*ITEMS)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until Discord takes another session: the library only knows of its own."""
        del initial
        await self._told.identifies(shard_id or 0)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Hand on what the library does not: forms of any process, and unknown buttons."""
        if interaction.type is discord.InteractionType.modal_submit:
            await self.hears.submitted(interaction)
        elif interaction.type is discord.InteractionType.component and not is_ours(interaction):
            await self.hears.unknown(interaction)

    async def on_shard_connect(self, shard_id: int) -> None:
        """A shard identified itself."""
        self._told.shard_up(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """A shard came back and missed nothing."""
        self._told.shard_up(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """A shard lost its connection; the library makes it anew."""
        self._told.shard_down(shard_id)

    async def on_ready(self) -> None:
        """All servers of all shards are known; again after a reconnection that lost some news."""
        await self._servers.ready(self)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was added to a server."""
        await self._servers.joined(guild)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server is there, perhaps again; as one Discord may tell of one that returns."""
        if self.is_ready():
            await self._servers.joined(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was taken out of a server."""
        await self._servers.removed(guild)

    async def on_error(self, event_method: str, /, *_args: Any, **_kwargs: Any) -> None:  # noqa: ANN401 - each event's own
        """Log what an event's handling raised, and nothing of the event itself."""
        _log.exception("discord_event_failed", extra={"heard": event_method})
