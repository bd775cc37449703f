"""Runs carried out: when they are due, by one process, again after it is gone."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.coordination.jobs import (
    JobFunction,
    JobOutcome,
    Jobs,
    JobWorker,
    is_due,
    jobs_to_start,
)
from bot.domain.schedule import backoff
from bot.operations.health import State
from store.coordination import jobs
from store.coordination.jobs import StoredJob
from store.database import Database
from store.errors import StoreUnavailable
from tests.fakes.clock import Seconds

NOW = datetime(2026, 1, 12, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)


@dataclass
class Wall:
    """A clock that stands until it is moved."""

    at: datetime = NOW

    def now(self) -> datetime:
        """Return what it shows."""
        return self.at


@dataclass
class Work:
    """A job that goes on while its gate is closed, and counts how often it was done."""

    wall: Wall
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    failures: list[int] = field(default_factory=list)
    ended: int = 0
    error: Exception | None = None

    def __post_init__(self) -> None:
        """Open the gate."""
        self.gate.set()

    async def __call__(self, failures: int) -> JobOutcome:
        """Do it once."""
        self.failures.append(failures)
        await self.gate.wait()
        if self.error:
            raise self.error
        self.ended += 1
        return JobOutcome(self.wall.now() + HOUR)


@dataclass
class Process:
    """One of several processes on a store."""

    database: Database
    work: Work
    name: str = "first"
    seconds: Seconds = field(default_factory=Seconds)
    away: bool = False

    def __post_init__(self) -> None:
        """Make what looks for runs."""
        self.runs = Jobs(
            self.database,
            self.name,
            self.work.wall,
            self._jobs,
            heartbeat=0.01,
            expiry=30,
            seconds=self.seconds,
        )

    async def _jobs(self) -> Mapping[str, JobFunction]:
        if self.away:
            raise StoreUnavailable("store", "gone")
        return {"work": self.work}

    async def look(self) -> None:
        """Look, and wait until what was begun waits at the closed gate or has ended."""
        await self.runs.start_due()
        async with asyncio.timeout(20):
            while self.runs.running and (self.work.gate.is_set() or not self.work.failures):  # noqa: ASYNC110 - it has no event
                await asyncio.sleep(0.002)


async def _beat(database: Database) -> None:
    """Wait until whoever has the run renewed its claim or gave it back."""
    before = await _stored(database)
    async with asyncio.timeout(20):
        while await _stored(database) == before:  # noqa: ASYNC110 - a store has no event
            await asyncio.sleep(0.002)


async def _stored(database: Database) -> StoredJob:
    [run] = await database.read(jobs.list_jobs)
    return run


async def test_a_run_is_carried_out_when_it_is_due(database: Database) -> None:
    """At once where it is new, and not again before the time that it said."""
    wall = Wall()
    process = Process(database, Work(wall))
    for _ in range(2):
        await process.look()
    assert process.work.ended == 1
    wall.at += HOUR
    await process.look()
    assert process.work.ended == 2


async def test_two_processes_never_carry_out_the_same_run_at_once(database: Database) -> None:
    """While one is at it the other sees it beat, however long it takes."""
    wall = Wall()
    one, other = Process(database, Work(wall)), Process(database, Work(wall), "second")
    one.work.gate.clear()
    await one.look()
    for _ in range(4):
        await other.look()
        await _beat(database)
        other.seconds.at += 29
    assert (one.work.failures, other.work.failures) == ([0], [])
    one.work.gate.set()
    await one.look()
    assert (await _stored(database)).next_at == NOW + HOUR
    await one.runs.stop()


async def test_a_run_whose_process_is_gone_is_taken_over(database: Database) -> None:
    """As soon as its beat stood still for as long as a claim lasts, and no sooner."""
    wall = Wall()
    await database.write_locking_rows(jobs.ensure_jobs, ["work"], [], NOW)
    await database.write_locking_rows(jobs.claim, await _stored(database), "gone")
    process = Process(database, Work(wall))
    await process.look()
    process.seconds.at += 29
    await process.look()
    assert process.work.ended == 0
    process.seconds.at += 1
    await process.look()
    assert process.work.ended == 1


async def test_what_a_process_let_fall_itself_it_takes_up_at_once(database: Database) -> None:
    """It could not note its end while the store was away, and knows that nobody is at it."""
    wall = Wall()
    await database.write_locking_rows(jobs.ensure_jobs, ["work"], [], NOW)
    await database.write_locking_rows(jobs.claim, await _stored(database), "first")
    process = Process(database, Work(wall), "first")
    await process.look()
    assert process.work.ended == 1


async def test_who_is_overtaken_stops(database: Database) -> None:
    """Its work is cancelled, and what it would have noted counts for nothing."""
    wall = Wall()
    process = Process(database, Work(wall))
    process.work.gate.clear()
    await process.look()
    await _overtake(database)
    await asyncio.sleep(0.2)
    process.work.gate.set()
    await asyncio.sleep(0.05)
    assert process.work.ended == 0
    assert (await _stored(database)).owner == "another"


async def _overtake(database: Database) -> None:
    """Take the run from whoever has it, between two of its beats."""
    while not await database.write_locking_rows(jobs.claim, await _stored(database), "another"):
        pass


async def test_what_could_not_be_looked_at_is_not_taken_over(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """While the store was away its process could not beat either, and is given its time anew.

    That is said once, however often it was looked.
    """
    wall = Wall()
    await database.write_locking_rows(jobs.ensure_jobs, ["work"], [], NOW)
    await database.write_locking_rows(jobs.claim, await _stored(database), "another")
    process = Process(database, Work(wall))
    await process.look()
    process.away = True
    process.seconds.at += 60
    for _ in range(2):
        await process.look()
    assert [record.message for record in caplog.records] == ["jobs_not_read"]
    process.away = False
    await process.look()
    assert process.work.ended == 0
    process.seconds.at += 30
    await process.look()
    assert process.work.ended == 1


async def test_a_run_is_not_begun_twice_by_looks_that_follow_at_once(database: Database) -> None:
    """The second comes before the first one's claim is noted, and finds it nobody's."""
    wall = Wall()
    process = Process(database, Work(wall))
    process.work.gate.clear()
    for _ in range(3):
        await process.runs.start_due()
    await asyncio.sleep(0.1)
    assert process.work.failures == [0]
    await process.runs.stop()
    assert (await _stored(database)).owner is None


async def test_who_is_stopped_while_it_claims_lets_go(database: Database) -> None:
    """Wherever it is by then, the run is nobody's afterwards, and due."""
    wall = Wall()
    process = Process(database, Work(wall))
    await database.write_locking_rows(jobs.ensure_jobs, ["work"], [], NOW)
    for pause in (0, 0.0005, 0.001, 0.002, 0.004, 0.008):
        process.work.gate.clear()
        await process.runs.start_due()
        await asyncio.sleep(pause)
        await process.runs.stop()
        run = await _stored(database)
        assert (run.owner, run.next_at) == (None, NOW)


async def test_a_run_that_never_ends_is_broken_off(database: Database) -> None:
    """It failed, says why, and is tried again later."""
    wall = Wall()
    work = Work(wall)
    work.gate.clear()
    ended = await JobWorker(database, "hand", wall, time_limit=0.1).carry_out_now("work", work)
    assert ended == JobOutcome(
        NOW + backoff(1), failed=True, reason="It was not done within 0.1 seconds."
    )
    run = await _stored(database)
    assert (run.owner, run.failures) == (None, 1)


async def test_what_fails_unforeseen_is_tried_again_later(database: Database) -> None:
    """The longer it goes on the later; once it goes well that is forgotten."""
    wall = Wall()
    process = Process(database, Work(wall, error=ValueError("odd")))
    for tries in (1, 2):
        await process.look()
        run = await _stored(database)
        assert (run.failures, run.next_at) == (tries, wall.at + backoff(tries))
        wall.at = run.next_at
    process.work.error = None
    await process.look()
    assert process.work.failures == [0, 1, 2]
    assert (await _stored(database)).failures == 0


async def test_who_stops_leaves_its_run_to_others(database: Database) -> None:
    """It is due again at once, and its failures are as they were."""
    wall = Wall()
    process = Process(database, Work(wall))
    process.work.gate.clear()
    await process.look()
    await process.runs.stop()
    run = await _stored(database)
    assert (run.owner, run.next_at, run.failures) == (None, NOW, 0)


async def test_by_hand_a_run_is_done_now_whoever_is_at_it(database: Database) -> None:
    """Also one that nobody arranged; the next one is when it says."""
    wall = Wall()
    work = Work(wall)
    by_hand = JobWorker(database, "hand", wall)
    await by_hand.carry_out_now("work", work)
    await database.write_locking_rows(jobs.claim, await _stored(database), "gone")
    await by_hand.carry_out_now("work", work)
    assert work.ended == 2
    run = await _stored(database)
    assert (run.owner, run.next_at) == (None, NOW + HOUR)


async def test_a_store_that_is_away_is_told_of(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Looking raises nothing, and health says why nothing is begun."""
    missing = Database(f"sqlite:///{tmp_path_factory.mktemp('empty') / 'none.db'}")
    process = Process(missing, Work(Wall()))
    await process.look()
    assert process.runs.condition().state is State.FAILING
    missing.close()


@given(st.integers(0, 10_000))
def test_backing_off_grows_to_six_hours(failures: int) -> None:
    """It never grows shorter, and begins with five minutes."""
    assert timedelta(minutes=5) <= backoff(failures) <= backoff(failures + 1) <= 6 * HOUR


@given(st.timedeltas(min_value=timedelta(seconds=1), max_value=timedelta(days=300)))
def test_nothing_is_put_off_for_days(ahead: timedelta) -> None:
    """What is due in more than half a day was put off by a clock that was wrong.

    So was what failed, and is due in more than two days: a host may ask to be left alone for one.
    """
    well, failed = (StoredJob("work", None, 0, NOW + ahead, failures) for failures in (0, 1))
    assert is_due(well, NOW) == (ahead > timedelta(hours=12))
    assert is_due(failed, NOW) == (ahead > timedelta(days=2))
    assert is_due(well, NOW + ahead)


_RUNS = st.lists(
    st.builds(
        StoredJob,
        name=st.integers(0, 99).map(str),
        owner=st.none(),
        fencing_token=st.just(0),
        next_at=st.just(NOW),
        failures=st.integers(0, 2),
    ),
    unique_by=lambda run: run.name,
    max_size=99,
)


@given(_RUNS, _RUNS)
def test_what_failed_takes_few_of_the_places(one: list[StoredJob], other: list[StoredJob]) -> None:
    """All others are begun, in their order, as long as there is a place; none is begun twice."""
    under_way = jobs_to_start(one, ())
    begun = jobs_to_start(other, under_way)
    together = [*under_way, *begun]
    assert len({run.name for run in together}) == len(together) <= 32
    assert len([run for run in together if run.failures]) <= 4
    names = {run.name for run in together}
    waiting = [run for run in other if not run.failures and run.name not in names]
    assert not waiting or len(together) == 32
    assert begun == [run for run in other if run in begun]
