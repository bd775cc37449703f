"""The attempts in flight, the limits on their number, and the cooldowns of workspaces."""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from operator import itemgetter

from bot.posting.delivery.timing import Clocks, Timing
from store.database import Database
from store.errors import StoreError
from store.posting.queue import LONGEST_WAIT, ReadyDelivery
from store.workspaces import workspaces

_log = logging.getLogger(__name__)
# More is started once no more than this share of a limit is in flight.
_REFILL = 0.75


class InFlight:
    """The attempts in flight, limited for each platform and each workspace.

    An attempt that waits for one platform's rate limits takes no capacity of another platform.
    """

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._attempts: dict[int, tuple[ReadyDelivery, asyncio.Task[None]]] = {}
        self._on_platform: Counter[str] = Counter()
        self._in_workspace: Counter[int] = Counter()
        # The number of the last start in each workspace.
        self._last_start: dict[int, int] = {}
        self._starts = 0

    def __contains__(self, delivery_id: object) -> bool:
        return delivery_id in self._attempts

    @property
    def tasks(self) -> set[asyncio.Task[None]]:
        """The tasks that carry the attempts out."""
        return {task for _, task in self._attempts.values()}

    @property
    def channels(self) -> frozenset[int]:
        """The channels of the attempts in flight, by database id."""
        return frozenset(ready.channel for ready, _ in self._attempts.values())

    @property
    def full_workspaces(self) -> frozenset[int]:
        """The workspaces at their limit, by database id."""
        limit = self._timing.per_workspace
        return frozenset(key for key, count in self._in_workspace.items() if count >= limit)

    def room(self, platform: str) -> int:
        """Return how many more attempts a platform may have."""
        return max(self._timing.per_platform - self._on_platform[platform], 0)

    def wants_more(self, ended: ReadyDelivery) -> bool:
        """Tell whether an attempt's platform and workspace are far enough below their limits."""
        return (
            self._on_platform[ended.platform] <= _REFILL * self._timing.per_platform
            and self._in_workspace[ended.workspace] <= _REFILL * self._timing.per_workspace
        )

    def choose(self, candidates: Iterable[ReadyDelivery]) -> list[ReadyDelivery]:
        """Return the candidates within their workspaces' limits, in a fair order.

        The first of each workspace come first, and of these the workspace that waited longest.
        """
        counts, chosen, rounds = self._in_workspace.copy(), [], Counter[int]()
        for ready in candidates:
            workspace = ready.workspace
            if ready.id not in self and counts[workspace] < self._timing.per_workspace:
                counts[workspace] += 1
                rounds[workspace] += 1
                chosen.append((rounds[workspace], self._last_start.get(workspace, 0), ready))
        return [ready for _, _, ready in sorted(chosen, key=itemgetter(0, 1))]

    def add(self, ready: ReadyDelivery, task: asyncio.Task[None]) -> None:
        """Add an attempt that a task carries out."""
        self._attempts[ready.id] = ready, task
        self._on_platform[ready.platform] += 1
        self._in_workspace[ready.workspace] += 1
        self._starts += 1
        self._last_start[ready.workspace] = self._starts

    def remove(self, ready: ReadyDelivery) -> None:
        """Remove an attempt that ended."""
        del self._attempts[ready.id]
        self._on_platform[ready.platform] -= 1
        self._in_workspace[ready.workspace] -= 1
        if not self._in_workspace[ready.workspace]:
            del self._in_workspace[ready.workspace]


class Cooldowns:
    """The cooldowns of workspaces, by database id, during which they get no message.

    A cooldown that a platform asked for is stored too, where the scans of other processes see it;
    it also pauses this process's attempts in flight. Where a workspace's rate limits are only
    exhausted, attempts that have their slot go on, and none is started.
    """

    def __init__(self, database: Database, clocks: Clocks) -> None:
        self._database = database
        self._clocks = clocks
        self._requested: dict[int, float] = {}
        self._exhausted: dict[int, float] = {}
        self.stopping = False

    def pause(self, workspace: int) -> float | None:
        """Return for how many seconds an attempt has to pause, `None` if it may go on."""
        if self.stopping:
            return 0.0
        left = self._requested.get(workspace, 0.0) - self._clocks.seconds()
        return left if left > 0 else None

    def exhausted(self, workspace: int, seconds: float) -> None:
        """Start no attempt in a workspace while its rate limits are exhausted."""
        self._extend(self._exhausted, workspace, seconds)

    async def request(self, workspace: int, seconds: float) -> None:
        """Send a workspace nothing, in any process, as its platform requested."""
        self._extend(self._requested, workspace, seconds)
        until = self._clocks.now() + min(timedelta(seconds=seconds), LONGEST_WAIT)
        try:
            await self._database.write_locking_rows(workspaces.start_cooldown, workspace, until)
        except StoreError as error:
            # The platform refuses the other processes as well.
            _log.warning("cooldown_not_stored", extra={"reason": error.sentence})

    def active(self) -> dict[int, float]:
        """Return the workspaces in a cooldown, each with the seconds left."""
        now, left = self._clocks.seconds(), dict[int, float]()
        for cooldowns in (self._requested, self._exhausted):
            for workspace, until in [*cooldowns.items()]:
                if until > now:
                    left[workspace] = max(until - now, left.get(workspace, 0.0))
                else:
                    del cooldowns[workspace]
        return left

    def _extend(self, cooldowns: dict[int, float], workspace: int, seconds: float) -> None:
        until = self._clocks.seconds() + min(seconds, LONGEST_WAIT.total_seconds())
        cooldowns[workspace] = max(until, cooldowns.get(workspace, until))
