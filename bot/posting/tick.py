"""The tick: it enqueues what became due, and corrections of what was posted.

The store knows what is due (`next_due_at`). The scheduler only calls `tick`; a tick that is late,
or comes twice, finds what is there.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from bot.clock import Clock, SystemClock
from bot.coordination.wakeup import WakeUp
from bot.operations.health import Condition, of_looks, unforeseen
from bot.operations.metrics import Metrics
from bot.posting.due_rules import Decision, decide
from store.database import Database, Session
from store.errors import SchemaOutdated, SchemaTooNew, StoreBusy, StoreError, StoreUnavailable
from store.posting import due_subscriptions, queue
from store.posting.due_subscriptions import DueGroup
from store.posting.personal_deliveries import enqueue_digest
from store.posting.queue import count_waiting
from store.posting.subscriptions import count_states

_log = logging.getLogger(__name__)
# In one transaction, so that other writers wait no longer than a moment.
_BATCH = 500
_COUNTED_EVERY = 60.0
# Errors that any other subscription would meet as well.
_STORE_TROUBLE = (StoreBusy, StoreUnavailable, SchemaTooNew, SchemaOutdated)


class Ticker:
    """Enqueues what is due, and wakes the delivery worker.

    `clock` is the time that users see, `system_clock` the time that no setting moves, `seconds` a
    monotonic clock; `interval` is how many seconds ticks are apart.
    """

    def __init__(  # noqa: PLR0913 - the composition root passes each part
        self,
        database: Database,
        clock: Clock,
        wake_up: WakeUp,
        metrics: Metrics,
        interval: float,
        *,
        system_clock: Clock | None = None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._clock = clock
        self._wake_up = wake_up
        self._metrics = metrics
        self._interval = interval
        self._system_clock = system_clock or SystemClock()
        self._seconds = seconds
        # The day and the version of the content at the last tick.
        self._seen: tuple[date, str] | tuple[None, None] = (None, None)
        # Whether they differed from the tick before.
        self._changed = False
        self._counted_at: float | None = None
        self._error = ""
        self._ticked_at = seconds()

    async def tick(self) -> None:
        """Look once for what is due; log an error, and let the next tick look again."""
        try:
            await self._look()
        except StoreError as error:
            self._error = error.sentence
            self._metrics.ticked("failed")
            _log.warning("tick_failed", extra={"reason": error.sentence})
            return
        except Exception as error:  # noqa: BLE001 - whatever it was, the next tick has to come
            self._error = unforeseen(error)
            self._metrics.ticked("failed")
            _log.exception("tick_failed")
            return
        self._error, self._ticked_at = "", self._seconds()
        self._metrics.ticked("ok")

    def condition(self) -> Condition:
        """Return the health of the ticks."""
        return of_looks(self._error, self._seconds() - self._ticked_at, self._interval)

    async def _look(self) -> None:
        now = self._clock.now()
        # A due time stays open for an import, or for a day on which an edition closes.
        day, known = self._seen
        found = await self._database.read(
            due_subscriptions.find_due, now, known if day == now.date() else None
        )
        seen = (now.date(), found.content_version)
        changed = seen != self._seen
        passed_over: list[int] = []
        for ids in _batches(found.ids):
            passed_over += await self._enqueue(ids, now, waiting=changed)
        if changed:
            # What is due by its time is due at the next tick too; an open due time would not be.
            for ids in _batches(passed_over):
                await self._enqueue(ids, now, waiting=True, patient=True)
        if changed or self._changed:
            # The second tick sees what was being recorded as sent during the first.
            for ids in _batches(await self._database.read(queue.list_outdated)):
                now_on_system = self._system_clock.now()
                self._notify(
                    await self._database.write_locking_rows(
                        queue.enqueue_corrections, ids, now_on_system
                    )
                )
        self._seen, self._changed = seen, changed
        await self._count()

    async def _enqueue(
        self, ids: Sequence[int], now: datetime, *, waiting: bool, patient: bool = False
    ) -> frozenset[int]:
        """Enqueue what subscriptions are due; return those that were passed over.

        A subscription that fails holds up no other: a batch that fails is halved.
        """
        system_now = self._system_clock.now()
        try:
            result = await self._database.write_locking_rows(
                _enqueue_due, ids, now, system_now, waiting=waiting, patient=patient
            )
        except _STORE_TROUBLE:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it was, the others are enqueued
            if len(ids) == 1:
                _log_failed(ids, error)
                return frozenset()
            middle = len(ids) // 2
            first = await self._enqueue(ids[:middle], now, waiting=waiting, patient=patient)
            second = await self._enqueue(ids[middle:], now, waiting=waiting, patient=patient)
            return first | second
        for failed, why in result.failed:
            _log_failed(failed, why)
        for subscription_id, due_at in result.missed:
            facts = {"subscription": subscription_id, "due_at": str(due_at)}
            _log.warning("due_missed", extra=facts)
        self._notify(result.enqueued)
        return result.passed_over

    def _notify(self, enqueued: int) -> None:
        if enqueued:
            self._wake_up.notify()

    async def _count(self) -> None:
        """Count for the metrics, which takes longer than a tick, once in a while."""
        now = self._seconds()
        if self._counted_at is not None and now - self._counted_at < _COUNTED_EVERY:
            return
        self._counted_at = now
        self._metrics.subscribed(await self._database.read(count_states))
        self._metrics.waiting(await self._database.read(count_waiting))


@dataclass(slots=True)
class _Enqueued:
    """The result of deciding on subscriptions.

    `enqueued` counts deliveries; `missed` are subscriptions with the due time for which nothing
    came, `failed` those that could not be decided on, and why; `passed_over` as in `Taken`.
    """

    passed_over: frozenset[int]
    enqueued: int = 0
    missed: list[tuple[int, datetime]] = field(default_factory=list)
    failed: list[tuple[tuple[int, ...], Exception]] = field(default_factory=list)


def _enqueue_due(  # noqa: PLR0913 - how they are taken comes beside what is
    session: Session,
    ids: Sequence[int],
    now: datetime,
    system_now: datetime,
    *,
    waiting: bool,
    patient: bool,
) -> _Enqueued:
    """Decide on those of some subscriptions that are due, and write the decisions."""
    taken = due_subscriptions.lock_due(session, ids, now, waiting=waiting, wait_for_locks=patient)
    result = _Enqueued(taken.passed_over)
    for due in taken.groups:
        try:
            decision = decide(due, taken.newest, now)
        except Exception as error:  # noqa: BLE001 - whatever it was, the others are enqueued
            result.failed.append((due.subscriptions, error))
            continue
        result.enqueued += _write(session, due, decision, system_now)
        missed_at = decision.terms.missed_at
        if missed_at and missed_at != due.terms.missed_at:
            result.missed.extend(
                (subscription_id, missed_at) for subscription_id in due.subscriptions
            )
    return result


def _write(session: Session, due: DueGroup, decision: Decision, system_now: datetime) -> int:
    """Write a decision; return how many deliveries it enqueued."""
    if decision.terms != due.terms or decision.editions:
        due_subscriptions.save_terms(session, due, decision.terms, decision.open_until)
    if decision.due_at is None:
        return 0
    if decision.digest:
        return enqueue_digest(session, due.subscriptions, decision.due_at, system_now)
    return sum(
        queue.enqueue(session, due.subscriptions, edition.id, decision.due_at, system_now)
        for edition in decision.editions
    )


def _batches(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (ids[start : start + _BATCH] for start in range(0, len(ids), _BATCH))


def _log_failed(ids: Sequence[int], error: Exception) -> None:
    for subscription_id in ids:
        facts = {"subscription": subscription_id}
        _log.error("subscription_failed", exc_info=error, extra=facts)
