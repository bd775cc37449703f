"""A delivery in hand: what is noted of it, and how long it stays in hand."""

from collections.abc import Callable
from datetime import datetime

from bot.clock import Clock
from bot.posting.delivery.timing import Pace
from bot.posting.delivery.transition_batches import Noting
from store.errors import LeaseLost
from store.posting.claim import ClaimedDelivery, Outcome
from store.posting.transitions import (
    AttemptSettled,
    DeliveryCorrected,
    PartBegun,
    PartEdited,
    PartSent,
    Transition,
)
from store.records import Part, Refusal


class Holding:
    """What a process works on, noted step by step.

    Args:
        noting: notes steps.
        work: what was claimed, just now.
        clock: the time, as people see it.
        wall: the time that no setting moves.
        pace: how long it stays in hand after each step.
        seconds: a clock that only goes forward.
        began: what both said before it was claimed.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what it is made of is handed over piece by piece
        self,
        noting: Noting,
        work: ClaimedDelivery,
        clock: Clock,
        wall: Clock,
        pace: Pace,
        seconds: Callable[[], float],
        began: tuple[float, datetime],
    ) -> None:
        self.work = work
        self._noting = noting
        self._held = work.claim
        self._clock = clock
        self._wall = wall
        self._pace = pace
        self._seconds = seconds
        self._since = began

    @property
    def left(self) -> float:
        """For how many seconds nobody else takes it, by whichever clock says less."""
        began, at = self._since
        passed = max(self._seconds() - began, (self._wall.now() - at).total_seconds())
        return self._pace.lease - passed

    def now(self) -> datetime:
        """Return the time that no setting moves."""
        return self._wall.now()

    async def begin(self, number: int, at: datetime, planned: tuple[Part, ...]) -> None:
        """Note that a part is about to be sent, and what time it is to the platform.

        `planned` are all of its messages where none was noted before.

        Raises:
            LeaseLost: where somebody else holds it now; as all of these.
            StoreError: where it could not be noted; the same.
        """
        await self._step(PartBegun(self._held, number, at, self.work, planned))

    async def sent(self, part: Part) -> None:
        """Note where a part stands."""
        await self._step(PartSent(self._held, part, self._clock.now()))

    async def edited(self, part: Part) -> None:
        """Note what a part says now."""
        await self._step(PartEdited(self._held, part))

    async def corrected(self) -> None:
        """Note that all of it says what the edition says, and let go of it."""
        await self._noting.note(DeliveryCorrected(self._held, self.work.changed_at))

    async def settle(
        self, number: int | None, outcome: Outcome, refusal: Refusal | None = None, key: str = ""
    ) -> None:
        """Note what became of an attempt, with the end of the order where it is that, and let go.

        `key` is that of the notice to the owner.
        """
        await self._noting.note(
            AttemptSettled(self._held, number, outcome, self.now(), refusal, key)
        )

    async def _step(self, step: Transition) -> None:
        if self.left <= 0:
            raise LeaseLost(self._held.id)
        since = self._seconds(), self._wall.now()
        self._held = await self._noting.note(step)
        self._since = since
