"""The tick: what became due is put into the queue, and what was corrected is looked through.

The schedule's truth is in the store (`next_due_at`). APScheduler only calls `tick`; one that is
late, or called twice, finds what is there.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from bot.clock import Clock, SystemClock
from bot.coordination.wakeup import Bell
from bot.operations.health import Condition, State, unforeseen
from bot.operations.metrics import Metrics
from bot.posting.due_rules import Ruling, ruled
from store.database import Database, Session
from store.errors import SchemaOutdated, SchemaTooNew, StoreBusy, StoreError, StoreUnavailable
from store.posting import due_subscriptions, queue
from store.posting.due_subscriptions import Due
from store.posting.editions_to_post import count_states, count_waiting

_log = logging.getLogger(__name__)
# In one transaction, so that other writers wait no longer than a moment.
_AT_ONCE = 500
_COUNTED_EVERY = 60.0
# What another order would meet as well.
_NO_ORDERS_FAULT = (StoreBusy, StoreUnavailable, SchemaTooNew, SchemaOutdated)
_LATE_TICKS = 3
_LATE = 30.0


class Runner:
    """Puts what is owed into the queue.

    Args:
        database: the store.
        clock: the time, as people see it.
        bell: is rung when something was put there.
        metrics: counts ticks and orders.
        seconds: how far ticks are apart.
        wall: the time that no setting moves.
        passed: a clock that only goes forward, in seconds.
    """

    def __init__(  # noqa: PLR0913 - what it is made of is handed over piece by piece
        self,
        database: Database,
        clock: Clock,
        bell: Bell,
        metrics: Metrics,
        seconds: float,
        *,
        wall: Clock | None = None,
        passed: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._clock = clock
        self._bell = bell
        self._metrics = metrics
        self._seconds = seconds
        self._wall = wall or SystemClock()
        # On which day it looked last, and at which version of what was imported.
        self._seen: tuple[date, str] | tuple[None, None] = (None, None)
        # Whether that was another one than the tick before saw.
        self._changed = False
        self._counted: float | None = None
        self._trouble = ""
        self._passed = passed
        self._last = passed()

    async def tick(self) -> None:
        """Look once; what goes wrong is logged, and the next tick looks again."""
        try:
            await self._look()
        except StoreError as error:
            self._trouble = error.sentence
            self._metrics.ticked("failed")
            _log.warning("tick_failed", extra={"reason": error.sentence})
            return
        except Exception as error:  # noqa: BLE001 - whatever it was, the next tick is to come
            self._trouble = unforeseen(error)
            self._metrics.ticked("failed")
            _log.exception("tick_failed")
            return
        self._trouble, self._last = "", self._passed()
        self._metrics.ticked("ok")

    def condition(self) -> Condition:
        """Say how it is."""
        if self._trouble:
            return Condition(State.FAILING, self._trouble)
        late = self._passed() - self._last
        if late > _LATE_TICKS * self._seconds + _LATE:
            return Condition(State.FAILING, f"It last looked {late:.0f} s ago.")
        return Condition(State.OK)

    async def _look(self) -> None:
        """Look for what is due and for what changed."""
        now = self._clock.now()
        # What waits can only have come by an import, or with a day on which an edition closes.
        day, known = self._seen
        found = await self._database.read(
            due_subscriptions.look, now, known if day == now.date() else None
        )
        seen = (now.date(), found.version)
        changed = seen != self._seen
        passed_over: list[int] = []
        for orders in _batches(found.orders):
            passed_over += await self._enqueue(orders, now, waiting=changed)
        if changed:
            # What is due by its time is due at the next tick too; what waited would not be.
            for orders in _batches(passed_over):
                await self._enqueue(orders, now, waiting=True, patient=True)
        if changed or self._changed:
            # The tick after sees what others were noting as sent while this one looked.
            await self._correct()
        self._seen, self._changed = seen, changed
        await self._count()

    async def _enqueue(
        self, orders: Sequence[int], now: datetime, *, waiting: bool, patient: bool = False
    ) -> frozenset[int]:
        """Enqueue what orders are owed, and return those that were passed over.

        One that the store can't judge holds up no other.
        """
        try:
            looked = await self._database.write_rows(
                _enqueued, orders, now, self._wall.now(), waiting=waiting, patient=patient
            )
        except _NO_ORDERS_FAULT:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it was, the other orders are to be looked at
            if len(orders) == 1:
                _log_failed(orders, error)
                return frozenset()
            middle = len(orders) // 2
            first = await self._enqueue(orders[:middle], now, waiting=waiting, patient=patient)
            second = await self._enqueue(orders[middle:], now, waiting=waiting, patient=patient)
            return first | second
        for failed, why in looked.failed:
            _log_failed(failed, why)
        for order, due_at in looked.missed:
            _log.warning("due_missed", extra={"subscription": order, "due_at": str(due_at)})
        self._ring(looked.owed)
        return looked.passed_over

    async def _correct(self) -> None:
        for deliveries in _batches(await self._database.read(queue.list_outdated)):
            self._ring(await self._database.write_rows(queue.correct, deliveries, self._wall.now()))

    def _ring(self, found: int) -> None:
        if found:
            self._bell.ring()

    async def _count(self) -> None:
        """Count what a scrape asks for, which takes longer than a look, once in a while."""
        if self._counted is not None and self._passed() - self._counted < _COUNTED_EVERY:
            return
        self._counted = self._passed()
        orders, waiting = await self._database.read(_counts)
        self._metrics.subscribed(orders)
        self._metrics.waiting(waiting)


@dataclass(frozen=True, slots=True)
class _Looked:
    """What came of looking at orders.

    `owed` is how many deliveries were enqueued; `missed` are orders with the due time for which
    nothing came, `failed` those that could not be ruled on, and why; `passed_over` as in `Taken`.
    """

    owed: int
    missed: list[tuple[int, datetime]]
    failed: list[tuple[tuple[int, ...], Exception]]
    passed_over: frozenset[int]


def _enqueued(  # noqa: PLR0913 - how they are taken comes beside what is
    session: Session,
    orders: Sequence[int],
    now: datetime,
    wall: datetime,
    *,
    waiting: bool,
    patient: bool,
) -> _Looked:
    """Rule on those of some orders that are due, and write down what that says."""
    taken = due_subscriptions.take(session, orders, now, waiting=waiting, patient=patient)
    looked = _Looked(0, [], [], taken.passed_over)
    for each in taken.dues:
        try:
            ruling = ruled(each, taken.newest, now)
        except Exception as error:  # noqa: BLE001 - whatever it was, the other orders are to be looked at
            looked.failed.append((each.orders, error))
            continue
        looked = replace(looked, owed=looked.owed + _written(session, each, ruling, wall))
        missed_at = ruling.terms.missed_at
        if missed_at and missed_at != each.terms.missed_at:
            looked.missed.extend((order, missed_at) for order in each.orders)
    return looked


def _written(session: Session, due: Due, ruling: Ruling, wall: datetime) -> int:
    """Write a ruling down; return how many deliveries it added to the queue."""
    if ruling.terms != due.terms or ruling.owed:
        due_subscriptions.keep(session, due, ruling.terms, ruling.open_until)
    if ruling.due_at is None:
        return 0
    return sum(
        due_subscriptions.owe(session, due.orders, edition.id, ruling.due_at, wall)
        for edition in ruling.owed
    )


def _counts(session: Session) -> tuple[dict[str, int], dict[str, int]]:
    return count_states(session), count_waiting(session)


def _batches(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (ids[start : start + _AT_ONCE] for start in range(0, len(ids), _AT_ONCE))


def _log_failed(orders: Sequence[int], error: Exception) -> None:
    for order in orders:
        _log.error("order_failed", exc_info=error, extra={"subscription": order})
