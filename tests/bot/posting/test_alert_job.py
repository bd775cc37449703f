"""The job that matches alerts, done by several processes on a store, and interrupted."""

import asyncio
from collections.abc import Iterator
from contextlib import closing

import pytest

from bot.coordination.jobs import Jobs
from bot.coordination.wakeup import WakeUp
from bot.library.alerts import find_matches
from bot.posting.alerts import JOB, AlertMatching
from bot.posting.delivery.timing import Clocks
from store.coordination import jobs
from store.database import Database
from store.library import arxiv, new_entries
from store.library.new_entries import NewEntries
from store.posting.alert_matches import AlertMatch, record_matches
from store.posting.deliveries import list_deliveries
from store.readers import alerts
from store.records import DeliveryKind, Workspace
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import take_in
from tests.bot.posting.delivery.setup import MovedClock
from tests.conftest import on_both
from tests.fakes.arxiv import paper
from tests.fakes.clock import Seconds
from tests.store.posting.alert_rows import HERE, NOW, add_alert, import_papers, told

pytestmark = pytest.mark.on_sqlite

KITES, OWLS = "Kites in Wind", "Owls at Night"
EXPIRY = 12.0


@pytest.fixture
def other(database_url: str, database: Database) -> Iterator[Database]:
    """Return the same store, as another process has it open."""
    del database
    with closing(Database(database_url)) as opened:
        yield opened


def _matching(database: Database) -> AlertMatching:
    clock = MovedClock(NOW)
    return AlertMatching(database, Clocks(clock, clock), WakeUp())


async def _matched(database: Database, alert: int) -> tuple[NewEntries, list[AlertMatch]]:
    """Match an alert as the job does, and get no further."""
    found = await database.read(new_entries.first_ready)
    assert found
    return found, await database.read(find_matches, [alert], found.entries)


@on_both
async def test_one_delivery_tells_a_channel_of_an_import(database: Database) -> None:
    """Two imports are two, and each has all that any alert of the channel found."""
    await database.write(add_alert, "kites")
    await database.write(add_alert, "owls")
    await database.write(add_alert, "owls", "U2", "D2")
    await database.write(import_papers, KITES, OWLS)
    await database.write(import_papers, "Night Owls", source="other")
    await _matching(database).run(0)
    first = [("D1", [KITES, OWLS]), ("D2", [OWLS])]
    assert await database.read(told) == [*first, ("D1", ["Night Owls"]), ("D2", ["Night Owls"])]
    await _matching(database).run(0)
    assert len(await database.read(told)) == 4


async def test_workspaces_are_told_apart(database: Database) -> None:
    """People and channels of one id in two workspaces each get what their own alert found."""
    elsewhere = Workspace("test", "T2")
    await database.write(add_alert, "kites")
    await database.write(add_alert, "owls", "U1", "D1", None, elsewhere)
    await database.write(import_papers, KITES, OWLS)
    await _matching(database).run(0)
    made = await database.read(list_deliveries)
    assert [(each.channel.workspace, each.kind) for each in made] == [
        (HERE, DeliveryKind.ALERT),
        (elsewhere, DeliveryKind.ALERT),
    ]
    assert await database.read(told) == [("D1", [KITES]), ("D1", [OWLS])]


@on_both
async def test_who_dies_before_recording_leaves_it_to_the_next(
    database: Database, other: Database
) -> None:
    """What was matched and not recorded is matched again, and told once, however late it comes."""
    alert = await database.write(add_alert, "kites")
    await database.write(import_papers, KITES, OWLS)
    found, matches = await _matched(other, alert)
    await _matching(database).run(0)
    assert await database.read(told) == [("D1", [KITES])]
    # It was frozen, not dead: it records what it found before.
    assert await other.write_locking_rows(record_matches, found, matches, NOW, NOW) == 0
    assert await database.read(told) == [("D1", [KITES])]


@on_both
async def test_two_that_match_at_once_tell_once(database: Database, other: Database) -> None:
    """A lease that was lost lets two do the job, of which one records each import."""
    await database.write(add_alert, "kites")
    for source in ("dair", "other", "third"):
        await database.write(import_papers, KITES, f"Kites of {source}", source=source)
    await asyncio.gather(*(_matching(each).run(0) for each in (database, other) * 2))
    titles = [title for _, papers in await database.read(told) for title in papers]
    assert sorted(titles) == [KITES, "Kites of dair", "Kites of other", "Kites of third"]
    assert len(await database.read(told)) == 3


async def test_a_dead_process_is_taken_over(database: Database, other: Database) -> None:
    """The job that it had begun is done by another once its lease has expired."""
    await database.write(add_alert, "kites")
    await database.write(import_papers, KITES)
    seconds, clock = Seconds(), MovedClock(NOW)
    await database.write_locking_rows(jobs.ensure_jobs, [JOB], [], NOW)
    await database.write_locking_rows(jobs.take_over, JOB, "dead", NOW)
    runs = Jobs(other, "alive", clock, _matching(other).jobs, expiry=EXPIRY, seconds=seconds)
    await runs.start_due()
    assert (runs.running, await database.read(told)) == (0, [])
    seconds.at += EXPIRY + 1
    await runs.start_due()
    await _ended(runs)
    assert await database.read(told) == [("D1", [KITES])]


async def test_an_import_wakes_the_job(database: Database) -> None:
    """It is due at once where there is something to match, else once an hour."""
    runs = Jobs(database, "one", MovedClock(NOW), _matching(database).jobs)
    await runs.start_due()
    await _ended(runs)
    await database.write(add_alert, "kites")
    await database.write(import_papers, KITES)
    await runs.start_due()
    await _ended(runs)
    assert await database.read(told) == [("D1", [KITES])]


async def test_an_author_who_becomes_known_later_is_told_once(database: Database) -> None:
    """What matched by its words is not told again when arXiv names the authors."""
    await database.write(add_alert, "kites")
    await database.write(add_alert, "", "U2", "D2", "Ann Owl")
    draft = edition(entry(1, KITES, links=["https://arxiv.org/abs/2601.00001"]))
    await database.write(take_in, draft, "dair", NOW)
    await database.write(new_entries.complete_import, "dair", NOW)
    await _matching(database).run(0)
    assert await database.read(told) == [("D1", [KITES])]
    answer = [paper("2601.00001", authors=("Ann Owl",))]
    await database.write(arxiv.store_answers, ["2601.00001"], answer, NOW, NOW)
    await _matching(database).run(0)
    assert await database.read(told) == [("D1", [KITES]), ("D2", [KITES])]


async def test_alerts_that_go_leave_nothing_to_tell(database: Database) -> None:
    """One that is deleted before the job comes finds nothing, and nothing waits afterwards."""
    alert = await database.write(add_alert, "kites")
    await database.write(import_papers, KITES)
    await database.write(alerts.remove, alert)
    await _matching(database).run(0)
    assert await database.read(told) == []
    assert not await database.read(new_entries.any_to_match)


async def _ended(runs: Jobs) -> None:
    """Wait until a process does no job any more."""
    async with asyncio.timeout(20):
        while runs.running:  # noqa: ASYNC110 - a number has no event
            await asyncio.sleep(0.01)
