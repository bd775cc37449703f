"""Jobs: recurring work that one process at a time does, taken over when that process is gone.

`Jobs` starts what is due, `JobWorker` carries one job out and keeps its lease.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.clock import Clock
from bot.coordination.leases import StaleWork
from bot.domain.schedule import backoff
from bot.operations.health import Condition, State, unforeseen
from store.coordination import jobs
from store.coordination.jobs import StoredJob
from store.database import Database, Session
from store.errors import StoreError

_log = logging.getLogger(__name__)
# A job that kept its fencing token for the second may be taken over; in seconds.
HEARTBEAT, EXPIRY = 8.0, 30.0
# A job that goes on for longer is cancelled, in seconds: by then it is due again.
_TIME_LIMIT = 6 * 3600.0
_AT_ONCE = 32
# So many of those at most failed the last time: they may hang again, and hold the others up.
_FAILED_AT_ONCE = 4
# A next start that is further away, after a success or a failure, was set by a clock that was
# ahead.
_FARTHEST, _FARTHEST_FAILED = timedelta(hours=12), timedelta(days=2)


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """The next due time of a job, by the system clock; if it `failed`, with the reason."""

    next_at: datetime
    failed: bool = False
    reason: str = ""


# Does a job once, given how often in a row it failed before.
JobFunction = Callable[[int], Awaitable[JobOutcome]]
# Returns the functions of all jobs by name.
JobFunctions = Callable[[], Awaitable[Mapping[str, JobFunction]]]


def is_due(job: StoredJob, now: datetime) -> bool:
    """Tell whether a job that no process does is to be started. Pure."""
    farthest = _FARTHEST_FAILED if job.failures else _FARTHEST
    return job.next_at <= now or job.next_at - now > farthest


def jobs_to_start(due: Sequence[StoredJob], running: Collection[StoredJob]) -> list[StoredJob]:
    """Return which due jobs are started beside those that run; the others wait. Pure."""
    names = {job.name for job in running}
    room = _AT_ONCE - len(running)
    room_for_failed = max(_FAILED_AT_ONCE - sum(job.failures > 0 for job in running), 0)
    # A job that runs may have been read before it was claimed.
    others = [job for job in due if job.name not in names]
    retried = [job.name for job in others if job.failures][:room_for_failed]
    return [job for job in others if not job.failures or job.name in retried][:room]


class JobWorker:
    """Carries jobs out for a process, their `owner`, and renews their leases at each heartbeat."""

    def __init__(
        self,
        database: Database,
        owner: str,
        system_clock: Clock,
        heartbeat: float = HEARTBEAT,
        time_limit: float = _TIME_LIMIT,
    ) -> None:
        self._database = database
        self._owner = owner
        self._system_clock = system_clock
        self._heartbeat = heartbeat
        self._time_limit = time_limit

    async def carry_out(self, job: StoredJob, function: JobFunction) -> JobOutcome | None:
        """Do a job if it is stored as it was read; when cancelled, leave it due at once.

        Returns `None` if another process has claimed it; what was written until then stays.

        Raises:
            StoreError: if it can't be claimed.
        """
        claimed = await self._claim(lambda session: jobs.claim(session, job, self._owner))
        return await self._carry_out(claimed, function) if claimed else None

    async def carry_out_now(self, name: str, function: JobFunction) -> JobOutcome | None:
        """Do a job at once, taken over from another process if one does it; return as `carry_out`.

        Raises:
            StoreError: if it can't be claimed.
        """
        now = self._system_clock.now()
        claimed = await self._claim(lambda session: jobs.take_over(session, name, self._owner, now))
        return await self._carry_out(claimed, function) if claimed else None

    async def _claim(self, claim: Callable[[Session], StoredJob | None]) -> StoredJob | None:
        claiming = asyncio.ensure_future(self._database.write_locking_rows(claim))
        try:
            return await asyncio.shield(claiming)
        except asyncio.CancelledError:
            # Else other processes would wait for the lease to expire.
            with suppress(StoreError):
                if claimed := await claiming:
                    await self._release(claimed)
            raise

    async def _carry_out(self, job: StoredJob, function: JobFunction) -> JobOutcome | None:
        claimed: StoredJob | None = job
        work = asyncio.create_task(self._call(function, job), name=job.name)
        try:
            while claimed and not (await asyncio.wait({work}, timeout=self._heartbeat))[0]:
                renewing = asyncio.ensure_future(self._renew(claimed))
                try:
                    claimed = await asyncio.shield(renewing)
                except asyncio.CancelledError:
                    # The newest fencing token is needed to release it.
                    claimed = await renewing
                    raise
        except asyncio.CancelledError:
            if claimed:
                await _cancel(work)
                await self._release(claimed)
            raise
        finally:
            await _cancel(work)
        if claimed is None:
            _log.warning("job_taken_over", extra={"job": job.name})
            return None
        outcome = work.result()
        failures = claimed.failures + 1 if outcome.failed else 0
        return outcome if await self._end(claimed, outcome.next_at, failures) else None

    async def _call(self, function: JobFunction, job: StoredJob) -> JobOutcome:
        limit = asyncio.timeout(self._time_limit)
        try:
            async with limit:
                return await function(job.failures)
        except StoreError as error:
            reason = error.sentence
        except Exception as error:  # noqa: BLE001 - whatever it was, the job is retried
            if limit.expired():
                reason = f"It was not done within {self._time_limit:g} seconds."
            else:
                _log.exception("job_raised", extra={"job": job.name})
                reason = unforeseen(error)
        next_at = self._system_clock.now() + backoff(job.failures + 1)
        return JobOutcome(next_at, failed=True, reason=reason)

    async def _renew(self, job: StoredJob) -> StoredJob | None:
        try:
            return await self._database.write_locking_rows(jobs.renew, job)
        except StoreError as error:
            # The next heartbeat finds out whether it was taken over.
            _log.warning("job_not_renewed", extra={"job": job.name, "reason": error.sentence})
            return job

    async def _release(self, job: StoredJob) -> None:
        await self._end(job, self._system_clock.now(), job.failures)

    async def _end(self, job: StoredJob, next_at: datetime, failures: int) -> bool:
        try:
            return await self._database.write_locking_rows(jobs.release, job, next_at, failures)
        except StoreError as error:
            # Its lease expires, and it is done again.
            _log.warning("job_not_ended", extra={"job": job.name, "reason": error.sentence})
            return False


async def _cancel(work: asyncio.Task[JobOutcome]) -> None:
    work.cancel()
    await asyncio.wait({work})


class Jobs:
    """Starts the jobs that are due in a process, their `owner`, beside other processes.

    Stored jobs that `knows` returns false for are of another kind, and left alone.
    The lease of a running job is renewed at each `heartbeat`; a job that kept its fencing token
    for `expiry` is taken over. Both are in seconds by `seconds`, a monotonic clock.
    """

    def __init__(  # noqa: PLR0913 - the store, the process, the jobs, and the time
        self,
        database: Database,
        owner: str,
        system_clock: Clock,
        functions: JobFunctions,
        *,
        knows: Callable[[str], bool] = lambda _name: True,
        heartbeat: float = HEARTBEAT,
        expiry: float = EXPIRY,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._owner = owner
        self._system_clock = system_clock
        self._functions = functions
        self._knows = knows
        self._worker = JobWorker(database, owner, system_clock, heartbeat)
        self._expiry = expiry
        self._seconds = seconds
        self._stale: StaleWork[StoredJob] = StaleWork(expiry, seconds)
        self._running: dict[str, StoredJob] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._error = ""

    async def start_due(self) -> None:
        """Start the jobs that are due; log what fails."""
        try:
            await self._start_due()
        except StoreError as error:
            # One line is enough for as long as it is the same.
            level = logging.DEBUG if error.sentence == self._error else logging.WARNING
            _log.log(level, "jobs_not_read", extra={"reason": error.sentence})
            self._error = error.sentence
            # Meanwhile the other processes could perhaps not renew their leases either.
            self._stale = StaleWork(self._expiry, self._seconds)
        except Exception as error:  # noqa: BLE001 - whatever it was, the next look has to come
            self._error = unforeseen(error)
            _log.exception("jobs_not_read")
        else:
            self._error = ""

    async def stop(self) -> None:
        """Cancel the running jobs, and leave them to other processes."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def running(self) -> int:
        """The number of jobs that this process does."""
        return len(self._running)

    def condition(self) -> Condition:
        """Return the health of the jobs."""
        return Condition(State.FAILING, self._error) if self._error else Condition(State.OK)

    async def _start_due(self) -> None:
        functions = await self._functions()
        known = await self._ensure_stored(functions)
        # Jobs of this process that it does not do: their end could not be recorded.
        dropped = [
            job for job in known if job.owner == self._owner and job.name not in self._running
        ]
        claimed = [(job, job.owner) for job in known if job.owner]
        stale = self._stale.overdue(claimed, self._running)
        now = self._system_clock.now()
        free = [job for job in known if job.owner is None and is_due(job, now)]
        due = [job for job in (*dropped, *stale, *free) if job.name in functions]
        for job in jobs_to_start(due, self._running.values()):
            if job.owner:
                _log.warning("job_stale", extra={"job": job.name})
            self._running[job.name] = job
            task = asyncio.create_task(self._do(job, functions[job.name]), name=job.name)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _ensure_stored(self, functions: Collection[str]) -> Sequence[StoredJob]:
        """Return all jobs, after new ones were added and old ones deleted."""
        known = await self._known()
        names, wanted = {job.name for job in known}, set(functions)
        if names == wanted:
            return known
        new, gone, now = sorted(wanted - names), sorted(names - wanted), self._system_clock.now()
        await self._database.write_locking_rows(jobs.ensure_jobs, new, gone, now)
        return await self._known()

    async def _known(self) -> Sequence[StoredJob]:
        stored = await self._database.read(jobs.list_jobs)
        return [job for job in stored if self._knows(job.name)]

    async def _do(self, job: StoredJob, function: JobFunction) -> None:
        try:
            outcome = await self._worker.carry_out(job, function)
        except StoreError as error:
            _log.warning("job_not_started", extra={"job": job.name, "reason": error.sentence})
            return
        finally:
            del self._running[job.name]
        if outcome is None:
            return
        next_at = outcome.next_at.isoformat(timespec="seconds")
        facts: dict[str, object] = {"job": job.name, "next_at": next_at}
        if outcome.failed:
            facts |= {"failures": job.failures + 1, "reason": outcome.reason}
            _log.warning("job_failed", extra=facts)
        else:
            _log.debug("job_ended", extra=facts)
