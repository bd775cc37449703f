"""Runs: one process at a time is at each, and who was overtaken finds out."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from store.coordination import jobs
from store.coordination.jobs import StoredJob
from store.database import Database

NOW = datetime(2026, 1, 12, 9, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)


async def _one(database: Database) -> StoredJob:
    """Return the one run that there is."""
    [run] = await database.read(jobs.list_jobs)
    return run


@pytest.fixture
def arranged(database: Database) -> Database:
    """Return a store with one run."""
    asyncio.run(database.write_locking_rows(jobs.ensure_jobs, ["source:weekly"], [], NOW))
    return database


async def test_a_new_run_is_due_at_once(arranged: Database) -> None:
    """Arranged again it stays as it is, whatever became of it."""
    assert await _one(arranged) == StoredJob("source:weekly", None, 0, NOW, 0)
    held = await arranged.write_locking_rows(jobs.claim, await _one(arranged), "first")
    assert held is not None
    later = NOW + timedelta(hours=1)
    assert await arranged.write_locking_rows(jobs.release, held, later, 2)
    await arranged.write_locking_rows(jobs.ensure_jobs, ["source:weekly"], [], NOW)
    assert await _one(arranged) == StoredJob("source:weekly", None, 2, later, 2)


async def test_who_takes_a_run_has_it(arranged: Database) -> None:
    """Whether it is free, new or in another's hands, who then finds out by the next step."""
    first = await arranged.write_locking_rows(jobs.take_over, "source:weekly", "first", NOW)
    assert first == StoredJob("source:weekly", "first", 1, NOW, 0)
    by_hand = await arranged.write_locking_rows(jobs.take_over, "source:weekly", "by hand", LATER)
    assert by_hand == StoredJob("source:weekly", "by hand", 2, NOW, 0)
    assert await arranged.write_locking_rows(jobs.renew, first) is None
    new = await arranged.write_locking_rows(jobs.take_over, "source:daily", "by hand", LATER)
    assert new == StoredJob("source:daily", "by hand", 1, LATER, 0)


async def test_of_many_who_claim_a_run_one_gets_it(arranged: Database) -> None:
    """However many saw it free at the same moment."""
    seen = await _one(arranged)
    databases = [Database(arranged.url.render_as_string(hide_password=False)) for _ in range(4)]
    claims = (each.write_locking_rows(jobs.claim, seen, str(n)) for n, each in enumerate(databases))
    held = [each for each in await asyncio.gather(*claims) if each]
    for each in databases:
        each.close()
    assert len(held) == 1
    assert (await _one(arranged)).owner == held[0].owner


async def test_who_was_overtaken_changes_nothing_any_more(arranged: Database) -> None:
    """Neither a beat nor an end of its own counts, for the stored beat is another's."""
    first = await arranged.write_locking_rows(jobs.claim, await _one(arranged), "first")
    assert first is not None
    first = await arranged.write_locking_rows(jobs.renew, first)
    assert first is not None
    second = await arranged.write_locking_rows(jobs.claim, await _one(arranged), "second")
    assert second is not None
    assert await arranged.write_locking_rows(jobs.renew, first) is None
    assert not await arranged.write_locking_rows(jobs.release, first, NOW, 0)
    assert (await _one(arranged)).owner == "second"
    assert await arranged.write_locking_rows(jobs.release, second, NOW, 0)


async def test_a_run_that_is_gone_is_left_to_whoever_is_at_it(arranged: Database) -> None:
    """It goes when nobody is."""
    held = await arranged.write_locking_rows(jobs.claim, await _one(arranged), "first")
    assert held is not None
    await arranged.write_locking_rows(jobs.ensure_jobs, [], ["source:weekly"], NOW)
    assert await _one(arranged) == held
    await arranged.write_locking_rows(jobs.release, held, NOW, 0)
    await arranged.write_locking_rows(jobs.ensure_jobs, [], ["source:weekly"], NOW)
    assert await arranged.read(jobs.list_jobs) == []


async def test_a_run_that_waits_can_be_hastened(arranged: Database) -> None:
    """One that is due already, that somebody is at, or that failed stays as it is."""
    held = await arranged.write_locking_rows(jobs.claim, await _one(arranged), "first")
    assert held is not None
    await arranged.write_locking_rows(jobs.run_soon, "source:weekly", NOW - timedelta(hours=1))
    assert await _one(arranged) == held
    await arranged.write_locking_rows(jobs.release, held, NOW + timedelta(hours=1), 0)
    await arranged.write_locking_rows(jobs.run_soon, "source:weekly", NOW)
    await arranged.write_locking_rows(jobs.run_soon, "source:weekly", NOW + timedelta(hours=2))
    waiting = await _one(arranged)
    assert waiting.next_at == NOW
    held = await arranged.write_locking_rows(jobs.claim, waiting, "first")
    assert held is not None
    await arranged.write_locking_rows(jobs.release, held, NOW + timedelta(hours=1), 1)
    await arranged.write_locking_rows(jobs.run_soon, "source:weekly", NOW)
    assert (await _one(arranged)).next_at == NOW + timedelta(hours=1)
