"""Papers that people have read, on both databases."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import select
from sqlmodel import col

from store.coordination.request_claims import Claim
from store.database import Database, Session
from store.imports import merge_papers
from store.library import mentions
from store.readers import read_papers, seen
from store.records import Person, Workspace
from store.tables.readers import SeenPaperRow
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import take_in

NOW = datetime(2026, 1, 12, 8, tzinfo=UTC)
ANN, BEN = (Person(Workspace("slack", "T1"), user) for user in ("U1", "U2"))
KITES, GLIDERS, BALLOONS = (f"dair:2026-01-05#{rank}" for rank in (1, 2, 3))
_LINK = ["https://arxiv.org/abs/2601.00001"]


async def _stocked(database: Database) -> None:
    entries = entry(1, "Kites", links=_LINK), entry(2, "Gliders"), entry(3, "Balloons")
    await database.write(take_in, edition(*entries))
    await database.write(take_in, edition(entry(1, "Kites", links=_LINK)), "other")


async def test_a_paper_is_read_once(database: Database) -> None:
    """By any of its entries; another person has not read it, and what is gone nobody has."""
    await _stocked(database)
    wanted = (KITES, GLIDERS, "dair:2020-01-06#9")
    mark = read_papers.mark
    assert await database.write(mark, ANN, wanted, NOW, None) == [True, True, False]
    assert await database.write(mark, ANN, ("other:2026-01-05#1",), NOW, None) == [False]
    every = (*wanted, BALLOONS, "other:2026-01-05#1")
    found = await database.read(read_papers.among, ANN, every)
    assert found == {KITES, GLIDERS, "other:2026-01-05#1"}
    assert await database.read(read_papers.among, BEN, every) == frozenset()
    unmark = read_papers.unmark
    assert await database.write(unmark, ANN, (KITES, BALLOONS), None) == [True, False]
    assert await database.read(read_papers.among, ANN, every) == {GLIDERS}


async def test_what_was_only_read_is_unseen_again(database: Database) -> None:
    """What was opened before stays seen."""
    await _stocked(database)
    before = NOW - timedelta(days=1)
    await database.write_locking_rows(seen.open_paper, ANN, KITES, before)
    await database.write(read_papers.mark, ANN, (KITES, GLIDERS), NOW, None)
    await database.write(read_papers.unmark, ANN, (KITES, GLIDERS), None)
    assert await database.read(_seen) == [(before, None)]


async def test_a_repeated_request_changes_nothing(database: Database) -> None:
    """It is answered as before."""
    await _stocked(database)
    read, unread = Claim("k1", NOW), Claim("k2", NOW)
    for _ in range(2):
        assert await database.write(read_papers.mark, ANN, (KITES,), NOW, read) == [True]
    for _ in range(2):
        assert await database.write(read_papers.unmark, ANN, (KITES,), unread) == [True]
    await database.write(read_papers.mark, ANN, (KITES,), NOW, read)
    assert await database.read(_seen) == []


async def test_a_paper_that_was_read_stays_read_as_papers_become_one(database: Database) -> None:
    """Whichever of the two was read, the one is."""
    await _stocked(database)
    await database.write(read_papers.mark, ANN, (GLIDERS,), NOW, None)
    await database.write_locking_rows(seen.open_paper, ANN, KITES, NOW - timedelta(days=1))
    await database.write(_merge, KITES, GLIDERS)
    assert await database.read(read_papers.among, ANN, (KITES, GLIDERS)) == {KITES, GLIDERS}


def _merge(session: Session, *refs: str) -> None:
    [one], [other] = (mentions.by_ref(session, ref) for ref in refs)
    merge_papers.merge(session, one, other, NOW)


def _seen(session: Session) -> list[tuple[datetime, datetime | None]]:
    query = select(col(SeenPaperRow.seen_at), col(SeenPaperRow.read_at))
    return [(row.seen_at, row.read_at) for row in session.connection().execute(query)]
