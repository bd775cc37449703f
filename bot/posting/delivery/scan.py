"""Scans of the queue: ready deliveries, stale claims, and messages to look for."""

import math
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field

from bot.coordination.leases import StaleWork
from bot.posting.delivery.capacity import Cooldowns, InFlight
from bot.posting.delivery.timing import Clocks, Timing
from bot.posting.delivery.unconfirmed import UnconfirmedMessages
from store.database import Database
from store.posting import queue
from store.posting.queue import Queue, ReadyDelivery

# One scan returns so many deliveries, which stay fresh for so many seconds.
_LIMIT = 200
_FRESH = 2.0
_NOTHING = Queue([], [], None)


@dataclass(slots=True)
class _Found:
    """The deliveries found for a platform, by id; with `has_more` there are others behind them."""

    ready: dict[int, ReadyDelivery] = field(default_factory=dict)
    has_more: bool = False
    found_at: float = 0.0


class FoundDeliveries:
    """The deliveries found for each platform, kept while they are fresh.

    A scan of a long queue is slow, and at a peak capacity gets free many times a second. A claim
    leaves out what another process has claimed since.
    """

    def __init__(self, fresh: float, seconds: Callable[[], float]) -> None:
        self._fresh = fresh
        self._seconds = seconds
        self._by_platform: dict[str, _Found] = {}

    def __iter__(self) -> Iterator[ReadyDelivery]:
        """Yield the fresh deliveries in the order of the scan."""
        for found in self._by_platform.values():
            if self._is_fresh(found):
                yield from found.ready.values()

    @property
    def fresh_for(self) -> float:
        """The seconds for which there is a fresh delivery."""
        until = [f.found_at + self._fresh for f in self._by_platform.values() if f.ready]
        return max(max(until, default=0.0) - self._seconds(), 0.0)

    def replace(
        self, ready: Iterable[ReadyDelivery], platforms: Collection[str], *, has_more: bool
    ) -> None:
        """Replace what was found before for these platforms."""
        now = self._seconds()
        self._by_platform |= {platform: _Found({}, has_more, now) for platform in platforms}
        for delivery in ready:
            if delivery.platform in platforms:
                self._by_platform[delivery.platform].ready[delivery.id] = delivery

    def remove(self, ids: Iterable[int]) -> None:
        """Remove deliveries that were claimed."""
        for delivery_id in ids:
            for found in self._by_platform.values():
                found.ready.pop(delivery_id, None)

    def to_rescan(self, platforms: Iterable[str]) -> list[str]:
        """Return the platforms whose deliveries are stale, or all claimed with more behind them."""
        return [name for name in platforms if self._needs_scan(self._by_platform.get(name))]

    def _needs_scan(self, found: _Found | None) -> bool:
        if found is None or not self._is_fresh(found):
            return True
        return found.has_more and not found.ready

    def _is_fresh(self, found: _Found) -> bool:
        return self._seconds() - found.found_at < self._fresh


class Scanner:
    """Scans the queue of some platforms for a process, its `owner`.

    Attempts in flight and workspaces in a cooldown are left out. `StoreError` is raised if the
    store can't be read.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what is left out comes beside where it is read
        self,
        database: Database,
        platforms: Collection[str],
        owner: str,
        in_flight: InFlight,
        cooldowns: Cooldowns,
        unconfirmed: UnconfirmedMessages,
        clocks: Clocks,
        timing: Timing,
    ) -> None:
        self._database = database
        self._platforms = platforms
        self._owner = owner
        self._in_flight = in_flight
        self._cooldowns = cooldowns
        self._unconfirmed = unconfirmed
        self._clocks = clocks
        self._fresh = min(_FRESH, timing.idle)
        self.found = FoundDeliveries(self._fresh, clocks.seconds)
        self._stale: StaleWork[ReadyDelivery] = StaleWork(timing.lease, clocks.seconds)
        self._last = _NOTHING
        self._scanned_at = -math.inf
        self._spin = 0

    async def scan(self, platforms: Collection[str]) -> bool:
        """Find what is ready on some platforms; return whether there is more than was found."""
        last = self._last = await self._database.read(
            queue.find_ready,
            tuple(self._platforms),
            self._clocks.now(),
            _LIMIT,
            busy=self._in_flight.channels,
            full=self._in_flight.full_workspaces | frozenset(self._cooldowns.active()),
            closed=[name for name in self._platforms if name not in platforms],
            rotation=self._spin,
        )
        has_more = len(last.ready) >= _LIMIT
        # With more than one scan returns, the next one returns those of other workspaces.
        self._spin = secrets.randbits(16) if has_more else 0
        stale = self._stale.overdue(last.claimed, self._in_flight)
        ready = [*stale, *self._to_look_for(last), *last.ready]
        self.found.replace(ready, platforms, has_more=has_more)
        self._scanned_at = self._clocks.seconds()
        return has_more

    def _to_look_for(self, last: Queue) -> list[ReadyDelivery]:
        """Return the claims that this process keeps to look for a message now."""
        due = self._unconfirmed.due()
        kept = [ready for ready, owner in last.claimed if owner == self._owner and ready.id in due]
        for lost in due.difference(ready.id for ready in kept):
            self._unconfirmed.remove(lost)
        return [ready for ready in kept if ready.id not in self._in_flight]

    def candidates(self, platform: str) -> list[ReadyDelivery]:
        """Return what may be claimed on a platform, in the order of the scan."""
        cooling = self._cooldowns.active()
        return [
            ready
            for ready in self.found
            if ready.platform == platform and ready.workspace not in cooling
        ]

    @property
    def is_late(self) -> bool:
        """Tell whether the last scan is too old to know of stale claims."""
        return self._clocks.seconds() - self._scanned_at >= self._fresh

    @property
    def is_empty(self) -> bool:
        """Tell whether the last scan found nothing ready and nothing claimed."""
        return not self._last.ready and not self._last.claimed

    @property
    def next_in(self) -> float:
        """The seconds until a scan may find something new; `inf` if nothing waits."""
        look_at = self._unconfirmed.next_at
        until_look = math.inf if look_at is None else look_at - self._clocks.seconds()
        if self._last.next_at is None:
            return until_look
        until_next = (self._last.next_at - self._clocks.now()).total_seconds()
        return min(max(until_next, self.found.fresh_for), until_look)
