"""What finds deliveries that are to be carried out, and has that done side by side."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Mapping

from bot.clock import Clock, SystemClock
from bot.health import Condition, State
from bot.metrics import Metrics
from bot.outbox.correcting import correct
from bot.outbox.holding import Holding
from bot.outbox.pace import Pace
from bot.outbox.sending import Sending
from bot.outbox.telling import Telling
from bot.ports import Poster
from bot.waking import Bell
from store import ledger, queue
from store.database import Database
from store.errors import LeaseLost, StoreError
from store.queue import Ready

_log = logging.getLogger(__name__)
_MOST = 100
_SOON = 0.05


class Outbox:
    """Sends what is owed, each delivery once.

    Args:
        database: the store.
        posters: the platforms' doors by name.
        clock: the time, as people see it.
        bell: rings when something may be owed.
        metrics: counts what becomes of deliveries.
        wall: the time that no setting moves.
        pace: how long what may take.
        seconds: a clock that only goes forward.
    """

    def __init__(  # noqa: PLR0913 - what it is made of is handed over piece by piece
        self,
        database: Database,
        posters: Mapping[str, Poster],
        clock: Clock,
        bell: Bell,
        metrics: Metrics,
        *,
        wall: Clock | None = None,
        pace: Pace | None = None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._posters = posters
        self._clock = clock
        self._bell = bell
        self._wall = wall or SystemClock()
        self._pace = pace or Pace()
        self._seconds = seconds
        self._owner = secrets.token_urlsafe(8)
        self._sending = Sending(self._pace, metrics, lambda: self._stopping)
        self._telling = Telling(database, posters, self._wall, self._pace)
        self._metrics = metrics
        self._running: dict[int, asyncio.Task[None]] = {}
        self._channels: dict[int, tuple[str, str]] = {}
        self._beats: dict[int, tuple[int, str, float]] = {}
        self._stopping = False
        self._trouble: StoreError | None = None

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            await self._bell.heard(await self._round())

    async def stop(self, seconds: float) -> None:
        """Let what is being sent arrive, within so many seconds, and begin nothing more."""
        self._stopping = True
        if self._running:
            _, late = await asyncio.wait(set(self._running.values()), timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def condition(self) -> Condition:
        """Say how it is."""
        if self._trouble:
            return Condition(State.FAILING, self._trouble.sentence)
        return Condition(State.OK)

    async def _round(self) -> float:
        """Begin what can be begun now; return after how many seconds to look again."""
        try:
            await self._telling.tell_all()
            await self._take_over()
            pause = await self._begin()
        except StoreError as error:
            _log.warning("outbox_failed", extra={"reason": error.sentence})
            self._trouble = error
            return self._pace.idle
        except Exception:  # noqa: BLE001 - whatever it was, the next post is to be sent
            _log.exception("outbox_failed")
            return self._pace.idle
        self._trouble = None
        return pause

    async def _begin(self) -> float:
        """Begin deliveries that are ready, one to a channel, as many as go side by side."""
        now = self._wall.now()
        ready = await self._database.read(queue.list_ready, tuple(self._posters), now, _MOST)
        for each in ready:
            if len(self._running) >= self._pace.together or self._stopping:
                return self._pace.idle
            self._start(each)
        following = await self._database.read(queue.next_ready_at, tuple(self._posters))
        if following is None:
            return self._pace.idle
        left = (following - self._wall.now()).total_seconds()
        # What is ready and was not begun waits for its channel, whose end rings the bell.
        return min(self._pace.idle, left) if left > _SOON else self._pace.idle

    async def _take_over(self) -> None:
        """Take what stayed in somebody's hands for longer than a lease without another beat.

        That is measured here, so that a machine whose time was changed takes nothing from one
        that is at work.
        """
        held = await self._database.read(queue.list_held, tuple(self._posters))
        seen = {}
        for ready, owner in held:
            if ready.id in self._running:
                continue
            beat, holder, since = self._beats.get(ready.id, (-1, "", 0.0))
            if (beat, holder) != (ready.beat, owner):
                since = self._seconds()
            seen[ready.id] = (ready.beat, owner, since)
            if self._seconds() - since >= self._pace.lease:
                self._start(ready)
        self._beats = seen

    def _start(self, ready: Ready) -> None:
        channel = (ready.workspace, ready.channel)
        if self._stopping or channel in self._channels.values() or ready.id in self._running:
            return
        task = asyncio.create_task(self._carry_out(ready), name=f"delivery-{ready.id}")
        self._running[ready.id], self._channels[ready.id] = task, channel
        task.add_done_callback(lambda _: self._ended(ready.id))

    def _ended(self, delivery: int) -> None:
        del self._running[delivery], self._channels[delivery]
        self._bell.ring()

    async def _carry_out(self, ready: Ready) -> None:
        facts = {"delivery": ready.id, "platform": ready.platform}
        try:
            began = self._seconds(), self._wall.now()
            work = await self._database.write(ledger.claim, ready, self._owner)
            if work is None:
                return
            poster = self._posters[ready.platform]
            holding = Holding(
                self._database, work, self._clock, self._wall, self._pace, self._seconds, began
            )
            if work.is_correction:
                await correct(holding, poster, self._pace, self._metrics)
            else:
                await self._sending.send(holding, poster)
        except LeaseLost:
            _log.warning("delivery_taken_over", extra=facts)
        except StoreError as error:
            # It stays in hand, and is taken up again when its lease has run out.
            _log.warning("delivery_not_noted", extra=facts | {"reason": error.sentence})
        except Exception:  # noqa: BLE001 - whatever it was, the others are to be sent
            _log.exception("delivery_failed", extra=facts)
