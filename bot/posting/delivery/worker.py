"""The delivery worker: it claims ready deliveries and keeps their attempts in flight."""

import asyncio
import logging
import math
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from bot.clock import Clock, SystemClock
from bot.coordination.rate_limiter import RateLimiter
from bot.coordination.wakeup import WakeUp
from bot.operations.health import Condition, of_looks, unforeseen
from bot.operations.metrics import Metrics
from bot.posting.delivery.attempt import Attempt
from bot.posting.delivery.capacity import Cooldowns, InFlight
from bot.posting.delivery.contents import Contents
from bot.posting.delivery.correct import correct
from bot.posting.delivery.outcomes import after_unhandled_error
from bot.posting.delivery.owner_notices import OwnerNotices
from bot.posting.delivery.scan import Scanner
from bot.posting.delivery.send import Sender
from bot.posting.delivery.timing import Clocks, Timing
from bot.posting.delivery.transition_batches import TransitionBatcher
from bot.posting.delivery.unconfirmed import UnconfirmedMessages
from bot.posting.ports import ChannelClient
from store.database import Database
from store.errors import LeaseLost, StoreError
from store.posting import claim, queue
from store.posting.claim import ClaimedDelivery
from store.posting.queue import ReadyDelivery

_log = logging.getLogger(__name__)
# So many more candidates than there is room for are tried: other processes may be quicker.
_SPARE = 32
_SHORTEST_PAUSE = 0.05
_NOTICES_EVERY = 1.0


class DeliveryWorker:
    """Sends what is due, each delivery once.

    Args:
        database: the store.
        clients: the platforms' channel clients by name.
        clock: the time that users see.
        wake_up: is notified when something may be due.
        metrics: counts the outcomes.
        system_clock: the time that no setting moves.
        timing: timeouts and limits.
        seconds: a monotonic clock.
        replica: names this process among those on the same store.
        rate_limiter: is shared with the platforms' other requests.
    """

    def __init__(  # noqa: PLR0913 - the composition root passes each part
        self,
        database: Database,
        clients: Mapping[str, ChannelClient],
        clock: Clock,
        wake_up: WakeUp,
        metrics: Metrics,
        *,
        system_clock: Clock | None = None,
        timing: Timing | None = None,
        seconds: Callable[[], float] = time.monotonic,
        replica: str = "",
        rate_limiter: RateLimiter | None = None,
    ) -> None:
        self._clients = clients
        self._wake_up = wake_up
        self._metrics = metrics
        self._timing = timing = timing or Timing()
        self._clocks = clocks = Clocks(clock, system_clock or SystemClock(), seconds)
        limiter = rate_limiter or RateLimiter(
            database, clocks.system, horizon=timing.horizon, seconds=seconds
        )
        owner = replica or secrets.token_urlsafe(8)
        unconfirmed = UnconfirmedMessages(timing, clocks)
        self._in_flight = InFlight(timing)
        self._cooldowns = Cooldowns(database, clocks)
        self._scanner = Scanner(
            database, clients, owner, self._in_flight, self._cooldowns, unconfirmed, clocks, timing
        )
        self._claimer = Claimer(database, owner, metrics, clocks, timing)
        self._batcher = TransitionBatcher(database)
        self._sender = Sender(
            Contents(database, clock), limiter, self._cooldowns, unconfirmed, metrics
        )
        self._notices = OwnerNotices(database, clients, clocks, timing)
        self._notifying: asyncio.Task[None] | None = None
        self._notified_at = -math.inf
        # Held while deliveries are scanned and claimed.
        self._claiming = asyncio.Lock()
        # The last errors of scans and of recording, and until when the store is left alone.
        self._scan_error = self._record_error = ""
        self._idle_until = self._scanned_at = seconds()

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            await self._wake_up.wait(await self._round())

    async def stop(self, seconds: float) -> None:
        """Start nothing more; let what was begun arrive, within so many seconds.

        Attempts that wait for a slot give their claims back at once.
        """
        self._cooldowns.stopping = self._notices.stopping = True
        self._sender.cancel_waits()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                # What is being claimed is given back as well.
                async with self._claiming:
                    running = self._running()
                if running:
                    await asyncio.wait(running)
        late = self._running()
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def _running(self) -> set[asyncio.Task[None]]:
        notifying = {self._notifying} if self._notifying and not self._notifying.done() else set()
        return self._in_flight.tasks | notifying

    def condition(self) -> Condition:
        """Return the worker's health."""
        ago = self._clocks.seconds() - self._scanned_at
        return of_looks(self._scan_error or self._record_error, ago, self._timing.idle)

    async def _round(self) -> float:
        """Start what can be started now; return after how many seconds to scan again."""
        if self._cooldowns.stopping:
            return self._timing.idle
        if (idle := self._idle_until - self._clocks.seconds()) > 0:
            return idle
        try:
            self._send_notices()
            async with self._claiming:
                pause = await self._start_ready()
        except StoreError as error:
            _log.warning("delivery_worker_failed", extra={"reason": error.sentence})
            self._scan_error = error.sentence
            return self._timing.idle
        except Exception as error:  # noqa: BLE001 - whatever it was, the next post is sent
            _log.exception("delivery_worker_failed")
            self._scan_error = unforeseen(error)
            return self._timing.idle
        self._scan_error, self._scanned_at = "", self._clocks.seconds()
        return pause

    def _send_notices(self) -> None:
        """Send notices to owners beside the posts, which do not wait for them."""
        running = self._notifying is not None and not self._notifying.done()
        passed = self._clocks.seconds() - self._notified_at
        if not running and passed >= min(_NOTICES_EVERY, self._timing.idle):
            self._notified_at = self._clocks.seconds()
            self._notifying = asyncio.create_task(self._notices.send_due(), name="owner-notices")

    async def _start_ready(self) -> float:
        """Start ready deliveries, one in each channel, up to the limits; return the pause."""
        started = await self._start_found()
        platforms = self._with_room()
        if started:
            platforms = self._scanner.found.to_rescan(platforms)
        scans = bool(platforms) or self._scanner.is_late
        while scans and not self._cooldowns.stopping:
            has_more = await self._scanner.scan(platforms)
            if self._scanner.is_empty:
                self._record_error = ""
            started = await self._start_found()
            # Behind many of one platform or workspace there may be others.
            platforms = self._with_room()
            scans = bool(has_more and started and platforms)
        if self._cooldowns.stopping:
            return self._timing.idle
        # What is ready and was not started waits for an attempt in flight, whose end wakes this up.
        pauses = self._timing.idle, self._scanner.next_in, *self._cooldowns.active().values()
        return max(min(pauses), _SHORTEST_PAUSE)

    def _with_room(self) -> list[str]:
        return [platform for platform in self._clients if self._in_flight.room(platform)]

    async def _start_found(self) -> int:
        """Start what the last scan found, as far as there is room; return how many."""
        return sum([await self._start_on(platform) for platform in self._clients])

    async def _start_on(self, platform: str) -> int:
        """Claim and start as many of a platform as there is room for; return how many.

        The spare candidates replace those that other processes claimed first.
        """
        started = 0
        while not self._cooldowns.stopping and (room := self._in_flight.room(platform)):
            chosen = self._in_flight.choose(self._scanner.candidates(platform))
            candidates = {ready.id: ready for ready in chosen[: room + _SPARE]}
            if not candidates:
                break
            read_at = self._clocks.read()
            works = await self._claimer.claim([*candidates.values()], room)
            claimed = [work.claim.id for work in works]
            self._scanner.found.remove(claimed if len(works) == room else candidates)
            for work in works:
                self._start(candidates[work.claim.id], work, read_at)
                # One after another: together they would keep others from the event loop.
                await asyncio.sleep(0)
            started += len(works)
        return started

    def _start(
        self, ready: ReadyDelivery, work: ClaimedDelivery, read_at: tuple[float, datetime]
    ) -> None:
        client = self._clients[ready.platform]
        attempt = Attempt(
            ready, work, client, self._batcher, self._clocks, self._timing, renewed_at=read_at
        )
        task = asyncio.create_task(self._attempt(attempt), name=f"delivery-{ready.id}")
        self._in_flight.add(ready, task)
        task.add_done_callback(lambda _: self._ended(ready))

    def _ended(self, ready: ReadyDelivery) -> None:
        self._in_flight.remove(ready)
        if self._in_flight.wants_more(ready) or not self._scanner.found.fresh_for:
            self._wake_up.notify()

    async def _attempt(self, attempt: Attempt) -> None:
        """Carry an attempt out; an error of one leaves the others alone."""
        facts = {"delivery": attempt.id, "platform": attempt.platform}
        try:
            await self._send_or_correct(attempt)
        except LeaseLost:
            _log.warning("delivery_taken_over", extra=facts)
        except StoreError as error:
            # The claim stays, and is taken over after its lease.
            _log.warning("delivery_not_recorded", extra=facts | {"reason": error.sentence})
            self._pause_scans(error.sentence)
        except Exception as error:  # noqa: BLE001 - the same
            _log.exception("delivery_worker_failed", extra=facts)
            self._pause_scans(unforeseen(error))
        else:
            self._record_error = ""

    def _pause_scans(self, error: str) -> None:
        """Scan no more for a while: the store records nothing, and would be asked at once."""
        self._record_error = error
        self._idle_until = self._clocks.seconds() + self._timing.idle

    async def _send_or_correct(self, attempt: Attempt) -> None:
        try:
            if attempt.work.is_correction:
                await correct(attempt, self._cooldowns, self._metrics)
            else:
                await self._sender.send(attempt)
        except (LeaseLost, StoreError):
            raise
        except Exception as error:  # noqa: BLE001 - the same
            facts = {"delivery": attempt.id, "platform": attempt.platform}
            _log.exception("delivery_failed", extra=facts)
            self._metrics.delivered(attempt.platform, "failed")
            now = self._clocks.now()
            outcome = after_unhandled_error(error, attempt.work, now, self._timing)
            await attempt.settle(None, outcome)


class Claimer:
    """Claims deliveries for a process, its `owner`; raises `StoreError` if it can't write."""

    def __init__(
        self, database: Database, owner: str, metrics: Metrics, clocks: Clocks, timing: Timing
    ) -> None:
        self._database = database
        self._owner = owner
        self._metrics = metrics
        self._clocks = clocks
        self._timing = timing

    async def claim(self, candidates: Sequence[ReadyDelivery], limit: int) -> list[ClaimedDelivery]:
        """Claim up to `limit` candidates in order, except those that other processes claimed."""
        try:
            return await self._database.write_locking_rows(
                claim.claim_deliveries, candidates, self._owner, limit
            )
        except StoreError:
            raise
        except Exception:  # noqa: BLE001 - one of them failed; the others are claimed
            _log.exception("deliveries_not_claimed")
        claimed: list[ClaimedDelivery] = []
        for ready in candidates[:limit]:
            claimed += await self._claim_singly(ready)
        return claimed

    async def _claim_singly(self, ready: ReadyDelivery) -> list[ClaimedDelivery]:
        """Claim one delivery; postpone one that can't be read."""
        try:
            return await self._database.write_locking_rows(
                claim.claim_deliveries, [ready], self._owner, 1
            )
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - the same
            facts = {"delivery": ready.id, "platform": ready.platform}
            _log.exception("delivery_failed", extra=facts)
            self._metrics.delivered(ready.platform, "failed")
            until = self._clocks.now() + timedelta(seconds=self._timing.longest_wait)
            await self._database.write(queue.postpone, ready, until, unforeseen(error))
            return []
