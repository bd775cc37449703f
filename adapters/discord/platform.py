"""Discord while it is connected to: everything that the other modules hold, put together."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from aiohttp import TraceConfig

from adapters.common.server_time import ServerTime
from adapters.common.tasks import Tasks
from adapters.discord.answers.answering import Answering
from adapters.discord.answers.command_strings import Lines
from adapters.discord.answers.respond import Responding
from adapters.discord.api.calls import Calls
from adapters.discord.api.library_logs import quiet
from adapters.discord.api.rate_limits import Turns
from adapters.discord.api.watched_requests import trace
from adapters.discord.gateway.client import BroadsheetClient, Gateway, Shard, rest_client
from adapters.discord.gateway.connection import GatewayConnection
from adapters.discord.gateway.rest_client import Home
from adapters.discord.gateway.session_starts import Identifying
from adapters.discord.gateway.shards import Gateways
from adapters.discord.listeners import Listeners
from adapters.discord.posts.poster import SEND_SECONDS, DiscordPoster
from adapters.discord.posts.posting import Posting
from adapters.discord.servers.cleanup import Guilds
from adapters.discord.servers.servers import JoinedServers
from adapters.discord.settings import DiscordSettings
from adapters.platform import Services
from bot.operations.health import Condition

if TYPE_CHECKING:
    from aiohttp.web import RouteDef
    from discord import Client

# Within the eight seconds that serving gives a platform to withdraw: for what came before it gave
# the gateway back, and for what came until another process listened.
_FINISH_SECONDS, _MORE_SECONDS = 6.0, 1.5


class DiscordPlatform:
    """Discord, over its gateway, for every server that the bot is in.

    Args:
        parts: what it answers from.
        settings: what it is connected with.
    """

    name = "discord"

    def __init__(self, parts: Services, settings: DiscordSettings) -> None:
        quiet()
        calls, tasks, speed = Calls(parts.metrics), Tasks(), parts.timing.speed
        time, turns = ServerTime(parts.system_clock), Turns(parts.rate_limiter, speed)
        lines = Lines(parts.database, parts.clock, parts.app.commands)
        answering = Answering(Responding(calls, lines), tasks, parts.metrics)
        listeners = Listeners(parts.app, parts.workspaces, answering, lines)
        posting = Posting(self._for_posts, calls, lines.keep, window=SEND_SECONDS)
        guilds = Guilds(parts.database, parts.clock)
        servers = JoinedServers(guilds, calls, posting, parts.app, parts.freeze_memory)
        identifying = Identifying(parts.rate_limiter, speed)

        def watch() -> TraceConfig:
            return trace(time.update, turns.wait, turns.limited)

        def connect(changed: Callable[[], None], shard: Shard | None) -> GatewayConnection:
            def make_client(gateway: Gateway) -> BroadsheetClient:
                commands = parts.app.commands
                return BroadsheetClient(commands, listeners, gateway, servers, watch(), shard=shard)

            return GatewayConnection(make_client, settings, changed, identifying.turn, shard)

        self._poster = DiscordPoster(posting, time, speed)
        self._tasks = tasks
        self._chores = Tasks()
        self._servers = servers
        home = Home(lambda: rest_client(watch()), settings)
        self._gateways = Gateways(home, connect, settings.shards, parts)

    @property
    def routes(self) -> "Sequence[RouteDef]":
        """Nothing: all comes over the gateway."""
        return ()

    @property
    def channel_client(self) -> DiscordPoster:
        """What posts to its channels."""
        return self._poster

    async def start(self) -> None:
        """Connect; where Discord can't be reached, go on trying.

        Raises:
            PlatformError: if Discord does not take the token.
        """
        await self._gateways.start()
        self._chores.start(self._servers.keep_looking(self._gateways.connected), "discord-servers")

    async def drain(self) -> None:
        """Leave the gateway to others, and finish the requests that came."""
        await asyncio.gather(self._gateways.withdraw(), self._tasks.finish(_FINISH_SECONDS))
        await self._tasks.finish(_MORE_SECONDS)

    async def stop(self) -> None:
        """Disconnect."""
        await self._chores.finish(0)
        await self._tasks.finish(0)
        await self._gateways.stop()

    async def condition(self) -> Condition:
        """Say how the connection is."""
        return self._gateways.condition()

    def _for_posts(self) -> "Client":
        return self._gateways.for_posts()
