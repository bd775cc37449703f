"""Leases held: the store looked at again and again, and whoever acts on leases told of them."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from bot.coordination.lease_policy import Candidate
from store.coordination.leases import Lease, LeaseDecision, update_leases
from store.database import Database
from store.errors import StoreError

_log = logging.getLogger(__name__)


class Told(Protocol):
    """What is told of the leases of this process."""

    def gained(self, lease: str) -> None:
        """It is held from now on."""

    def lost(self, lease: str, *, handed: bool) -> None:
        """It is held no longer: given back of its own will where `handed`, else to be let go."""


def _always() -> bool:
    return True


class Leases:
    """Has a candidate take part in the leases of its group, for as long as it runs.

    Args:
        database: where they are.
        candidate: decides.
        told: is told what is held.
        able: tells whether this process can do anything with what it holds.
        seconds: a clock that only goes forward.
        sleep: waits.
    """

    def __init__(  # noqa: PLR0913 - the store, who decides, who is told, and the time
        self,
        database: Database,
        candidate: Candidate,
        told: Told,
        *,
        able: Callable[[], bool] = _always,
        seconds: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._database = database
        self._candidate = candidate
        self._told = told
        self._term = candidate.term
        self._able = able
        self._seconds = seconds
        self._sleep = sleep
        self._running: list[asyncio.Task[None]] = []
        self._asking: asyncio.Task[None] | None = None
        self._ending = self._ended = self._failed = False
        self.has_looked = False

    @property
    def held(self) -> frozenset[str]:
        """The leases that this process holds, as far as it knows."""
        return self._candidate.held

    @property
    def accompanied(self) -> bool:
        """Whether other processes were there to take over what this one holds."""
        return self._candidate.accompanied

    def start(self) -> None:
        """Take part, until stopped."""
        for each, name in ((self._attend(), "leases"), (self._guard(), "leases-guard")):
            self._running.append(asyncio.create_task(each, name=name))

    async def stop(self) -> None:
        """Give back what is held, so that another takes it at once; where the store can't, not.

        Nobody is told of what the store answers after that.
        """
        self._ending = True
        for each in self._running:
            each.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        if not self._running:
            return
        self._running = []
        # What is under way gives back too, but may have been decided before.
        pending = {self._asking} if self._asking and not self._asking.done() else set()
        if pending:
            await asyncio.wait(pending, timeout=self._term.closing)
        last = asyncio.create_task(self._look(), name="leases-last")
        await asyncio.wait({last}, timeout=self._term.closing)
        self._ended = True

    async def _attend(self) -> None:
        while True:
            self._asking = asyncio.create_task(self._look(), name="leases-look")
            await asyncio.shield(self._asking)
            await self._sleep(self._term.beat)

    async def _guard(self) -> None:
        """Let go of what others may take over soon, though the store does not answer."""
        while True:
            await self._sleep(self._term.beat / 4)
            if self._candidate.is_overdue(self._seconds()):
                self._tell(self._candidate.let_go(), ())

    async def _look(self) -> None:
        """Look at the leases and do about them what there is to do."""
        began, candidate = self._seconds(), self._candidate

        def decide(rows: Sequence[Lease]) -> LeaseDecision:
            if self._ending:
                return candidate.farewell(rows)
            return candidate.moves(rows, began, able=self._able())

        try:
            rows, moves = await self._database.write_locking_rows(
                update_leases, candidate.group, candidate.names, candidate.process, decide
            )
        except StoreError as error:
            self._note_failure(error.sentence)
            return
        except Exception:  # noqa: BLE001 - without another look nobody would beat any more
            _log.exception("leases_failed")
            return
        if self._ended:
            return
        self._failed, self.has_looked = False, True
        before = self.held
        candidate.settle(rows, moves, began, self._seconds())
        self._tell(before, moves.release)

    def _tell(self, before: frozenset[str], released: Sequence[str]) -> None:
        for name in sorted(before - self.held):
            handed = name in released
            _log.info("lease_released" if handed else "lease_lost", extra={"lease": name})
            self._told.lost(name, handed=handed)
        for name in sorted(self.held - before):
            _log.info("lease_taken", extra={"lease": name})
            self._told.gained(name)

    def _note_failure(self, reason: str) -> None:
        if not self._failed:
            _log.warning("leases_unknown", extra={"reason": reason})
        self._failed = True
