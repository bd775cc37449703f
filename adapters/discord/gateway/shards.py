"""Discord's gateway shared with other processes: which part is connected to here, by leases."""

import asyncio
import time
from collections.abc import Callable, Sequence

import discord

from adapters.common.tasks import Tasks
from adapters.discord.api.errors import token_lost
from adapters.discord.gateway.client import BroadsheetClient, Shard
from adapters.discord.gateway.connection import GatewayConnection
from adapters.discord.gateway.rest_client import REFUSED, Home
from adapters.platform import Services
from bot.coordination.leases import Candidate, Leases
from bot.operations.health import Condition, State

_GROUP = "discord"
# Where the gateway can't be reached for so long, and as much longer as shards may wait for their
# turn, another process may try; this one does again after its rest.
_PATIENCE, _EACH = 45.0, 6.0
_REST = 60.0
_FINDING_OUT = Condition(State.STARTING, "It is being found out which process connects to Discord.")
_STANDBY = "Another process holds the connection to Discord's gateway; this one posts."


def lease_names(shards: int | None) -> dict[str, Shard | None]:
    """Return the leases, and which shard each stands for; one for all where nobody said. Pure."""
    if shards is None:
        return {_GROUP: None}
    width = len(str(shards - 1))
    return {f"{_GROUP}:{each:0{width}}": Shard(each, shards) for each in range(shards)}


class Gateways:
    """The connections to the gateway that this process holds the leases of.

    Args:
        home: the client that is there whether any is held or not.
        connect: makes a connection for a shard, or for all; it calls what it is given whenever it
            is in another condition.
        shards: among how many the servers are shared out, `None` where one process has them all.
        parts: where leases are, whose they are and how long they last.
        seconds: a clock that only goes forward.
    """

    def __init__(
        self,
        home: Home,
        connect: Callable[[Callable[[], None], Shard | None], GatewayConnection],
        shards: int | None,
        parts: Services,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._home = home
        self._connect = connect
        self._shards = lease_names(shards)
        self._metrics = parts.metrics
        self._term = parts.term
        self._seconds = seconds
        self._held: dict[str, GatewayConnection] = {}
        self._parting = Tasks()
        self._rests_until = seconds()
        self._over = ""
        candidate = Candidate(_GROUP, tuple(self._shards), parts.replica, parts.term)
        self._leases = Leases(parts.database, candidate, self, able=self._is_able)

    async def start(self) -> None:
        """Log in, and connect as far as the leases allow; where Discord is away, go on trying.

        Raises:
            PlatformError: if Discord does not take the token.
        """
        await self._home.start()
        self._leases.start()

    async def withdraw(self) -> None:
        """Leave the gateway to other processes; where there are any, listen until they do."""
        handing = bool(self._held) and self._leases.has_peers
        await self._leases.stop()
        if handing:
            await asyncio.sleep(self._term.handover)

    async def stop(self) -> None:
        """Disconnect."""
        await self._leases.stop()
        # Side by side: one that is cut off hangs up slowly, and all have two seconds.
        connections = (each.stop() for each in self._held.values())
        await asyncio.gather(self._parting.finish(0), self._home.stop(), *connections)
        self._held.clear()

    def gained(self, lease: str) -> None:
        """Connect to what a lease stands for."""
        connection = self._connect(self._note, self._shards[lease])
        self._held[lease] = connection
        connection.start()

    def lost(self, lease: str, *, handed: bool) -> None:
        """Disconnect from what a lease stands for."""
        connection = self._held.pop(lease)
        if self._is_hopeless(connection):
            self._rests_until = self._seconds() + _REST
        self._parting.start(
            connection.leave(self._term.handover if handed else 0.0), "discord-part"
        )
        self._note()

    def condition(self) -> Condition:
        """Say how the connection is."""
        if self._held:
            conditions = (each.condition() for each in self._held.values())
            worst = next((each for each in conditions if each.state is not State.OK), None)
            return worst or Condition(State.OK, self._share())
        if self._over or self._home.trouble:
            return Condition(State.FAILING, self._over or self._home.trouble)
        return Condition(State.STANDBY, _STANDBY) if self._leases.has_looked else _FINDING_OUT

    def for_posts(self) -> discord.Client:
        """Return the client that posts are sent by, logged in or not.

        It is one that holds all servers, where there is such.

        Raises:
            TokenRevoked: where Discord takes the token no more, so that there will be no other.
        """
        if REFUSED in {self._over, self._home.trouble}:
            raise token_lost("4004")
        whole = self._held.get(_GROUP)
        is_up = whole is not None and whole.condition().state is State.OK
        return whole.client if whole and is_up else self._home.client

    def connected(self) -> Sequence[BroadsheetClient]:
        """Return the clients that are connected."""
        held = self._held.values()
        return [each.client for each in held if each.condition().state is State.OK]

    def _share(self) -> str:
        if _GROUP in self._shards:
            return ""
        return f"{len(self._held)} of {len(self._shards)} shards are connected to here."

    def _note(self) -> None:
        """Note whether all that is held is connected."""
        self._over = next((each.over for each in self._held.values() if each.over), self._over)
        self._metrics.connected(
            "discord", up=bool(self._held) and len(self.connected()) == len(self._held)
        )

    def _is_able(self) -> bool:
        """Tell whether this process, of several, is one to connect."""
        now = self._seconds()
        if self._over or not self._home.is_in or now < self._rests_until:
            return False
        return not self._held or not all(map(self._is_hopeless, self._held.values()))

    def _is_hopeless(self, connection: GatewayConnection) -> bool:
        """Tell whether a connection could not be made for longer than waiting explains."""
        since, patience = connection.down_since, _PATIENCE + _EACH * len(self._shards)
        return since is not None and self._seconds() - since >= patience
