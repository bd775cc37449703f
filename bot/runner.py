"""The tick: what became due is put into the queue, and what was corrected is looked through.

The schedule's truth is in the store (`next_due_at`). APScheduler only calls `tick`; one that is
late, or called twice, finds what is there.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bot.clock import Clock, SystemClock
from bot.health import Condition, State, unforeseen
from bot.metrics import Metrics
from bot.owing import ruled
from bot.waking import Bell
from store import content, due, queue
from store.database import Database, Session
from store.due import Due
from store.errors import StoreError

_log = logging.getLogger(__name__)
# In one transaction, so that other writers wait no longer than a moment.
_AT_ONCE = 100
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
        self._seen: tuple[str, object] | None = None
        self._trouble = ""
        self._passed = passed
        self._last = passed()

    async def tick(self) -> None:
        """Look once; what goes wrong is logged, and the next tick looks again."""
        try:
            found = await self._look()
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
        if found:
            self._bell.ring()

    def condition(self) -> Condition:
        """Say how it is."""
        if self._trouble:
            return Condition(State.FAILING, self._trouble)
        late = self._passed() - self._last
        if late > _LATE_TICKS * self._seconds + _LATE:
            return Condition(State.FAILING, f"It last looked {late:.0f} s ago.")
        return Condition(State.OK)

    async def _look(self) -> bool:
        """Look for what is due and for what changed; whether there is anything to send."""
        now = self._clock.now()
        # What waits can only have come by an import, or with a day on which an edition closes.
        seen = (await self._database.read(content.version), now.date())
        changed = seen != self._seen
        owed = await self._enqueue(now, waiting=changed)
        corrected = await self._corrections() if changed else 0
        self._seen = seen
        self._metrics.ordered(await self._database.read(due.count_states))
        self._metrics.waiting(await self._database.read(due.count_waiting))
        return bool(owed or corrected)

    async def _enqueue(self, now: datetime, *, waiting: bool) -> int:
        owed, after = 0, 0
        # Mostly nothing is due, and then nothing is written.
        while await self._database.read(due.list_due, now, waiting=waiting, after=after, most=1):
            batch = await self._database.write(
                _enqueued, now, self._wall.now(), waiting=waiting, after=after
            )
            owed += batch.owed
            after = batch.last
        return owed

    async def _corrections(self) -> int:
        if not await self._database.read(queue.outdated):
            return 0
        return await self._database.write(queue.correct, self._wall.now())


@dataclass(frozen=True, slots=True)
class _Batch:
    """Orders that were looked at: how many deliveries they are owed, and the last one's id."""

    owed: int
    last: int


def _enqueued(
    session: Session, now: datetime, wall: datetime, *, waiting: bool, after: int
) -> _Batch:
    """Rule on the next orders that are due, and write down what that says."""
    newest = due.newest(session, now.date())
    dues = due.list_due(session, now, waiting=waiting, after=after, most=_AT_ONCE)
    owed = sum(_enqueue_one(session, each, newest, now, wall) for each in dues)
    return _Batch(owed, max((each.order.id or 0 for each in dues), default=after + 1))


def _enqueue_one(
    session: Session, each: Due, newest: dict[str, due.Newest], now: datetime, wall: datetime
) -> int:
    try:
        ruling, owed = ruled(each, newest, now), 0
    except Exception:  # noqa: BLE001 - whatever it was, the other orders are to be looked at
        _log.exception("order_failed", extra={"subscription": each.order.id})
        return 0
    if ruling.order != each.order:
        due.save(session, ruling.order, ruling.open_until)
    for edition in ruling.owed:
        if ruling.due_at and ruling.order.id:
            added = queue.enqueue(session, ruling.order.id, edition.id, ruling.due_at, wall)
            owed += added is not None
    if ruling.order.missed_at != each.order.missed_at:
        facts = {"subscription": each.order.id, "due_at": str(ruling.order.missed_at)}
        _log.warning("due_missed", extra=facts)
    return owed
