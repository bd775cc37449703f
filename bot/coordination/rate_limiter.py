"""Lanes: requests kept ahead of a platform's limits, by all processes on one store together.

Each process asks the store for as many slots as it has requests waiting, of all lanes at once,
and lets each of them leave at its own.
"""

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bot.clock import Clock
from bot.errors import QueueFull
from store.coordination import rate_limits
from store.coordination.rate_limits import HORIZON, Grant, Want
from store.database import Database
from store.errors import StoreError

__all__ = ["HORIZON", "Lane", "Lanes"]

_log = logging.getLogger(__name__)
# Whoever comes later than its slot by so many slots, within these bounds in seconds, takes another:
# others have theirs by now.
_LATE_SLOTS, _LATE_LEAST, _LATE_MOST = 2.0, 0.02, 0.25
# Of so many answers it is known how long they took.
_TRIPS = 32
# One request for slots in so many takes budgets along that nobody uses any more.
_TAKES_ALONG = 1000
# For so many seconds it is known when something left; no lane is slower.
_REMEMBERED = 60.0


@dataclass(frozen=True, slots=True)
class Lane:
    """A limit of a platform: one request `every` so many seconds.

    `key` names what it binds, such as `slack:T1:chat.postMessage`. `burst` is how many may leave
    at once where none did for a while.
    """

    key: str
    every: float
    burst: int = 1


class Lanes:
    """Hands out turns.

    Args:
        database: where the budgets are that all processes share.
        wall: the time that no setting moves.
        seconds: a clock that only goes forward.
        sleep: waits.
        horizon: for how many seconds a turn is waited for.
    """

    def __init__(
        self,
        database: Database,
        wall: Clock,
        *,
        horizon: float = HORIZON,
        seconds: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._database = database
        self._wall = wall
        self._horizon = horizon
        self._seconds = seconds
        self._sleep = sleep
        self._waiting: dict[str, deque[asyncio.Future[float]]] = {}
        self._lanes: dict[str, Lane] = {}
        self._asking: asyncio.Task[None] | None = None
        self._asked = 0
        self._trips = _Trips()
        self._refusals: Counter[str] = Counter()
        self._left: dict[str, float] = {}

    async def turn(self, lanes: Sequence[Lane]) -> None:
        """Wait until a request may leave that counts in all of these lanes.

        Raises:
            QueueFull: where that is further away than the horizon, with how far.
            StoreError: where the store can't tell.
        """
        if not lanes:
            return
        least = _LATE_SLOTS * min(lane.every for lane in lanes)
        late = min(_LATE_MOST, max(_LATE_LEAST, least))
        slower = [lane for lane in lanes if lane.every * _LATE_SLOTS > least]
        await self._follow(slower)
        while True:
            refusals = self._refused(lanes)
            slots = await asyncio.gather(*(self._slot(lane) for lane in lanes))
            slot = max(slots)
            if (wait := slot - self._seconds()) > 0:
                await self._sleep(wait)
            # What was handed out before a refusal is no longer good.
            if self._seconds() - slot <= late and self._refused(lanes) == refusals:
                break
        self._leaves(slower)

    async def slow(self, lanes: Sequence[Lane], seconds: float) -> None:
        """Use lanes less: the platform refused a request and asked to wait so many seconds.

        Raises:
            StoreError: where that can't be noted.
        """
        if lanes:
            keys = [lane.key for lane in lanes]
            self._refusals.update(keys)
            await self._database.write_rows(rate_limits.slow, keys, seconds, self._wall.now())
            self._refusals.update(keys)  # for slots that were asked for meanwhile

    def _refused(self, lanes: Sequence[Lane]) -> int:
        return sum(self._refusals[lane.key] for lane in lanes)

    async def _follow(self, lanes: Sequence[Lane]) -> None:
        """Wait until lanes are free again after what left last.

        That left later than its slot there where the slot of another lane was later. Nothing is
        asked for before, so that others have what would be wasted.
        """
        ready = [self._left[lane.key] + lane.every for lane in lanes if lane.key in self._left]
        if ready and (wait := max(ready) - self._seconds()) > 0:
            await self._sleep(wait)

    def _leaves(self, lanes: Sequence[Lane]) -> None:
        now = self._seconds()
        for lane in lanes:
            self._left.pop(lane.key, None)
            self._left[lane.key] = now
        while self._left and next(iter(self._left.values())) < now - _REMEMBERED:
            del self._left[next(iter(self._left))]

    async def _slot(self, lane: Lane) -> float:
        """Return when this request may leave, by the clock that only goes forward."""
        slot: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._lanes[lane.key] = lane
        self._waiting.setdefault(lane.key, deque()).append(slot)
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask(), name="lanes")
        return await slot

    async def _ask(self) -> None:
        """Ask for slots until nobody waits for one."""
        while self._waiting:
            waiting, self._waiting = self._waiting, {}
            lanes, self._lanes = self._lanes, {}
            wants = [
                Want(key, lanes[key].every, len(slots), lanes[key].burst)
                for key, slots in waiting.items()
            ]
            try:
                grants, began = await self._granted(wants)
            except Exception as error:  # noqa: BLE001 - whoever waits is told
                _fail(waiting, error)
                continue
            for slots, grant in zip(waiting.values(), grants, strict=True):
                self._give(slots, grant, began)

    async def _granted(self, wants: Sequence[Want]) -> tuple[Sequence[Grant], float]:
        """Ask for slots; return what was got, and when it was asked for by the store's clock."""
        asked = self._seconds()
        now, grants = await self._database.write_rows(
            rate_limits.take, wants, self._wall.now(), self._horizon, self._trips.longest
        )
        began = self._trips.began(now.timestamp(), asked, self._seconds())
        self._asked += 1
        if self._asked % _TAKES_ALONG == 0:
            await self._database.write(rate_limits.forget, self._wall.now())
        return grants, began

    def _give(self, slots: deque[asyncio.Future[float]], grant: Grant, began: float) -> None:
        now = self._seconds()
        for number, slot in enumerate(slots):
            if slot.done():  # whoever waited went away
                continue
            if number < grant.count:
                slot.set_result(max(began + grant.wait + number * grant.every, now))
            else:
                after = max(grant.wait, 0.0) + number * grant.every
                slot.set_exception(QueueFull("Too much is to be sent there.", after=after))


class _Trips:
    """When the store's clock said what, by this process's own.

    Were slots reckoned from when each answer came, those of a process whose answers take longer
    would fall among those of another one.
    """

    def __init__(self) -> None:
        self._behind: deque[float] = deque(maxlen=_TRIPS)
        self._took: deque[float] = deque(maxlen=_TRIPS)

    @property
    def longest(self) -> float:
        """How many seconds an answer took lately, at most."""
        return min(max(self._took, default=0.0), _LATE_MOST)

    def began(self, told: float, asked: float, answered: float) -> float:
        """Return when it was what the store told, by this process's clock.

        That was before the answer came, by as little as it ever was, and not before the question.
        """
        self._took.append(answered - asked)
        self._behind.append(told - answered)
        return max(told - max(self._behind), asked)


def _fail(waiting: dict[str, deque[asyncio.Future[float]]], error: Exception) -> None:
    if not isinstance(error, StoreError):
        _log.exception("lanes_failed")
    for slots in waiting.values():
        for slot in slots:
            if not slot.done():
                slot.set_exception(error)
