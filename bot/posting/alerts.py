"""The job that matches alerts against the new entries of imports, and enqueues what they found."""

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from bot.coordination.jobs import JobFunction, JobOutcome
from bot.coordination.wakeup import WakeUp
from bot.library.alerts import find_matches
from bot.posting.delivery.timing import Clocks
from store import search
from store.coordination import jobs
from store.database import Database, Session
from store.library import new_entries
from store.library.new_entries import NewEntries
from store.posting.alert_matches import AlertMatch, record_matches
from store.readers import alerts

JOB = "alerts"
# Without new entries, those whose authors never came are dropped now and then.
_IDLE = timedelta(hours=1)
# So many entries and alerts at once, so that others get their turn in between.
_ENTRIES, _ALERTS = 50, 500

_log = logging.getLogger(__name__)


class AlertMatching:
    """Matches alerts against what imports added, one import after the other.

    What an import added stays marked until the matches are recorded, in one transaction: a process
    that is killed in between leaves it to the next.
    """

    def __init__(self, database: Database, clocks: Clocks, wake_up: WakeUp) -> None:
        self._database = database
        self._clocks = clocks
        self._wake_up = wake_up

    async def jobs(self) -> Mapping[str, JobFunction]:
        """Return the one job, which is due at once where there is something to match."""
        if await self._database.read(new_entries.any_to_match):
            await self._database.write_locking_rows(jobs.run_soon, JOB, self._clocks.now())
        return {JOB: self.run}

    async def run(self, _failures: int) -> JobOutcome:
        """Match all that is ready, and drop what is no news any more.

        Raises:
            StoreError: where the store can't be read or written.
        """
        shown = self._clocks.shown.now()
        await self._database.write(_tidy, shown)
        while found := await self._database.read(new_entries.first_ready):
            await self._match(found)
        return JobOutcome(self._clocks.now() + _IDLE)

    async def _match(self, found: NewEntries) -> None:
        matches: list[AlertMatch] = []
        for entries in _split(found.entries, _ENTRIES):
            keys = await self._database.read(search.entry_keys, entries)
            filed = await self._database.read(alerts.filed_under, keys)
            for some in _split(filed, _ALERTS):
                matches += await self._database.read(find_matches, some, entries)
        deliveries = await self._database.write_locking_rows(
            record_matches, found, matches, self._clocks.shown.now(), self._clocks.now()
        )
        if deliveries:
            facts = {"source": found.source, "entries": len(found.entries)}
            _log.info("alerts_matched", extra=facts | {"deliveries": deliveries})
            self._wake_up.notify()


def _tidy(session: Session, now: datetime) -> None:
    new_entries.complete_interrupted(session, now)
    new_entries.drop_old(session, now.date())


def _split(ids: Sequence[int], size: int) -> list[Sequence[int]]:
    return [ids[start : start + size] for start in range(0, len(ids), size)]
