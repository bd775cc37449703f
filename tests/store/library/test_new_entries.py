"""New entries are matched once their import is complete, and again when their authors come."""

import asyncio
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import islice

from sqlalchemy import select
from sqlmodel import col

from store.database import Database, Session
from store.library import arxiv, new_entries
from store.tables.library import EntryRow
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in
from tests.fakes.arxiv import paper
from tests.store.library.test_editions import take_in_sample
from tests.store.posting.alert_rows import NOW

LAST_DAY = MONDAY + timedelta(days=6)
MINUTE = timedelta(minutes=1)
PAPER = "2601.00001"


async def _takes_in(
    database: Database,
    *titles: str,
    source: str = "dair",
    at: datetime = NOW,
    links: Sequence[str] = (),
    complete: bool = True,
) -> None:
    """Import an edition of papers, of which the first has links."""
    first = [entry(1, titles[0], links=list(links))]
    rest = [entry(rank, title) for rank, title in enumerate(titles[1:], start=2)]
    await database.write(take_in, edition(*first, *rest), source, at)
    if complete:
        await database.write(new_entries.complete_import, source, at)


def _titles_ready(session: Session) -> list[str]:
    """Return the titles of the entries that are matched next."""
    found = new_entries.first_ready(session)
    query = select(col(EntryRow.id), col(EntryRow.title))
    titles = {row.id: row.title for row in session.connection().execute(query)}
    return [titles[each] for each in found.entries] if found else []


async def _settle(database: Database) -> bool:
    found = await database.read(new_entries.first_ready)
    assert found
    return await database.write_locking_rows(new_entries.settle, found)


async def test_what_an_import_adds_is_ready_once_that_is_complete(database: Database) -> None:
    """Until then it waits, so that its edition is told as a whole."""
    await _takes_in(database, "One", "Two", complete=False)
    assert await database.read(_titles_ready) == []
    assert await database.read(new_entries.any_to_match)
    await database.write(new_entries.complete_import, "dair", NOW)
    assert await database.read(_titles_ready) == ["One", "Two"]


async def test_only_what_is_new_is_marked(database: Database) -> None:
    """The same edition again marks nothing, a longer one what it adds."""
    await _takes_in(database, "One")
    assert await _settle(database)
    later = NOW + MINUTE
    await _takes_in(database, "One", at=later)
    assert not await database.read(new_entries.any_to_match)
    await _takes_in(database, "One", "Two", at=later)
    assert await database.read(_titles_ready) == ["Two"]


async def test_old_editions_are_no_news(database: Database) -> None:
    """One that ended eight weeks before its import is marked, one of a day earlier is not."""
    midnight = datetime.combine(LAST_DAY, NOW.time(), NOW.tzinfo)
    await _takes_in(database, "Just", at=midnight + timedelta(weeks=8))
    assert await database.read(_titles_ready) == ["Just"]
    too_late = midnight + timedelta(weeks=8, days=1)
    await _takes_in(database, "Old", source="other", at=too_late)
    assert await database.read(_titles_ready) == ["Just"]


async def test_samples_are_never_matched(database: Database) -> None:
    """Nobody is told of a paper that the program brings along."""
    await database.write(take_in_sample, edition(entry(1, "Sample"), first_day=date(2026, 11, 16)))
    assert not await database.read(new_entries.any_to_match)


async def test_an_interrupted_import_is_ready_after_ten_minutes(database: Database) -> None:
    """So is one of a clock that was ahead; another that goes on is left alone."""
    await _takes_in(database, "One", complete=False)
    await _takes_in(database, "Two", source="other", at=NOW + 30 * MINUTE, complete=False)
    await database.write(new_entries.complete_interrupted, NOW + 10 * MINUTE)
    assert await database.read(_titles_ready) == ["Two"]
    await database.write(new_entries.complete_interrupted, NOW + 11 * MINUTE)
    assert await database.read(_titles_ready) == ["One"]


async def _answers(database: Database, *authors: str) -> None:
    told = [paper(PAPER, authors=authors)]
    await database.write(arxiv.store_answers, [PAPER], told, NOW, NOW)


async def test_entries_wait_for_their_authors(database: Database) -> None:
    """Matched once without, they are ready again when arXiv names them, and then no more."""
    await _takes_in(database, "One", "Two", links=[f"https://arxiv.org/abs/{PAPER}"])
    assert await _settle(database)
    assert not await database.read(new_entries.any_to_match)
    await _answers(database)
    assert await database.read(_titles_ready) == []
    await _answers(database, "Ann Kite")
    assert await database.read(_titles_ready) == ["One"]
    assert await _settle(database)
    await _answers(database, "Ann Kite", "Bob Owl")
    assert await database.read(new_entries.first_ready) is None


async def test_authors_that_come_during_the_matching_are_matched(database: Database) -> None:
    """An entry that was matched without them is matched again, whenever they came."""
    await _takes_in(database, "One", "Two", links=[f"https://arxiv.org/abs/{PAPER}"])
    found = await database.read(new_entries.first_ready)
    assert found
    await _answers(database, "Ann Kite")
    assert await database.write_locking_rows(new_entries.settle, found)
    assert await database.read(_titles_ready) == ["One"]
    assert await _settle(database)
    assert not await database.read(new_entries.any_to_match)


async def test_authors_that_come_during_the_recording_are_matched(database: Database) -> None:
    """Whichever of both is written first, none of ten entries is forgotten."""
    ids = [f"2601.0000{number}" for number in range(10)]
    links = [f"https://arxiv.org/abs/{each}" for each in ids]
    drafts = [entry(rank, each, links=[each]) for rank, each in enumerate(links, start=1)]
    await database.write(take_in, edition(*drafts), "dair", NOW)
    await database.write(new_entries.complete_import, "dair", NOW)
    found = await database.read(new_entries.first_ready)
    assert found
    answers = (
        database.write(arxiv.store_answers, [each], [paper(each, authors=("Ann Kite",))], NOW, NOW)
        for each in ids
    )
    settled = database.write_locking_rows(new_entries.settle, found)
    await asyncio.gather(*islice(answers, 5), settled, *answers)
    again = await database.read(new_entries.first_ready)
    assert again
    assert again.entries == found.entries


async def test_entries_are_settled_once(database: Database) -> None:
    """Who matched the same entries meanwhile hears that another process was first."""
    await _takes_in(database, "One", links=[f"https://arxiv.org/abs/{PAPER}"])
    found = await database.read(new_entries.first_ready)
    assert found
    assert await database.write_locking_rows(new_entries.settle, found)
    assert not await database.write_locking_rows(new_entries.settle, found)


async def test_what_is_no_news_any_more_is_dropped(database: Database) -> None:
    """Authors that never came are waited for until eight weeks after the edition's end."""
    await _takes_in(database, "One", links=[f"https://arxiv.org/abs/{PAPER}"])
    assert await _settle(database)
    await database.write(new_entries.drop_old, LAST_DAY + timedelta(weeks=8))
    await _answers(database, "Ann Kite")
    assert await database.read(_titles_ready) == ["One"]
    await database.write(new_entries.drop_old, LAST_DAY + timedelta(weeks=8, days=1))
    assert not await database.read(new_entries.any_to_match)


async def test_the_oldest_import_comes_first_its_newest_edition_before(database: Database) -> None:
    """Imports are matched one after the other, and told in the order of their papers."""
    week = timedelta(weeks=1)
    for first_day, title in ((MONDAY - week, "Older"), (MONDAY, "Newer")):
        await database.write(take_in, edition(entry(1, title), first_day=first_day), "dair", NOW)
    await _takes_in(database, "Before", source="other", at=NOW - MINUTE)
    await database.write(new_entries.complete_import, "dair", NOW)
    assert await database.read(_titles_ready) == ["Before"]
    assert await _settle(database)
    assert await database.read(_titles_ready) == ["Newer", "Older"]
