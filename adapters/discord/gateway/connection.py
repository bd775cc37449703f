"""A gateway connection, kept up by the library, its client and its condition.

https://docs.discord.com/developers/events/gateway
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord
from discord import app_commands

from adapters.common.tasks import Pauses, Tasks
from adapters.discord.api.errors import NETWORK_ERRORS, as_send_error
from adapters.discord.api.rate_limits import prune_buckets_seldom
from adapters.discord.gateway.rest_client import TOKEN_REFUSED, Login, client_options
from adapters.discord.interactions.command_tree import add_commands
from adapters.discord.interactions.listener import ITEMS, InteractionListener, has_known_id
from adapters.discord.interactions.sync import sync
from adapters.discord.servers import JoinedServers
from adapters.discord.settings import DiscordSettings
from bot.commands.types import Command
from bot.errors import OutcomeUnknown, RetryLater, SendError
from bot.operations.health import Condition, State

_REGISTER_SECONDS = 3.0
# How long a client's requests may go on after its disconnection: a post takes 40 seconds at most.
_REQUEST_SECONDS = 45.0
_log = logging.getLogger(__name__)
# Close codes after which the library gives up, because identifying again would fail too:
# https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes
_AUTHENTICATION_FAILED, _DISALLOWED_INTENTS = 4004, 4014
_FINAL_FAILURES = {
    _AUTHENTICATION_FAILED: TOKEN_REFUSED,
    4010: "Discord knows no such shard: look at BROADSHEET_DISCORD_SHARDS.",
    4011: "The bot is in too many servers for so few shards: raise BROADSHEET_DISCORD_SHARDS.",
    4012: "Discord no longer speaks this version of its gateway.",
    4013: "Discord refuses the intents.",
    _DISALLOWED_INTENTS: "Discord refuses the intents.",
}


@dataclass(frozen=True, slots=True)
class Shard:
    """A shard: its number, from 0, and the number of shards."""

    number: int
    of: int


def _shard_options(shard: Shard | None) -> dict[str, Any]:
    return {"shard_ids": [shard.number], "shard_count": shard.of} if shard else {}


class BroadsheetClient(discord.AutoShardedClient):
    """A gateway client that handles interactions and messages and caches nothing but servers.

    Args:
        commands: the commands.
        listener: handles interactions.
        on_message: handles a message in any channel or in direct messages, mostly without its
            content.
        connection: handles the connections of shards.
        servers: handles the servers that the bot is in.
        trace: watches its requests.
        shard: the only shard, `None` for all that Discord recommends.
    """

    def __init__(  # noqa: PLR0913 - its commands, and the listeners to its events
        self,
        commands: Sequence[Command],
        listener: InteractionListener,
        on_message: Callable[[discord.Client, discord.Message], Awaitable[None]],
        connection: "GatewayConnection",
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
            **client_options(trace),
        )
        prune_buckets_seldom(self.http)
        self.listener = listener
        self._on_message = on_message
        self._gateway = connection
        self._servers = servers
        self.tree = app_commands.CommandTree(self)
        add_commands(self.tree, commands)

    async def setup_hook(self) -> None:
        """Register the buttons and selects of all messages, whichever process sent them."""
        self.add_dynamic_items(*ITEMS)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for a session start; the library only counts its own."""
        del initial
        await self._gateway.before_identify(shard_id or 0)

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
        self._gateway.on_shard_up(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Handle a shard that resumed its session and missed nothing."""
        self._gateway.on_shard_up(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Handle a shard that lost its connection; the library reconnects."""
        self._gateway.on_shard_down(shard_id)

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


class GatewayConnection:
    """A connection to Discord that reconnects whenever it is lost.

    Args:
        make_client: makes a client; a closed one can't connect again.
        settings: the base URL and the token.
        on_change: is called when the condition changes.
        identify: waits until a shard may identify itself, given Discord's `max_concurrency`.
        shard: the connected shard, `None` for all.
    """

    def __init__(
        self,
        make_client: Callable[["GatewayConnection"], BroadsheetClient],
        settings: DiscordSettings,
        on_change: Callable[[], None],
        identify: Callable[[int, int], Awaitable[None]],
        shard: Shard | None = None,
    ) -> None:
        self._login = Login(lambda: make_client(self), settings)
        self._on_change = on_change
        self._identify = identify
        self._shard = shard
        self._tasks = Tasks()
        self._connected_shards: set[int] = set()
        self._condition = Condition(State.STARTING, "The connection to Discord is being made.")
        self._was_up = self._is_leaving = False
        self._max_concurrency = 1
        self._registration: asyncio.Task[None] | None = None
        self.down_since: float | None = time.monotonic()
        self.final_failure = ""

    @property
    def client(self) -> BroadsheetClient:
        """The current client."""
        return self._login.client

    def start(self) -> None:
        """Connect; if Discord can't be reached, go on trying."""
        self._tasks.start(self._keep_up(), "discord-gateway")

    async def stop(self) -> None:
        """Disconnect."""
        self._is_leaving = True
        await self._tasks.finish(0)
        await self._login.close()

    async def leave(self, seconds: float) -> None:
        """Disconnect after some seconds, and close the client once its requests have ended."""
        try:
            await asyncio.sleep(seconds)
            self._is_leaving = True
            await self._tasks.finish(0)
            shards = self.client.shards.values() if self._login.done else ()
            await asyncio.gather(*(shard.disconnect() for shard in shards))
            if shards:
                await asyncio.sleep(_REQUEST_SECONDS)
        finally:
            await self.stop()

    def condition(self) -> Condition:
        """Return the condition of the connection."""
        return self._condition

    async def before_identify(self, shard: int) -> None:
        """Wait until a shard may identify itself."""
        await self._identify(shard, self._max_concurrency)

    def on_shard_up(self, shard: int) -> None:
        """Record that a shard is connected."""
        self._connected_shards.add(shard)
        expected = 1 if self._shard else self.client.shard_count or 1
        if self._is_leaving or len(self._connected_shards) < expected:
            return
        if self._condition.state is not State.OK:
            self._was_up, self.down_since = True, None
            _log.info("discord_connected", extra={"shards": len(self._connected_shards)})
        self._condition = Condition(State.OK)
        self._on_change()

    def on_shard_down(self, shard: int) -> None:
        """Record that a shard lost its connection."""
        self._connected_shards.discard(shard)
        if not self.client.is_closed():
            self._set_failing("The connection to Discord was lost and is being made anew.")

    async def _keep_up(self) -> None:
        """Connect and reconnect, until it is closed or there is no point in another attempt."""
        pauses = Pauses()
        while not await self._attempt():
            if self._was_up:
                self._was_up = False
                pauses.reset()
            await pauses.wait()

    async def _attempt(self) -> bool:
        """Stay connected until the connection ends; return whether it was the last attempt."""
        try:
            await self._prepare()
            await self.client.connect()
        except SendError as error:
            self._set_failing(error.sentence)
        except Exception as error:  # noqa: BLE001 - the library raises whatever ended a shard
            self.final_failure = final_failure(error) or ""
            if self.final_failure:
                self._set_failing(self.final_failure)
                return True
            self._set_failing("The connection to Discord broke off and is being made anew.")
            _log.warning("discord_connection_failed", extra={"reason": str(error)})
            self._connected_shards.clear()
            await self._login.reset()
        else:
            return True  # it was closed
        return False

    async def _prepare(self) -> None:
        """Log in, and start the registration of the commands.

        Raises:
            SendError: if Discord can't be reached, or fails.
            Exception: whatever else the library raises.
        """
        await self._login.log_in()
        if self._shard:
            limits = await self.client.fetch_session_start_limits()
            self._max_concurrency = max(limits.max_concurrency, 1)
        if self._registration is None and (self._shard is None or self._shard.number == 0):
            self._registration = asyncio.create_task(
                self._register_commands(), name="discord-commands"
            )
            self._tasks.track(self._registration)
            # New commands are registered before the first interaction, unless that takes long.
            await asyncio.wait({self._registration}, timeout=_REGISTER_SECONDS)

    async def _register_commands(self) -> None:
        """Register the commands, in as many attempts as it takes.

        The commands that Discord has work meanwhile.
        """
        pauses = Pauses()
        while (retry_after := await self._attempt_registration()) is not None:
            await pauses.wait(retry_after)

    async def _attempt_registration(self) -> float | None:
        """Register the commands if Discord has others.

        Return after how many seconds to retry, `None` if there is no point in that.
        """
        client = self.client
        if not self._login.done:
            return 0
        try:
            if await sync(client.tree):
                _log.info("discord_commands_registered")
        except Exception as error:  # noqa: BLE001 - the library fails to parse some refusals
            if client is not self.client:
                return 0  # it was closed and replaced meanwhile
            _log.warning("discord_commands_not_registered", extra={"reason": str(error)})
            return _retry_after(error)
        return None

    def _set_failing(self, sentence: str) -> None:
        if self._is_leaving:
            return
        failing = Condition(State.FAILING, sentence)
        if self._condition != failing:
            _log.warning("discord_disconnected", extra={"reason": sentence})
        if self.down_since is None:
            self.down_since = time.monotonic()
        self._condition = failing
        self._on_change()


def _retry_after(error: Exception) -> float | None:
    """Return after how many seconds to retry after an error, `None` if there is no point."""
    reason = as_send_error(error) if isinstance(error, NETWORK_ERRORS) else None
    if isinstance(reason, RetryLater):
        return reason.after or 0
    return 0 if isinstance(reason, OutcomeUnknown) else None


def final_failure(error: Exception) -> str | None:
    """Return why reconnecting can't work, `None` if it can."""
    match error:
        case discord.LoginFailure():
            return _FINAL_FAILURES[_AUTHENTICATION_FAILED]
        case discord.PrivilegedIntentsRequired():
            return _FINAL_FAILURES[_DISALLOWED_INTENTS]
        case discord.ConnectionClosed():
            return _FINAL_FAILURES.get(error.code)
        case _:
            return None
