"""What a run does, how it ends, and when it is tried again. All pure."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.clock import Clock
from bot.coordination.stale_work import Watching
from bot.operations.health import Condition, State, unforeseen
from store.coordination import jobs
from store.coordination import jobs as runs
from store.coordination.jobs import StoredJob
from store.database import Database, Session
from store.errors import StoreError

_FIRST, _LONGEST = timedelta(minutes=5), timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended: when the next one is due, by the clock that no setting moves.

    `reason` is why it `failed`, in words.
    """

    next_at: datetime
    failed: bool = False
    reason: str = ""


# Does it once; it is told how often in a row it failed before.
Job = Callable[[int], Awaitable[Ended]]


def backed_off(failures: int) -> timedelta:
    """Return how long to leave alone what failed so often in a row: 5, 10, 20 … minutes, or 6 h."""
    doubled: int = 2 ** min(max(failures - 1, 0), 16)
    return min(_FIRST * doubled, _LONGEST)


# A run whose beat stands still for the second may be taken over; in seconds.
BEAT, LASTING = 8.0, 30.0
# What goes on for longer is broken off, in seconds: by then it is due again.
LONGEST = 6 * 3600.0


class Carrying:
    """Carries runs out for one process.

    Args:
        database: where they are.
        owner: the process.
        wall: the time that no setting moves.
        beat: how many seconds its signs of life are apart.
        longest: for how many seconds a run may go on.
    """

    def __init__(
        self,
        database: Database,
        owner: str,
        wall: Clock,
        beat: float = BEAT,
        longest: float = LONGEST,
    ) -> None:
        self._database = database
        self._owner = owner
        self._wall = wall
        self._beat = beat
        self._longest = longest

    async def carry_out(self, run: StoredJob, job: Job) -> Ended | None:
        """Do what a run is, if it still stands as it was read.

        `None` means that another process has it, or has taken it over meanwhile; what was written
        until then stays. One that is cancelled is due again at once.

        Raises:
            StoreError: where it could not be claimed.
        """
        held = await self._claimed(lambda session: jobs.claim(session, run, self._owner))
        return await self._carried(held, job) if held else None

    async def carry_out_now(self, name: str, job: Job) -> Ended | None:
        """Do what a run is at once, taken over from whoever is at it.

        `None` means that another process has taken it over meanwhile.

        Raises:
            StoreError: where it could not be claimed.
        """
        now = self._wall.now()
        held = await self._claimed(lambda session: jobs.take_over(session, name, self._owner, now))
        return await self._carried(held, job) if held else None

    async def _carried(self, taken: StoredJob, job: Job) -> Ended | None:
        held: StoredJob | None = taken
        work = asyncio.create_task(self._done(job, taken), name=taken.name)
        try:
            while held is not None and not (await asyncio.wait({work}, timeout=self._beat))[0]:
                beating = asyncio.ensure_future(self._beaten(held))
                try:
                    held = await asyncio.shield(beating)
                except asyncio.CancelledError:
                    # What is noted by now is what has to be let go.
                    held = await beating
                    raise
        except asyncio.CancelledError:
            if held is not None:
                await _stopped(work)
                await self._let_go(held)
            raise
        finally:
            await _stopped(work)
        if held is None:
            _log.warning("run_taken_over", extra={"run": taken.name})
            return None
        ended = work.result()
        failures = held.failures + 1 if ended.failed else 0
        return ended if await self._end(held, ended, failures) else None

    async def _claimed(self, claim: Callable[[Session], StoredJob | None]) -> StoredJob | None:
        claiming = asyncio.ensure_future(self._database.write_locking_rows(claim))
        try:
            return await asyncio.shield(claiming)
        except asyncio.CancelledError:
            # Others would have to wait until what nobody works on stood still for long enough.
            with suppress(StoreError):
                if held := await claiming:
                    await self._let_go(held)
            raise

    async def _beaten(self, held: StoredJob) -> StoredJob | None:
        try:
            return await self._database.write_locking_rows(jobs.renew, held)
        except StoreError as error:
            # Whoever takes it over meanwhile is found out by the next beat.
            _log.warning("run_not_noted", extra={"run": held.name, "reason": error.sentence})
            return held

    async def _done(self, job: Job, held: StoredJob) -> Ended:
        limit = asyncio.timeout(self._longest)
        try:
            async with limit:
                return await job(held.failures)
        except StoreError as error:
            reason = error.sentence
        except Exception as error:  # noqa: BLE001 - whatever it was, it is to be tried again
            if limit.expired():
                reason = f"It was not done within {self._longest:g} seconds."
            else:
                _log.exception("run_raised", extra={"run": held.name})
                reason = unforeseen(error)
        next_at = self._wall.now() + backed_off(held.failures + 1)
        return Ended(next_at, failed=True, reason=reason)

    async def _let_go(self, held: StoredJob) -> None:
        await self._end(held, Ended(self._wall.now()), held.failures)

    async def _end(self, held: StoredJob, ended: Ended, failures: int) -> bool:
        try:
            return await self._database.write_locking_rows(
                jobs.release, held, ended.next_at, failures
            )
        except StoreError as error:
            # It stands still from now on, and is done again by whoever sees that.
            _log.warning("run_not_ended", extra={"run": held.name, "reason": error.sentence})
            return False


async def _stopped(work: asyncio.Task[Ended]) -> None:
    work.cancel()
    await asyncio.wait({work})


_log = logging.getLogger(__name__)

_AT_ONCE = 32
# So many of those at most failed the last time. They may hang again, each in one of the fetcher's
# turns, and the others are not to wait for them.
_FAILED_AT_ONCE = 4
# Nothing that went well is put off for longer, and nothing that failed: a machine's clock was ahead
# when that was.
_FARTHEST, _FARTHEST_FAILED = timedelta(hours=12), timedelta(days=2)

Jobs = Callable[[], Awaitable[Mapping[str, Job]]]


class Runs:
    """Carries out what is due, beside other processes that do the same.

    Args:
        database: where it stands what is due.
        owner: this process.
        wall: the time that no setting moves.
        jobs: returns what there is to be done, by name.
        beat: how many seconds the signs of life of a run are apart.
        lasting: after how many seconds without one it is taken over.
        seconds: a clock that only goes forward.
    """

    def __init__(  # noqa: PLR0913 - the store, who it is, what there is to do, and the time
        self,
        database: Database,
        owner: str,
        wall: Clock,
        jobs: Jobs,
        *,
        beat: float = BEAT,
        lasting: float = LASTING,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._wall = wall
        self._jobs = jobs
        self._carrying = Carrying(database, owner, wall, beat)
        self._owner = owner
        self._lasting = lasting
        self._seconds = seconds
        self._watching: Watching[StoredJob] = Watching(lasting, seconds)
        self._begun: dict[str, StoredJob] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._trouble = ""

    async def look(self) -> None:
        """Look once, and begin what is due; what goes wrong is logged."""
        try:
            await self._look()
        except StoreError as error:
            # One line is enough for as long as it is the same.
            level = logging.DEBUG if error.sentence == self._trouble else logging.WARNING
            _log.log(level, "runs_unknown", extra={"reason": error.sentence})
            self._trouble = error.sentence
            # Who could not be seen could perhaps not note that it lives either.
            self._watching = Watching(self._lasting, self._seconds)
        except Exception as error:  # noqa: BLE001 - whatever it was, the next look is to come
            self._trouble = unforeseen(error)
            _log.exception("runs_unknown")
        else:
            self._trouble = ""

    async def stop(self) -> None:
        """End what is under way, and leave it to others."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def under_way(self) -> int:
        """How many this process is at."""
        return len(self._begun)

    def condition(self) -> Condition:
        """Say how it is."""
        return Condition(State.FAILING, self._trouble) if self._trouble else Condition(State.OK)

    async def _look(self) -> None:
        jobs = await self._jobs()
        known = await self._arranged(jobs)
        held = [(run, run.owner) for run in known if run.owner]
        overdue = [*self._dropped(known), *self._watching.overdue(held, self._begun)]
        now = self._wall.now()
        free = [run for run in known if run.owner is None and is_due(run, now)]
        wanted = [run for run in (*overdue, *free) if run.name in jobs]
        for run in chosen(wanted, self._begun.values()):
            if run.owner:
                _log.warning("run_left_lying", extra={"run": run.name})
            self._begin(run, jobs[run.name])

    def _dropped(self, known: Sequence[StoredJob]) -> list[StoredJob]:
        """Return what is in this process's hands and it is not at: its end could not be noted."""
        return [run for run in known if run.owner == self._owner and run.name not in self._begun]

    def _begin(self, run: StoredJob, job: Job) -> None:
        self._begun[run.name] = run
        task = asyncio.create_task(self._carry_out(run, job), name=run.name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _arranged(self, jobs: Mapping[str, Job]) -> Sequence[StoredJob]:
        """Return the runs as they stand, after what is new was added and what is gone dropped."""
        known = await self._database.read(runs.list_jobs)
        names = {run.name for run in known}
        new, gone = jobs.keys() - names, names - jobs.keys()
        if not (new or gone):
            return known
        now = self._wall.now()
        await self._database.write_locking_rows(runs.ensure_jobs, sorted(new), sorted(gone), now)
        return await self._database.read(runs.list_jobs)

    async def _carry_out(self, run: StoredJob, job: Job) -> None:
        try:
            ended = await self._carrying.carry_out(run, job)
        except StoreError as error:
            _log.warning("run_not_begun", extra={"run": run.name, "reason": error.sentence})
            return
        finally:
            del self._begun[run.name]
        if ended:
            next_at = ended.next_at.isoformat(timespec="seconds")
            facts: dict[str, object] = {"run": run.name, "next_at": next_at}
            if ended.failed:
                facts |= {"failures": run.failures + 1, "reason": ended.reason}
                _log.warning("run_failed", extra=facts)
            else:
                _log.debug("run_ended", extra=facts)


def is_due(run: StoredJob, now: datetime) -> bool:
    """Tell whether a run that nobody is at is to be begun. Pure."""
    farthest = _FARTHEST_FAILED if run.failures else _FARTHEST
    return run.next_at <= now or run.next_at - now > farthest


def chosen(wanted: Sequence[StoredJob], under_way: Collection[StoredJob]) -> list[StoredJob]:
    """Return which are begun now, beside those that are under way; the others wait. Pure."""
    names = {run.name for run in under_way}
    places = _AT_ONCE - len(under_way)
    failed = _FAILED_AT_ONCE - sum(run.failures > 0 for run in under_way)
    # What was read before it was claimed still stands there as nobody's.
    others = [run for run in wanted if run.name not in names]
    trials = [run.name for run in others if run.failures][: max(failed, 0)]
    return [run for run in others if not run.failures or run.name in trials][:places]
