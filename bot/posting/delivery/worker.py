"""What finds deliveries that are to be carried out, and has that done side by side."""

import asyncio
import logging
import math
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime

from bot.clock import Clock, SystemClock
from bot.coordination.rate_limiter import Lanes
from bot.coordination.wakeup import Bell
from bot.operations.health import Condition, State, unforeseen
from bot.operations.metrics import Metrics
from bot.posting.delivery.capacity import Hands
from bot.posting.delivery.claim import Claiming
from bot.posting.delivery.cooldowns import Rests
from bot.posting.delivery.correct import Correcting
from bot.posting.delivery.lease import Holding
from bot.posting.delivery.outcomes import after_mishap
from bot.posting.delivery.owner_notices import Telling
from bot.posting.delivery.scan import Finding
from bot.posting.delivery.send import Sending
from bot.posting.delivery.timing import Pace
from bot.posting.delivery.transition_batches import Noting
from bot.posting.delivery.unconfirmed import Awaiting
from bot.posting.ports import Poster
from store.database import Database
from store.errors import LeaseLost, StoreError
from store.posting.claim import ClaimedDelivery
from store.posting.queue import ReadyDelivery

_log = logging.getLogger(__name__)
# So many more are tried than there is room for: others may have been quicker.
_SPARE = 32
_SOON = 0.05
_LATE_ROUNDS = 3
_LATE = 30.0
_TELL_SECONDS = 1.0


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
        replica: names this process among those on the same store.
        lanes: keep what all of them send within the platforms' limits.
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
        replica: str = "",
        lanes: Lanes | None = None,
    ) -> None:
        self._database = database
        self._posters = posters
        self._clock = clock
        self._bell = bell
        self._wall = wall or SystemClock()
        self._pace = pace or Pace()
        self._seconds = seconds
        self._owner = replica or secrets.token_urlsafe(8)
        self._claiming = Claiming(database, self._owner, metrics, self._wall, self._pace)
        self._noting = Noting(database)
        self._hands = Hands(self._pace)
        self._rests = Rests(database, self._wall, self._hands, seconds)
        horizon = self._pace.horizon
        lanes = lanes or Lanes(database, self._wall, horizon=horizon, seconds=seconds)
        awaiting = Awaiting(self._pace, seconds)
        self._sending = Sending(self._pace, metrics, lanes, self._rests, awaiting)
        self._correcting = Correcting(self._pace, metrics, self._rests)
        self._telling = Telling(database, posters, self._wall, self._pace)
        self._metrics = metrics
        self._finding = Finding(
            database, posters, self._hands, self._rests, self._wall, self._pace, seconds,
            self._owner, awaiting,
        )  # fmt: skip
        self._told: asyncio.Task[None] | None = None
        self._told_at = -math.inf
        self._looking = asyncio.Lock()
        # What the store said last, to looking and to noting, and until when it is left alone.
        self._unread = self._unnoted = ""
        self._idle_until = self._last = seconds()

    async def run(self) -> None:
        """Work until cancelled."""
        while True:
            await self._bell.heard(await self._round())

    async def stop(self, seconds: float) -> None:
        """Begin nothing more: what was begun arrives, within so many seconds.

        What waits for its turn is handed back at once, for others to take up.
        """
        self._rests.stopping = self._telling.stopping = True
        self._sending.hurry()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                # What is being claimed is handed back as well.
                async with self._looking:
                    working = self._working()
                if working:
                    await asyncio.wait(working)
        late = self._working()
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    def _working(self) -> set[asyncio.Task[None]]:
        telling = {self._told} if self._told and not self._told.done() else set()
        return self._hands.tasks | telling

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
        if self._rests.stopping:
            return self._pace.idle
        if (idle := self._idle_until - self._seconds()) > 0:
            return idle
        try:
            self._tell()
            async with self._looking:
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
        often = min(_TELL_SECONDS, self._pace.idle)
        if (self._told and not self._told.done()) or self._seconds() - self._told_at < often:
            return
        self._told_at = self._seconds()
        self._told = asyncio.create_task(self._telling.tell_all(), name="telling")

    async def _begin(self) -> float:
        """Take up what is ready, one delivery to a channel, as many as go side by side."""
        began = await self._take_up_offered()
        wanting = self._finding.wanting(self._with_room()) if began else self._with_room()
        looks = bool(wanting) or self._finding.is_late
        while looks and not self._rests.stopping:
            has_more = await self._finding.look(wanting)
            if self._finding.nothing:
                self._unnoted = ""
            began = await self._take_up_offered()
            # Behind many that go to one platform or workspace there may be others.
            wanting = self._with_room()
            looks = bool(has_more and began and wanting)
        if self._rests.stopping:
            return self._pace.idle
        # What is ready and was not begun waits for one that is at work, whose end rings the bell.
        pauses = self._pace.idle, self._finding.left, *self._rests.resting().values()
        return max(min(pauses), _SOON)

    def _with_room(self) -> list[str]:
        return [each for each in self._posters if self._hands.room(each)]

    async def _take_up_offered(self) -> int:
        """Take up what was found, as far as there is room for it; return how many."""
        return sum([await self._take_up(each) for each in self._posters])

    async def _take_up(self, platform: str) -> int:
        """Take up as many of a platform as there is room for, and nobody else did; return how many.

        Those for which there is no room any more are for when others were quicker.
        """
        began = 0
        while not self._rests.stopping and (room := self._hands.room(platform)):
            offered = self._finding.offered(platform)
            if not (candidates := self._hands.chosen(offered)[: room + _SPARE]):
                break
            at = self._seconds(), self._wall.now()
            works = await self._claiming.claimed(candidates, room)
            taken = [work.claim.id for work in works]
            self._finding.drop(taken if len(works) == room else [each.id for each in candidates])
            known = {ready.id: ready for ready in candidates}
            for work in works:
                self._start(known[work.claim.id], work, at)
                # Each sets out by itself: together they would keep others from the event loop.
                await asyncio.sleep(0)
            began += len(works)
        return began

    def _start(
        self, ready: ReadyDelivery, work: ClaimedDelivery, at: tuple[float, datetime]
    ) -> None:
        holding = Holding(
            self._noting, work, self._clock, self._wall, self._pace, self._seconds, at
        )
        carried_out = self._carry_out(ready, holding)
        task = asyncio.create_task(carried_out, name=f"delivery-{ready.id}")
        self._hands.take(ready, task)
        task.add_done_callback(lambda _: self._ended(ready))

    def _ended(self, ready: ReadyDelivery) -> None:
        self._hands.let_go(ready)
        if self._hands.want_more(ready) or not self._finding.offers_more:
            self._bell.ring()

    async def _carry_out(self, ready: ReadyDelivery, holding: Holding) -> None:
        """Carry a delivery out; whatever goes wrong with it leaves the others alone."""
        facts = {"delivery": ready.id, "platform": ready.platform}
        try:
            await self._work_on(ready, holding)
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
        self._idle_until = self._seconds() + self._pace.idle

    async def _work_on(self, ready: ReadyDelivery, holding: Holding) -> None:
        poster = self._posters[ready.platform]
        try:
            if holding.work.is_correction:
                await self._correcting.correct(holding, poster)
            else:
                await self._sending.send(holding, poster)
        except (LeaseLost, StoreError):
            raise
        except Exception as error:  # noqa: BLE001 - the same
            facts = {"delivery": ready.id, "platform": ready.platform}
            _log.exception("delivery_failed", extra=facts)
            self._metrics.delivered(ready.platform, "failed")
            outcome = after_mishap(error, holding.work, holding.now(), self._pace)
            await holding.settle(None, outcome)
