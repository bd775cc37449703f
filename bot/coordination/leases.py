"""Leases kept: the store is updated at each heartbeat, and a listener learns what is held."""

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


class LeaseListener(Protocol):
    """Is notified of this process's leases."""

    def gained(self, lease: str) -> None:
        """Note that a lease is held from now on."""

    def lost(self, lease: str, *, handed: bool) -> None:
        """Note that a lease is held no longer: handed over on purpose, or lost."""


class Leases:
    """Runs a candidate for the leases of its group, and notifies a listener.

    `able` tells whether this process can use what it holds; `seconds` is a monotonic clock.
    """

    def __init__(  # noqa: PLR0913 - the store, the policy, the listener, and the time
        self,
        database: Database,
        candidate: Candidate,
        listener: LeaseListener,
        *,
        able: Callable[[], bool] = lambda: True,
        seconds: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._database = database
        self._candidate = candidate
        self._listener = listener
        self._term = candidate.term
        self._able = able
        self._seconds = seconds
        self._sleep = sleep
        self._running: list[asyncio.Task[None]] = []
        self._update: asyncio.Task[None] | None = None
        self._stopping = self._stopped = self._failed = False
        self.has_looked = False

    @property
    def held(self) -> frozenset[str]:
        """The leases that this process holds, as far as it knows."""
        return self._candidate.held

    @property
    def has_peers(self) -> bool:
        """Tell whether other processes could take over what this one holds."""
        return self._candidate.has_peers

    def start(self) -> None:
        """Take part until stopped."""
        for work, name in ((self._renew_all(), "leases"), (self._guard(), "leases-guard")):
            self._running.append(asyncio.create_task(work, name=name))

    async def stop(self) -> None:
        """Release what is held, if the store answers, so that another process takes it at once.

        The listener is not notified of what the store answers later.
        """
        self._stopping = True
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        if not self._running:
            return
        self._running = []
        # An update under way may have been decided before the stop.
        pending = {self._update} if self._update and not self._update.done() else set()
        if pending:
            await asyncio.wait(pending, timeout=self._term.release_within)
        last = asyncio.create_task(self._renew(), name="leases-last")
        await asyncio.wait({last}, timeout=self._term.release_within)
        self._stopped = True

    async def _renew_all(self) -> None:
        while True:
            self._update = asyncio.create_task(self._renew(), name="leases-update")
            await asyncio.shield(self._update)
            await self._sleep(self._term.heartbeat)

    async def _guard(self) -> None:
        """Release what others may soon take over, though the store does not answer."""
        while True:
            await self._sleep(self._term.heartbeat / 4)
            if self._candidate.is_overdue(self._seconds()):
                self._notify(self._candidate.release_all(), ())

    async def _renew(self) -> None:
        """Read the leases, and take, renew or release them as the candidate decides."""
        began, candidate = self._seconds(), self._candidate

        def decide(rows: Sequence[Lease]) -> LeaseDecision:
            if self._stopping:
                return candidate.decide_to_leave(rows)
            return candidate.decide(rows, began, able=self._able())

        try:
            rows, decision = await self._database.write_locking_rows(
                update_leases, candidate.group, candidate.names, candidate.process, decide
            )
        except StoreError as error:
            if not self._failed:
                _log.warning("leases_unknown", extra={"reason": error.sentence})
            self._failed = True
            return
        except Exception:  # noqa: BLE001 - the next heartbeat has to come
            _log.exception("leases_failed")
            return
        if self._stopped:
            return
        self._failed, self.has_looked = False, True
        before = self.held
        candidate.record(rows, decision, began, self._seconds())
        self._notify(before, decision.release)

    def _notify(self, before: frozenset[str], released: Sequence[str]) -> None:
        for name in sorted(before - self.held):
            handed = name in released
            _log.info("lease_released" if handed else "lease_lost", extra={"lease": name})
            self._listener.lost(name, handed=handed)
        for name in sorted(self.held - before):
            _log.info("lease_taken", extra={"lease": name})
            self._listener.gained(name)
