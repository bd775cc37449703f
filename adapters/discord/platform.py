"""The platform Discord: the composition of its modules, started and stopped."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from aiohttp import TraceConfig

from adapters.common.answers.acknowledgement import Acknowledger
from adapters.common.answers.driver import AnswerDriver
from adapters.common.response_headers import ServerTime
from adapters.common.tasks import Tasks
from adapters.discord.answers import CommandStrings, DiscordAnswer, InteractionVerbs
from adapters.discord.api.calls import Calls, quiet_library_logs, request_trace
from adapters.discord.api.rate_limits import GlobalRateLimit
from adapters.discord.gateway.connection import BroadsheetClient, GatewayConnection, Shard
from adapters.discord.gateway.rest_client import RestClient, rest_client
from adapters.discord.gateway.shards import SessionStarts, ShardLeases
from adapters.discord.listeners import InteractionListeners
from adapters.discord.messages import MessageListener, MessageVerbs
from adapters.discord.posts.channel_client import SEND_SECONDS, DiscordChannelClient
from adapters.discord.posts.post_sender import PostSender
from adapters.discord.servers import JoinedServers, ServerCleanup
from adapters.discord.settings import DiscordSettings
from adapters.platform import Services
from bot.operations.health import Condition

if TYPE_CHECKING:
    from aiohttp.web import RouteDef

# A platform has eight seconds to withdraw: for interactions before it released the gateway, and
# for those until another process connected.
_FINISH_SECONDS, _HANDOVER_SECONDS = 6.0, 1.5


class DiscordPlatform:
    """Discord, connected by its gateway.

    Attributes:
        channel_client: the client that posts to its channels.
        routes: none: everything comes by the gateway.

    Args:
        services: the application and its services.
        settings: the settings of the connection.
    """

    name = "discord"
    routes: "Sequence[RouteDef]" = ()

    def __init__(self, services: Services, settings: DiscordSettings) -> None:
        quiet_library_logs()
        calls, tasks, speed = Calls(services.metrics), Tasks(), services.timing.speed
        time = ServerTime(services.system_clock)
        limit = GlobalRateLimit(services.rate_limiter, speed)
        command_strings = CommandStrings(services.database, services.clock, services.app.commands)

        count = partial(services.metrics.acknowledged, "discord")

        def driver(acknowledger: Acknowledger) -> AnswerDriver[DiscordAnswer]:
            return AnswerDriver(services.app, acknowledger, tasks, "Discord")

        listeners = InteractionListeners(
            services.app,
            services.workspaces,
            driver(Acknowledger(tasks, count)),
            partial(InteractionVerbs, calls, command_strings),
            command_strings,
        )
        messages = MessageListener(
            services.app,
            driver(Acknowledger(tasks)),
            partial(MessageVerbs, calls, command_strings, services.rate_limiter, speed),
            services.database,
            services.system_clock,
        )
        sender = PostSender(
            lambda: self._shards.posting_client(),  # noqa: PLW0108 - they are made below
            calls,
            command_strings.save,
            window=SEND_SECONDS,
        )
        cleanup = ServerCleanup(services.database, services.clock)
        servers = JoinedServers(cleanup, calls, sender, services.app, services.freeze_memory)
        session_starts = SessionStarts(services.rate_limiter, speed)

        def trace() -> TraceConfig:
            return request_trace(limit, time)

        def connect(on_change: Callable[[], None], shard: Shard | None) -> GatewayConnection:
            def make_client(connection: GatewayConnection) -> BroadsheetClient:
                commands = services.app.commands
                heard = messages.on_message
                return BroadsheetClient(
                    commands, listeners, heard, connection, servers, trace=trace(), shard=shard
                )

            identify = session_starts.acquire
            return GatewayConnection(make_client, settings, on_change, identify, shard)

        self.channel_client = DiscordChannelClient(sender, time, speed)
        self._tasks = tasks
        self._jobs = Tasks()
        self._servers = servers
        rest = RestClient(lambda: rest_client(trace()), settings)
        self._shards = ShardLeases(rest, connect, settings.shards, services)

    async def start(self) -> None:
        """Connect; if Discord can't be reached, go on trying.

        Raises:
            PlatformError: if Discord refuses the token.
        """
        await self._shards.start()
        self._jobs.start(self._servers.check_daily(self._shards.connected), "discord-servers")

    async def drain(self) -> None:
        """Release the gateway to other processes, and finish the interactions in flight."""
        await asyncio.gather(self._shards.drain(), self._tasks.finish(_FINISH_SECONDS))
        await self._tasks.finish(_HANDOVER_SECONDS)

    async def stop(self) -> None:
        """Disconnect."""
        await self._jobs.finish(0)
        await self._tasks.finish(0)
        await self._shards.stop()

    async def condition(self) -> Condition:
        """Return the condition of the connection."""
        return self._shards.condition()
