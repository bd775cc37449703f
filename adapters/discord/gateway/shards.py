"""The shards of the gateway, divided among processes by leases."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

import discord

from adapters.common.tasks import Tasks
from adapters.discord.api.errors import token_revoked
from adapters.discord.gateway.connection import BroadsheetClient, GatewayConnection, Shard
from adapters.discord.gateway.rest_client import TOKEN_REFUSED, RestClient
from adapters.platform import Services
from bot.coordination.leases import Candidate, Leases
from bot.coordination.rate_limiter import RateLimit, RateLimiter
from bot.errors import RetryLater
from bot.operations.health import Condition, State
from store.errors import StoreError

# Discord requires five seconds; requests that leave on time arrive a little sooner or later.
# https://docs.discord.com/developers/events/gateway#sharding-max-concurrency
_IDENTIFY_SECONDS = 5.2
_GROUP = "discord"
# A process that can't reach the gateway for this long, and longer for each shard that may wait to
# identify itself, leaves it to another process for a cooldown.
_OUTAGE_SECONDS, _OUTAGE_SECONDS_PER_SHARD = 45.0, 6.0
_COOLDOWN_SECONDS = 60.0
_UNKNOWN = Condition(State.STARTING, "It is being found out which process connects to Discord.")
_STANDBY = "Another process holds the connection to Discord's gateway; this one posts."


class SessionStarts:
    """Spaces out the session starts of shards, over all processes.

    Args:
        limiter: the rate limiter of all processes on one store.
        speed: a factor on Discord's published limits, for trials.
        sleep: waits.
    """

    def __init__(
        self,
        limiter: RateLimiter,
        speed: float = 1.0,
        *,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._limiter = limiter
        self._seconds = _IDENTIFY_SECONDS / speed
        self._sleep = sleep

    async def acquire(self, shard: int, max_concurrency: int) -> None:
        """Wait until a shard may identify itself.

        Without the store it waits as long as the library would.
        """
        limit = RateLimit(f"discord:identify:{shard % max_concurrency}", self._seconds)
        while True:
            try:
                await self._limiter.acquire([limit])
            except RetryLater as error:
                await self._sleep(error.after or self._seconds)
            except StoreError:
                await self._sleep(self._seconds)
                return
            else:
                return


def lease_names(shards: int | None) -> dict[str, Shard | None]:
    """Return the names of the leases with their shards; one lease for all if `shards` is `None`."""
    if shards is None:
        return {_GROUP: None}
    width = len(str(shards - 1))
    return {f"{_GROUP}:{each:0{width}}": Shard(each, shards) for each in range(shards)}


class ShardLeases:
    """The gateway connections of the shards whose leases this process holds.

    Args:
        rest: the client of every process.
        connect: makes the connection of a shard, or of all; it calls its first argument whenever
            its condition changes.
        shards: the number of shards, `None` if one process has them all.
        services: the database, the metrics and the terms of leases.
        seconds: a monotonic clock.
    """

    def __init__(
        self,
        rest: RestClient,
        connect: Callable[[Callable[[], None], Shard | None], GatewayConnection],
        shards: int | None,
        services: Services,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rest = rest
        self._connect = connect
        self._shards = lease_names(shards)
        self._metrics = services.metrics
        self._term = services.term
        self._seconds = seconds
        self._connections: dict[str, GatewayConnection] = {}
        self._closing = Tasks()
        self._cooldown_until = seconds()
        self._final_failure = ""
        candidate = Candidate(_GROUP, tuple(self._shards), services.replica, services.term)
        self._leases = Leases(services.database, candidate, self, able=self._is_able)

    async def start(self) -> None:
        """Log in, and connect the shards whose leases are gained.

        Raises:
            PlatformError: if Discord refuses the token.
        """
        await self._rest.start()
        self._leases.start()

    async def drain(self) -> None:
        """Release the leases; if there are other processes, stay connected until they are."""
        hands_over = bool(self._connections) and self._leases.has_peers
        await self._leases.stop()
        if hands_over:
            await asyncio.sleep(self._term.handover)

    async def stop(self) -> None:
        """Disconnect."""
        await self._leases.stop()
        # Concurrently: a broken connection closes slowly, and there are two seconds for all.
        connections = (each.stop() for each in self._connections.values())
        await asyncio.gather(self._closing.finish(0), self._rest.stop(), *connections)
        self._connections.clear()

    def gained(self, lease: str) -> None:
        """Connect the shard of a lease."""
        connection = self._connect(self._on_change, self._shards[lease])
        self._connections[lease] = connection
        connection.start()

    def lost(self, lease: str, *, handed: bool) -> None:
        """Disconnect the shard of a lease."""
        connection = self._connections.pop(lease)
        if self._has_outage(connection):
            self._cooldown_until = self._seconds() + _COOLDOWN_SECONDS
        delay = self._term.handover if handed else 0.0
        self._closing.start(connection.leave(delay), "discord-part")
        self._on_change()

    def condition(self) -> Condition:
        """Return the condition of the connection."""
        if self._connections:
            conditions = (each.condition() for each in self._connections.values())
            worst = next((each for each in conditions if each.state is not State.OK), None)
            return worst or Condition(State.OK, self._count())
        if self._final_failure or self._rest.failure:
            return Condition(State.FAILING, self._final_failure or self._rest.failure)
        return Condition(State.STANDBY, _STANDBY) if self._leases.has_looked else _UNKNOWN

    def posting_client(self) -> discord.Client:
        """Return the client for posts, logged in or not.

        It is the gateway client if that holds all servers, else the REST client.

        Raises:
            TokenRevoked: if Discord refuses the token.
        """
        if TOKEN_REFUSED in {self._final_failure, self._rest.failure}:
            raise token_revoked("4004")
        whole = self._connections.get(_GROUP)
        is_up = whole is not None and whole.condition().state is State.OK
        return whole.client if whole and is_up else self._rest.client

    def connected(self) -> Sequence[BroadsheetClient]:
        """Return the connected gateway clients."""
        connections = self._connections.values()
        return [each.client for each in connections if each.condition().state is State.OK]

    def _count(self) -> str:
        if _GROUP in self._shards:
            return ""
        return f"{len(self._connections)} of {len(self._shards)} shards are connected to here."

    def _on_change(self) -> None:
        """Record whether all connections are up, and a failure that no attempt can repair."""
        failures = (each.final_failure for each in self._connections.values())
        self._final_failure = next(filter(None, failures), self._final_failure)
        is_up = bool(self._connections) and len(self.connected()) == len(self._connections)
        self._metrics.connected("discord", up=is_up)

    def _is_able(self) -> bool:
        """Tell whether this process may hold leases."""
        now = self._seconds()
        if self._final_failure or not self._rest.is_logged_in or now < self._cooldown_until:
            return False
        return not self._connections or not all(map(self._has_outage, self._connections.values()))

    def _has_outage(self, connection: GatewayConnection) -> bool:
        """Tell whether a connection is down for longer than waiting to identify explains."""
        since = connection.down_since
        limit = _OUTAGE_SECONDS + _OUTAGE_SECONDS_PER_SHARD * len(self._shards)
        return since is not None and self._seconds() - since >= limit
