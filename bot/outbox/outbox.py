"""What finds deliveries that are to be carried out, and has that done side by side."""

import asyncio
import logging
import math
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from bot.clock import Clock, SystemClock
from bot.health import Condition, State, unforeseen
from bot.metrics import Metrics
from bot.outbox.correcting import correct
from bot.outbox.deciding import after_mishap
from bot.outbox.holding import Holding
from bot.outbox.pace import Pace
from bot.outbox.rests import Rests
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
_LATE_ROUNDS = 3
_LATE = 30.0


@dataclass(frozen=True, slots=True)
class _Run:
    """A delivery that is being carried out."""

    ready: Ready
    task: asyncio.Task[None]


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
        self._sending = Sending(self._pace, metrics, self._pause, self._asked_to_wait)
        self._telling = Telling(database, posters, self._wall, self._pace)
        self._metrics = metrics
        self._running: dict[int, _Run] = {}
        self._next: deque[Ready] = deque()
        self._told: asyncio.Task[None] | None = None
        self._rests = Rests(seconds)
        self._beats: dict[int, tuple[int, str, float]] = {}
        self._stopping = False
        # What the store said last, to looking and to noting, and until when it is left alone.
        self._unread = self._unnoted = ""
        self._idle_until = self._last = seconds()

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            await self._bell.heard(await self._round())

    async def stop(self, seconds: float) -> None:
        """Let what is being sent arrive, within so many seconds, and begin nothing more."""
        self._stopping = True
        working = {run.task for run in self._running.values()}
        working |= {self._told} if self._told else set()
        if working:
            _, late = await asyncio.wait(working, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def condition(self) -> Condition:
        """Say how it is."""
        if said := self._unread or self._unnoted:
            return Condition(State.FAILING, said)
        late = self._seconds() - self._last
        if late > _LATE_ROUNDS * self._pace.idle + _LATE:
            return Condition(State.FAILING, f"It last looked {late:.0f} s ago.")
        return Condition(State.OK)

    async def _round(self) -> float:
        """Begin what can be begun now; return after how many seconds to look again."""
        if (idle := self._idle_until - self._seconds()) > 0:
            return idle
        try:
            self._tell()
            pause = await self._begin()
        except StoreError as error:
            _log.warning("outbox_failed", extra={"reason": error.sentence})
            self._unread = error.sentence
            return self._pace.idle
        except Exception as error:  # noqa: BLE001 - whatever it was, the next post is to be sent
            _log.exception("outbox_failed")
            self._unread = unforeseen(error)
            return self._pace.idle
        self._unread, self._last = "", self._seconds()
        return pause

    def _tell(self) -> None:
        """Tell owners what they are to be told, beside the posts, which do not wait for that."""
        if not self._stopping and (self._told is None or self._told.done()):
            self._told = asyncio.create_task(self._telling.tell_all(), name="telling")

    async def _begin(self) -> float:
        """Begin deliveries that are ready, one to a channel, as many as go side by side."""
        while True:
            resting = self._rests.resting()
            found = await self._database.read(
                queue.look,
                tuple(self._posters),
                self._wall.now(),
                _MOST,
                busy=frozenset(run.ready.channel for run in self._running.values()),
                resting=frozenset(resting),
            )
            self._take_over(found.held)
            begun = [each for each in found.ready if self._has_room and self._start(each)]
            self._next = deque(each for each in found.ready if each.id not in self._running)
            # Behind many that go to one channel there may be others.
            if not begun or len(found.ready) < _MOST or not self._has_room:
                break
        if not found.ready and not found.held:
            self._unnoted = ""
        left = (found.next_at - self._wall.now()).total_seconds() if found.next_at else math.inf
        # What is ready and was not begun waits for one that is at work, whose end rings the bell.
        return min(self._pace.idle, *resting.values(), max(left, _SOON))

    @property
    def _has_room(self) -> bool:
        return len(self._running) < self._pace.together and not self._stopping

    def _take_over(self, held: list[tuple[Ready, str]]) -> None:
        """Take what stayed in somebody's hands for longer than a lease without another beat.

        That is measured here, so that a machine whose time was changed takes nothing from one
        that is at work.
        """
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

    def _start(self, ready: Ready) -> bool:
        """Carry a delivery out, unless one is on its way there; whether it was begun."""
        busy = any(run.ready.channel == ready.channel for run in self._running.values())
        if self._stopping or busy or ready.id in self._running:
            return False
        task = asyncio.create_task(self._carry_out(ready), name=f"delivery-{ready.id}")
        self._running[ready.id] = _Run(ready, task)
        task.add_done_callback(lambda _: self._ended(ready.id))
        return True

    def _ended(self, delivery: int) -> None:
        del self._running[delivery]
        # What was found last is begun first, so that not every end is followed by a look.
        while self._next and self._has_room:
            ready = self._next.popleft()
            if not self._rests.left(ready.workspace) and self._start(ready):
                return
        self._bell.ring()

    def _pause(self, delivery: int) -> float | None:
        """Return for how long a delivery is to pause, `None` where it may go on."""
        if self._stopping:
            return 0.0
        return self._rests.left(self._running[delivery].ready.workspace) or None

    def _asked_to_wait(self, delivery: int, seconds: float) -> None:
        self._rests.rest(self._running[delivery].ready.workspace, seconds)

    async def _carry_out(self, ready: Ready) -> None:
        """Carry a delivery out; whatever goes wrong with it leaves the others alone."""
        facts = {"delivery": ready.id, "platform": ready.platform}
        try:
            await self._work_on(ready)
        except LeaseLost:
            _log.warning("delivery_taken_over", extra=facts)
        except StoreError as error:
            # It stays in hand, and is taken up again when its lease has run out.
            _log.warning("delivery_not_noted", extra=facts | {"reason": error.sentence})
            self._leave_alone(error.sentence)
        except Exception as error:  # noqa: BLE001 - the same
            _log.exception("outbox_failed", extra=facts)
            self._leave_alone(unforeseen(error))
        else:
            self._unnoted = ""

    def _leave_alone(self, why: str) -> None:
        """Look no more for a while: the store takes nothing down, and would be asked at once."""
        self._unnoted = why
        self._next.clear()
        self._idle_until = self._seconds() + self._pace.idle

    async def _work_on(self, ready: Ready) -> None:
        holding = None
        try:
            began = self._seconds(), self._wall.now()
            work = await self._database.write(ledger.claim, ready, self._owner)
            if work is None:
                return
            holding = Holding(
                self._database, work, self._clock, self._wall, self._pace, self._seconds, began
            )
            poster = self._posters[ready.platform]
            if work.is_correction:
                await correct(holding, poster, self._pace, self._metrics, self._asked_to_wait)
            else:
                await self._sending.send(holding, poster)
        except (LeaseLost, StoreError):
            raise
        except Exception as error:  # noqa: BLE001 - the same
            _log.exception(
                "delivery_failed", extra={"delivery": ready.id, "platform": ready.platform}
            )
            await self._put_off(ready, holding, error)

    async def _put_off(self, ready: Ready, holding: Holding | None, error: Exception) -> None:
        """Have a delivery wait in which something happened that nobody foresaw."""
        self._metrics.delivered(ready.platform, "failed")
        if holding is not None:
            await holding.settle(None, after_mishap(error, holding.work, holding.now(), self._pace))
            return
        until = self._wall.now() + timedelta(seconds=self._pace.longest_wait)
        await self._database.write(queue.put_off, ready, until, unforeseen(error))
