"""A delivery in hand: what is noted of it, and how long it stays in hand."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Concatenate, ParamSpec

from bot.clock import Clock
from bot.outbox.pace import Pace
from store import ledger
from store.database import Database, Session
from store.errors import LeaseLost
from store.ledger import Held, Outcome, Work
from store.records import Part, Refusal
from store.refusing import refuse

P = ParamSpec("P")


class Holding:
    """What a process works on, noted step by step.

    Args:
        database: the store.
        work: what was claimed, just now.
        clock: the time, as people see it.
        wall: the time that no setting moves.
        pace: how long it stays in hand after each step.
        seconds: a clock that only goes forward.
        began: what both said before it was claimed.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what it is made of is handed over piece by piece
        self,
        database: Database,
        work: Work,
        clock: Clock,
        wall: Clock,
        pace: Pace,
        seconds: Callable[[], float],
        began: tuple[float, datetime],
    ) -> None:
        self.work = work
        self._database = database
        self._held = work.held
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

    async def plan(self, parts: list[Part]) -> None:
        """Note the messages that it is sent as.

        Raises:
            LeaseLost: where somebody else holds it now; as all of these.
            StoreError: where it could not be noted; the same.
        """
        await self._step(ledger.plan, parts, self.work)

    async def begin(self, number: int, at: datetime) -> None:
        """Note that a part is about to be sent, and what time it is to the platform."""
        # A power cut may undo anything that is noted, but not that this was about to be sent.
        await self._noted(lambda held: self._database.write_through(ledger.begin, held, number, at))

    async def sent(self, part: Part) -> None:
        """Note where a part stands."""
        await self._step(ledger.sent, part, self._clock.now())

    async def edited(self, part: Part) -> None:
        """Note what a part says now."""
        await self._step(ledger.edited, part)

    async def corrected(self) -> None:
        """Note that all of it says what the edition says, and let go of it."""
        await self._database.write(ledger.corrected, self._held, self.work.changed_at)

    async def settle(
        self, number: int | None, outcome: Outcome, refusal: Refusal | None = None, key: str = ""
    ) -> None:
        """Note what became of an attempt, with the end of the order where it is that, and let go.

        `key` is that of the notice to the owner.
        """
        order, now = self.work.delivery.subscription_id, self._wall.now()

        def settled(session: Session) -> None:
            ledger.settle(session, self._held, number, outcome)
            if refusal:
                refuse(session, order, refusal, key, now)

        await self._database.write(settled)

    async def _step(
        self, step: Callable[Concatenate[Session, Held, P], Held], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        await self._noted(lambda held: self._database.write(step, held, *args, **kwargs))

    async def _noted(self, note: Callable[[Held], Awaitable[Held]]) -> None:
        if self.left <= 0:
            raise LeaseLost(self._held.id)
        since = self._seconds(), self._wall.now()
        self._held = await note(self._held)
        self._since = since
