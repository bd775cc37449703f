"""The clients of discord.py: their options, and their events passed to listeners."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import aiohttp
import discord
from discord import app_commands

from adapters.discord.api.rate_limits import prune_buckets_seldom
from adapters.discord.interactions.command_tree import CommandListener, add_commands
from adapters.discord.interactions.components import ITEMS, ComponentListener, has_known_id
from adapters.discord.servers import JoinedServers
from bot.commands.types import Command

_log = logging.getLogger(__name__)
# A longer wait for a rate limit is an error, so that no user waits in vain; the library accepts no
# shorter timeout.
_MAX_RATE_LIMIT_SECONDS = 30.0


class InteractionListener(CommandListener, ComponentListener, Protocol):
    """A listener to interactions of all types."""

    async def on_modal_submit(self, interaction: discord.Interaction[Any]) -> None:
        """Handle a submitted modal."""

    async def on_unknown_id(self, interaction: discord.Interaction[Any]) -> None:
        """Handle a component with an unknown id."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A shard: its number, from 0, and the number of shards."""

    number: int
    of: int


class ShardListener(Protocol):
    """A listener to the connections of shards."""

    async def before_identify(self, shard: int) -> None:
        """Wait until a shard may identify itself."""

    def on_shard_up(self, shard: int) -> None:
        """Handle a connected shard."""

    def on_shard_down(self, shard: int) -> None:
        """Handle a shard that lost its connection."""


def _shard_options(shard: Shard | None) -> dict[str, Any]:
    return {"shard_ids": [shard.number], "shard_count": shard.of} if shard else {}


def _client_options(trace: aiohttp.TraceConfig) -> dict[str, Any]:
    return {
        "max_messages": None,
        "allowed_mentions": discord.AllowedMentions.none(),
        "max_ratelimit_timeout": _MAX_RATE_LIMIT_SECONDS,
        "http_trace": trace,
    }


def rest_client(trace: aiohttp.TraceConfig) -> discord.Client:
    """Return a client for API calls without a gateway connection; `trace` watches its requests."""
    client = discord.Client(intents=discord.Intents(guilds=True), **_client_options(trace))
    prune_buckets_seldom(client.http)
    return client


class BroadsheetClient(discord.AutoShardedClient):
    """A gateway client that handles interactions and messages and caches nothing but servers.

    Args:
        commands: the commands.
        listener: handles interactions.
        on_message: handles a message in any channel or in direct messages, mostly without its
            content.
        shards: handles the connections of shards.
        servers: handles the servers that the bot is in.
        trace: watches its requests.
        shard: the only shard, `None` for all that Discord recommends.
    """

    def __init__(  # noqa: PLR0913 - its commands, and the listeners to its events
        self,
        commands: Sequence[Command],
        listener: InteractionListener,
        on_message: Callable[[discord.Client, discord.Message], Awaitable[None]],
        shards: ShardListener,
        servers: JoinedServers,
        *,
        trace: aiohttp.TraceConfig,
        shard: Shard | None = None,
    ) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True, dm_messages=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            **_shard_options(shard),
            **_client_options(trace),
        )
        prune_buckets_seldom(self.http)
        self.listener = listener
        self._on_message = on_message
        self._shard_listener = shards
        self._servers = servers
        self.tree = app_commands.CommandTree(self)
        add_commands(self.tree, commands, listener)

    async def setup_hook(self) -> None:
        """Register the buttons and selects of all messages, whichever process sent them."""
        self.add_dynamic_items(*ITEMS)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for a session start; the library only counts its own."""
        del initial
        await self._shard_listener.before_identify(shard_id or 0)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Handle submitted modals and unknown components, which the library does not dispatch."""
        if interaction.type is discord.InteractionType.modal_submit:
            await self.listener.on_modal_submit(interaction)
        elif interaction.type is discord.InteractionType.component and not has_known_id(
            interaction
        ):
            await self.listener.on_unknown_id(interaction)

    async def on_message(self, message: discord.Message) -> None:
        """Handle a message."""
        await self._on_message(self, message)

    async def on_shard_connect(self, shard_id: int) -> None:
        """Handle a shard that identified itself."""
        self._shard_listener.on_shard_up(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Handle a shard that resumed its session and missed nothing."""
        self._shard_listener.on_shard_up(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Handle a shard that lost its connection; the library reconnects."""
        self._shard_listener.on_shard_down(shard_id)

    async def on_ready(self) -> None:
        """Handle all servers of all shards, also after a reconnection that lost events."""
        await self._servers.on_ready(self)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Handle a server that the bot was added to."""
        await self._servers.on_server_joined(guild)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Handle an available server; Discord may report a rejoined one so."""
        if self.is_ready():
            await self._servers.on_server_joined(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Handle a server that the bot was removed from."""
        await self._servers.on_server_left(guild)

    async def on_error(self, event_method: str, /, *_args: Any, **_kwargs: Any) -> None:  # noqa: ANN401 - each event's own
        """Log an unhandled error of an event, and nothing of the event itself."""
        _log.exception("discord_event_failed", extra={"heard": event_method})
