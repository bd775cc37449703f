"""Discord while it is connected to: everything that the other modules hold, put together."""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from adapters.discord.answering import Answering
from adapters.discord.calls import Calls
from adapters.discord.client import BroadsheetClient, Gateway
from adapters.discord.connection import GatewayConnection
from adapters.discord.guilds import Guilds
from adapters.discord.lines import Lines
from adapters.discord.listeners import Listeners
from adapters.discord.once import trace
from adapters.discord.poster import SEND_SECONDS, DiscordPoster
from adapters.discord.posting import Posting
from adapters.discord.quiet import quiet
from adapters.discord.responding import Responding
from adapters.discord.servers import JoinedServers
from adapters.discord.settings import DiscordSettings
from adapters.discord.turns import Turns
from adapters.registry import Parts
from adapters.server_time import ServerTime
from adapters.tasks import Tasks
from bot.health import Condition

if TYPE_CHECKING:
    from aiohttp.web import RouteDef

# Within what serving gives a platform to end.
_FINISH_SECONDS = 6.0
_log = logging.getLogger(__name__)


class DiscordPlatform:
    """Discord, over its gateway, for every server that the bot is in.

    Args:
        parts: what it answers from.
        settings: what it is connected with.
    """

    name = "discord"

    def __init__(self, parts: Parts, settings: DiscordSettings) -> None:
        quiet()
        calls, tasks = Calls(parts.metrics), Tasks()
        time, turns = ServerTime(parts.wall), Turns()
        lines = Lines(parts.database, parts.clock)
        answering = Answering(Responding(calls, lines), tasks, parts.metrics)
        listeners = Listeners(parts.app, parts.workspaces, answering, lines)
        posting = Posting(self._for_posts, calls, lines.keep, window=SEND_SECONDS)
        servers = JoinedServers(Guilds(parts.database, parts.clock), calls, posting)

        def make_client(gateway: Gateway) -> BroadsheetClient:
            watch = trace(time.heard, turns.wait)
            return BroadsheetClient(parts.app.commands, listeners, gateway, servers, watch)

        self._poster = DiscordPoster(posting, time)
        self._tasks = tasks
        self._chores = Tasks()
        self._servers = servers
        self._connection = GatewayConnection(make_client, settings, parts.metrics)

    @property
    def routes(self) -> "Sequence[RouteDef]":
        """Nothing: all comes over the gateway."""
        return ()

    @property
    def poster(self) -> DiscordPoster:
        """What posts to its channels."""
        return self._poster

    async def start(self) -> None:
        """Connect; where Discord can't be reached, go on trying.

        Raises:
            PlatformError: if Discord does not take the token.
        """
        await self._connection.start()
        self._chores.start(self._servers.keep_looking(self._connected), "discord-servers")

    async def stop(self) -> None:
        """Finish the requests that came, while there is a way to answer them, and disconnect."""
        await self._tasks.finish(_FINISH_SECONDS)
        await self._chores.finish(0)
        await self._connection.stop()

    async def condition(self) -> Condition:
        """Say how the connection is."""
        return self._connection.condition()

    def _for_posts(self) -> BroadsheetClient:
        return self._connection.for_posts()

    def _connected(self) -> BroadsheetClient | None:
        return self._connection.client if self._connection.condition().healthy else None
