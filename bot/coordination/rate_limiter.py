"""Rate limits of the platforms, kept by all processes on one store together.

Each process claims slots in batches, as many as it has requests waiting, and lets each request
leave at its slot.
"""

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bot.cache import Cache
from bot.clock import Clock
from bot.errors import QueueFull
from store.coordination import rate_limits
from store.coordination.rate_limits import HORIZON, SlotGrant, SlotRequest
from store.database import Database
from store.errors import StoreError

__all__ = ["HORIZON", "RateLimit", "RateLimiter"]

_log = logging.getLogger(__name__)
# A request that is later than its slot by so many slots, within these bounds in seconds, takes
# another: the next slots belong to other requests.
_LATE_SLOTS, _LATE_LEAST, _LATE_MOST = 2.0, 0.02, 0.25
# So many round trips to the store are remembered.
_ROUND_TRIPS = 32
# One claim in so many deletes the limits that are used no more.
_CLEANUP_EVERY = 1000
# The last departures of so many limits are remembered.
_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class RateLimit:
    """A limit of a platform: one request `every` so many seconds.

    `key` names what it limits, such as `slack:T1:chat.postMessage`. `burst` is how many requests
    may leave at once after a pause.
    """

    key: str
    every: float
    burst: int = 1


class RateLimiter:
    """Gives each request its slot, for which it waits up to `horizon` seconds.

    The slots are shared by all processes on the store; `seconds` is a monotonic clock.
    """

    def __init__(
        self,
        database: Database,
        system_clock: Clock,
        *,
        horizon: float = HORIZON,
        seconds: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._database = database
        self._system_clock = system_clock
        self._horizon = horizon
        self._seconds = seconds
        self._sleep = sleep
        self._waiting: dict[str, deque[asyncio.Future[float]]] = {}
        self._limits: dict[str, RateLimit] = {}
        self._claiming: asyncio.Task[None] | None = None
        self._claims = 0
        self._store_clock = _StoreClock()
        self._refusals: Counter[str] = Counter()
        self._departures: Cache[str, float] = Cache(_REMEMBERED)

    async def acquire(self, limits: Sequence[RateLimit]) -> None:
        """Wait until a request may leave that counts in all of these limits.

        Raises:
            QueueFull: if that is further away than the horizon, with the seconds.
            StoreError: if the store can't tell.
        """
        if not limits:
            return
        shortest = _LATE_SLOTS * min(limit.every for limit in limits)
        late = min(_LATE_MOST, max(_LATE_LEAST, shortest))
        slower = [limit for limit in limits if limit.every * _LATE_SLOTS > shortest]
        await self._wait_for_departures(slower)
        while True:
            refusals = self._count_refusals(limits)
            slot = max(await asyncio.gather(*map(self._slot, limits)))
            if (wait := slot - self._seconds()) > 0:
                await self._sleep(wait)
            # A slot from before a refusal is no longer valid.
            if self._seconds() - slot <= late and self._count_refusals(limits) == refusals:
                break
        for limit in slower:
            self._departures.put(limit.key, self._seconds())

    async def slow_down(self, limits: Sequence[RateLimit], seconds: float) -> None:
        """Use limits less: the platform refused a request and asked to wait so many seconds.

        Raises:
            StoreError: if that can't be stored.
        """
        if limits:
            keys = [limit.key for limit in limits]
            self._refusals.update(keys)
            now = self._system_clock.now()
            await self._database.write_locking_rows(rate_limits.slow_down, keys, seconds, now)
            self._refusals.update(keys)  # for slots that were claimed meanwhile

    def _count_refusals(self, limits: Sequence[RateLimit]) -> int:
        return sum(self._refusals[limit.key] for limit in limits)

    async def _wait_for_departures(self, limits: Sequence[RateLimit]) -> None:
        """Wait until limits are free after their last departures, before slots are claimed.

        A departure was later than its slot if another limit's slot was later; a slot claimed too
        early would be wasted.
        """
        left = [(self._departures.get(limit.key), limit.every) for limit in limits]
        ready = (at + every for at, every in left if at is not None)
        if (wait := max(ready, default=0.0) - self._seconds()) > 0:
            await self._sleep(wait)

    async def _slot(self, limit: RateLimit) -> float:
        """Return when a request may leave, by the monotonic clock."""
        slot: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._limits[limit.key] = limit
        self._waiting.setdefault(limit.key, deque()).append(slot)
        if self._claiming is None or self._claiming.done():
            self._claiming = asyncio.create_task(self._claim_all(), name="rate-limits")
        return await slot

    async def _claim_all(self) -> None:
        """Claim slots until no request waits for one."""
        while self._waiting:
            waiting, self._waiting = self._waiting, {}
            limits, self._limits = self._limits, {}
            wants = [
                SlotRequest(key, limits[key].every, len(slots), limits[key].burst)
                for key, slots in waiting.items()
            ]
            try:
                grants, began = await self._claim(wants)
            except Exception as error:  # noqa: BLE001 - raised in the requests that wait
                _fail(waiting, error)
                continue
            for slots, grant in zip(waiting.values(), grants, strict=True):
                self._resolve(slots, grant, began)

    async def _claim(self, wants: Sequence[SlotRequest]) -> tuple[Sequence[SlotGrant], float]:
        """Claim slots; return the grants, and the monotonic time from which they count."""
        asked, system_clock = self._seconds(), self._system_clock
        now, grants = await self._database.write_locking_rows(
            rate_limits.claim_slots,
            wants,
            system_clock.now(),
            self._horizon,
            self._store_clock.slowest,
        )
        began = self._store_clock.to_local(now.timestamp(), asked, self._seconds())
        self._claims += 1
        if self._claims % _CLEANUP_EVERY == 0:
            await self._database.write(rate_limits.delete_unused, system_clock.now())
        return grants, began

    def _resolve(self, slots: deque[asyncio.Future[float]], grant: SlotGrant, began: float) -> None:
        now = self._seconds()
        for number, slot in enumerate(slots):
            if slot.done():  # the request was cancelled
                continue
            if number < grant.count:
                slot.set_result(max(began + grant.wait + number * grant.interval, now))
            else:
                after = max(grant.wait, 0.0) + number * grant.interval
                slot.set_exception(QueueFull("Too much is to be sent there.", after=after))


class _StoreClock:
    """The store's clock by this process's own.

    If slots counted from each answer, those of a process whose answers take longer would overlap
    those of another one.
    """

    def __init__(self) -> None:
        self._ahead: deque[float] = deque(maxlen=_ROUND_TRIPS)
        self._took: deque[float] = deque(maxlen=_ROUND_TRIPS)

    @property
    def slowest(self) -> float:
        """The seconds of the slowest recent round trip, within a limit."""
        return min(max(self._took, default=0.0), _LATE_MOST)

    def to_local(self, stored: float, asked: float, answered: float) -> float:
        """Return a time of the store by the local clock.

        It was before the answer, by as little as it ever was, and not before the question.
        """
        self._took.append(answered - asked)
        self._ahead.append(stored - answered)
        return max(stored - max(self._ahead), asked)


def _fail(waiting: dict[str, deque[asyncio.Future[float]]], error: Exception) -> None:
    if not isinstance(error, StoreError):
        _log.exception("rate_limits_failed")
    for slots in waiting.values():
        for slot in slots:
            if not slot.done():
                slot.set_exception(error)
