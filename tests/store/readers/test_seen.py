"""Seen papers and briefs, on both databases."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Any

import pytest
from sqlalchemy import Engine, event, func, select
from sqlmodel import SQLModel

from bot.domain.drafts import DocumentKind
from store.coordination.request_claims import Claim
from store.database import Database, Session
from store.readers import seen, seen_lists
from store.readers.seen import Brief, BriefRequest, FeedScope, UnseenSummary
from store.records import Mention, Person, SeenList, Workspace
from store.search.filters import Filters
from store.workspaces import people
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in
from tests.conftest import on_both
from tests.store.consensus.fused_weeks import SECOND, takes_in, week
from tests.store.library.test_editions import take_in_sample

pytestmark = pytest.mark.on_sqlite

NOW = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
EVERY = FeedScope(None, NOW.date())
READER = Person(Workspace("slack", "T1"), "U1")
OTHER = Person(Workspace("slack", "T1"), "U2")
_WEEK = timedelta(weeks=1)


def _first(number: int) -> Callable[[Iterator[Mention]], Sequence[Mention]]:
    """Choose a number of the unseen papers."""
    return lambda papers: list(islice(papers, number))


async def _brief(
    database: Database, number: int, scope: FeedScope = EVERY, person: Person = READER
) -> list[str]:
    """Create a brief of a number of papers; return their titles."""
    found = await database.write_locking_rows(
        seen.create_brief, person, BriefRequest(5, scope, NOW), _first(number)
    )
    return [each.entry.title for each in found.papers] if found else []


async def _left(
    database: Database, person: Person = READER, scope: FeedScope = EVERY
) -> UnseenSummary:
    return await database.read(seen.unseen_summary, person, scope)


def _rows(session: Session) -> dict[str, int]:
    """Count the rows of people, briefs and seen papers."""
    return {
        name: session.connection().scalar(
            select(func.count()).select_from(SQLModel.metadata.tables[name])
        )
        or 0
        for name in ("person", "brief", "seen_paper")
    }


@on_both
async def test_the_feed_is_newest_week_first_and_in_each_best_first(database: Database) -> None:
    """Papers of two sources come first in a week; a paper is in its newest week."""
    await takes_in(
        database,
        ("dair", week(1, 2, 3)),
        ("dair", week(4, 5, 6, first_day=SECOND)),
        ("other", week(6, 2, first_day=SECOND)),
    )
    assert await _brief(database, 9) == [
        "Paper 6", "Paper 4", "Paper 5", "Paper 2", "Paper 1", "Paper 3",
    ]  # fmt: skip


async def test_briefs_have_a_paper_once(database: Database) -> None:
    """Each brief continues where the last ended; without unseen papers none is created."""
    await takes_in(database, ("dair", week(*range(1, 6))), ("other", week(3, 4, first_day=SECOND)))
    briefs = [await _brief(database, 2) for _ in range(4)]
    assert briefs == [["Paper 3", "Paper 4"], ["Paper 1", "Paper 2"], ["Paper 5"], []]
    assert await database.read(_rows) == {"person": 1, "brief": 3, "seen_paper": 5}


async def test_of_very_many_unseen_papers_the_first_are_listed(database: Database) -> None:
    """A summary reads no more papers than anybody reads; all are counted."""
    await takes_in(database, ("dair", week(*range(1, 231))))
    left = await _left(database)
    assert (len(left.recent), left.papers) == (200, 230)


async def test_without_papers_nothing_is_stored(database: Database) -> None:
    """A person without a brief is not stored."""
    assert await _brief(database, 5) == []
    assert await database.read(_rows) == {"person": 0, "brief": 0, "seen_paper": 0}


@on_both
async def test_an_opened_paper_is_seen_wherever_it_stands(database: Database) -> None:
    """A paper that was opened in one source's edition is seen in another's."""
    await takes_in(database, ("dair", week(1, 2)), ("other", week(2, 3, first_day=SECOND)))
    for _ in range(2):
        await database.write_locking_rows(seen.open_paper, READER, "dair:2026-01-05#2", NOW)
    assert await _brief(database, 9) == ["Paper 3", "Paper 1"]


async def test_what_turns_out_to_be_one_paper_is_seen_as_one(database: Database) -> None:
    """A paper that an import joins with a seen one is seen."""
    apart = edition(entry(1, "Kites in the Wind"), first_day=SECOND)
    await takes_in(database, ("dair", week(1)), ("other", apart))
    assert await _brief(database, 1) == ["Kites in the Wind"]
    named = entry(1, "Kites in the Wind", links=["https://arxiv.org/abs/2601.00001"])
    await database.write(take_in, edition(named, first_day=SECOND), "other")
    assert await _brief(database, 9) == []


async def test_people_have_their_own(database: Database) -> None:
    """People have their own seen papers, also under one id in two workspaces."""
    await takes_in(database, ("dair", week(1, 2)))
    elsewhere = Person(Workspace("slack", "T2"), READER.external_id)
    assert [await _brief(database, 9, person=each) for each in (READER, OTHER, elsewhere)] == [
        ["Paper 1", "Paper 2"]
    ] * 3


@on_both
async def test_only_followed_sources_that_no_longer_grow_count(database: Database) -> None:
    """The consensus is no source, and the running week of a ranking waits for its end."""
    growing = replace(week(7, 8, first_day=date(2026, 3, 2)), kind=DocumentKind.HF_DAILY)
    await takes_in(database, ("dair", week(1)), ("other", week(1, 2)), ("hf-daily", growing))
    assert await _brief(database, 9, FeedScope(("other", "hf-daily"), NOW.date())) == [
        "Paper 1", "Paper 2",
    ]  # fmt: skip
    assert await _brief(database, 9) == []
    assert await _brief(database, 9, FeedScope(None, date(2026, 3, 9))) == ["Paper 7", "Paper 8"]


async def test_samples_stand_in_for_what_there_is_none_of(database: Database) -> None:
    """Samples are in briefs until the first real edition."""
    await database.write(take_in_sample, week(1, 2))
    assert await _brief(database, 1) == ["Paper 1"]
    await takes_in(database, ("dair", week(3, first_day=MONDAY - 9 * _WEEK)))
    assert await _brief(database, 9) == ["Paper 3"]


async def test_a_first_brief_reaches_back_twelve_weeks(database: Database) -> None:
    """A first brief has no older papers; later briefs do, once nothing newer is left."""
    weeks = [week(n, first_day=MONDAY - back * _WEEK) for n, back in ((1, 0), (2, 11), (3, 12))]
    await takes_in(database, *(("dair", each) for each in weeks))
    assert [await _brief(database, 9) for _ in range(3)] == [
        ["Paper 1", "Paper 2"],
        ["Paper 3"],
        [],
    ]


async def test_a_brief_reads_no_more_than_it_is_filled_with(database: Database) -> None:
    """The number of statements grows neither with the weeks nor with the papers."""
    weeks = [("dair", week(n, n + 4, first_day=MONDAY - n * _WEEK)) for n in range(1, 5)]
    long = ("other", week(*range(11, 61), first_day=SECOND))
    counts = []
    for some, reader, number in ((weeks[:1], READER, 1), ([*weeks[1:], long], OTHER, 50)):
        await takes_in(database, *some)
        await _brief(database, 1, person=reader)
        with _counted() as statements:
            assert len(await _brief(database, number, person=reader)) == number
        counts.append(len(statements))
    assert counts[1] == counts[0] + 1  # the first few are read before the others


@on_both
async def test_a_summary_lists_four_weeks_and_counts_older_papers(database: Database) -> None:
    """The four weeks end with the newest that has anything unseen."""
    backs = {1: 0, 2: 1, 3: 3, 4: 4, 5: 9}
    weeks = (week(n, first_day=MONDAY - back * _WEEK) for n, back in backs.items())
    await takes_in(database, *(("dair", each) for each in weeks))

    async def told() -> tuple[date, list[str], int, int]:
        found = await _left(database)
        titles = [each.entry.title for each in found.recent]
        return found.since, titles, found.older, found.papers

    since = MONDAY - 3 * _WEEK
    assert await told() == (since, ["Paper 1", "Paper 2", "Paper 3"], 2, 5)
    await _brief(database, 1)
    assert await told() == (since - _WEEK, ["Paper 2", "Paper 3", "Paper 4"], 1, 4)
    await _brief(database, 9)
    assert (await _left(database)).papers == 0


@on_both
async def test_a_request_is_given_one_brief(database: Database) -> None:
    """A repeated request returns the same brief, the next request the next one."""
    await takes_in(database, ("dair", week(1, 2, 3)))
    first, second = (
        BriefRequest(5, EVERY, NOW, Claim(f"slack:{n}", NOW + timedelta(microseconds=n)))
        for n in (1, 2)
    )
    given = [
        await database.write_locking_rows(seen.create_brief, READER, each, _first(1))
        for each in (first, second, first, second)
    ]
    assert [_titles(each) for each in given] == [["Paper 1"], ["Paper 2"]] * 2
    assert given[2:] == given[:2]


async def test_a_request_whose_brief_is_forgotten_is_given_none(database: Database) -> None:
    """A repeated request for a deleted brief returns none and creates none."""
    await takes_in(database, ("dair", week(1, 2, 3)))
    wish = BriefRequest(5, EVERY, NOW, Claim("slack:1", NOW))
    await database.write_locking_rows(seen.create_brief, READER, wish, _first(1))
    await database.write(people.delete_person, READER)
    assert await database.write_locking_rows(seen.create_brief, READER, wish, _first(1)) is None
    assert await database.read(_rows) == {"person": 0, "brief": 0, "seen_paper": 0}


async def test_a_brief_is_found_again_by_its_reader_alone(database: Database) -> None:
    """A brief has the same papers in the same order after imports; others can't read it."""
    await takes_in(database, ("dair", week(2, 1)), ("other", week(1)))
    given = await database.write_locking_rows(
        seen.create_brief, READER, BriefRequest(10, EVERY, NOW), _first(9)
    )
    assert given is not None
    await takes_in(database, ("dair", week(1, 2, 5, first_day=SECOND)))
    assert await database.read(seen.find_brief, READER, given.id) == given
    assert await database.read(seen.find_brief, OTHER, given.id) is None
    await _brief(database, 1, person=OTHER)
    assert await database.read(seen.find_brief, OTHER, given.id) is None


@on_both
async def test_a_brief_counts_papers_without_entries(database: Database) -> None:
    """A brief counts its papers that no edition has any more."""
    await takes_in(database, ("dair", week(1, 2)))
    given = await database.write_locking_rows(
        seen.create_brief, READER, BriefRequest(5, EVERY, NOW), _first(9)
    )
    assert given is not None
    await takes_in(database, ("dair", week(1)))
    again = await database.read(seen.find_brief, READER, given.id)
    assert again is not None
    assert (_titles(again), again.gone) == (["Paper 1"], 1)


@pytest.mark.parametrize("in_one_process", [True, False])
@on_both
async def test_two_devices_at_once_are_given_different_papers(
    database: Database, *, in_one_process: bool
) -> None:
    """Twelve briefs at the same moment have different papers."""
    await takes_in(database, ("dair", week(*range(1, 10))), ("other", week(9, first_day=SECOND)))
    url = database.url.render_as_string(hide_password=False)
    async with Database(url) as second:
        stores = (database, database if in_one_process else second)
        briefs = [_brief(stores[n % 2], 1) for n in range(12)]
        opened = [
            store.write_locking_rows(seen.open_paper, READER, "other:2026-01-12#1", NOW)
            for store in stores
        ]
        found, _ = await asyncio.gather(asyncio.gather(*briefs), asyncio.gather(*opened))
    titles = [title for brief in found for title in brief]
    assert sorted(titles) == sorted(set(titles))
    assert {f"Paper {n}" for n in range(1, 9)} <= set(titles)
    assert sum(not brief for brief in found) == 12 - len(titles)


@on_both
async def test_one_request_twice_at_once_is_given_one_brief(database: Database) -> None:
    """Two replicas with one request create one brief."""
    await takes_in(database, ("dair", week(*range(1, 10))))
    wish = BriefRequest(5, EVERY, NOW, Claim("slack:1", NOW))
    url = database.url.render_as_string(hide_password=False)
    async with Database(url) as second:
        both = (
            store.write_locking_rows(seen.create_brief, READER, wish, _first(2))
            for store in (database, second)
        )
        one, other = await asyncio.gather(*both)
    assert one == other
    assert (await database.read(_rows))["seen_paper"] == 2


@contextmanager
def _counted() -> Iterator[list[str]]:
    """Collect the statements that are executed in the block."""
    found: list[str] = []

    def note(*given: Any) -> None:
        found.append(given[2])

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def _titles(brief: Brief | None) -> list[str]:
    return [each.entry.title for each in brief.papers] if brief else []


async def _recap(database: Database, most: int, scope: FeedScope = EVERY) -> list[str]:
    """Create a recap of a number of papers at most; return their titles."""
    ranked = await database.read(seen.best_of_weeks, scope)
    found = await database.write_locking_rows(
        seen.create_recap, READER, BriefRequest(0, scope, NOW), ranked, most
    )
    return [each.entry.title for each in found.papers] if found else []


@on_both
async def test_a_recap_has_the_best_of_all_weeks_first(database: Database) -> None:
    """Whatever their week, papers that lists name more often or higher come first, each once."""
    await takes_in(
        database,
        ("dair", week(1, 2)),
        ("other", week(2)),
        ("dair", week(3, 4, first_day=SECOND)),
    )
    ranked = await database.read(seen.best_of_weeks, EVERY)
    assert ranked.weeks == ("2026-W02", "2026-W03")
    assert await database.read(seen.count_unseen, READER, ranked) == 4
    assert [await _recap(database, 3) for _ in range(3)] == [
        ["Paper 2", "Paper 3", "Paper 1"], ["Paper 4"], [],
    ]  # fmt: skip
    assert await database.read(seen.count_unseen, READER, ranked) == 0
    assert await database.read(seen.count_unseen, OTHER, ranked) == 4


async def test_a_recap_keeps_to_its_filters(database: Database) -> None:
    """The weeks before are no part of it."""
    await takes_in(database, ("dair", week(1, 2)), ("dair", week(3, 4, first_day=SECOND)))
    lately = replace(EVERY, filters=Filters(since=SECOND))
    assert (await database.read(seen.best_of_weeks, lately)).weeks == ("2026-W03",)
    assert await _recap(database, 9, lately) == ["Paper 3", "Paper 4"]


async def test_a_recap_that_is_asked_for_again_is_the_same(database: Database) -> None:
    """A repeated request creates none, and it can be found by its number."""
    await takes_in(database, ("dair", week(1, 2)))
    ranked = await database.read(seen.best_of_weeks, EVERY)
    wish = BriefRequest(0, EVERY, NOW, Claim("slack:1", NOW))
    first, again = [
        await database.write_locking_rows(seen.create_recap, READER, wish, ranked, 1)
        for _ in range(2)
    ]
    assert first
    assert again == first == await database.read(seen.find_brief, READER, first.id)
    assert first.minutes == 0


@on_both
async def test_a_visit_is_when_something_was_shown(database: Database) -> None:
    """The last before this visit counts, by papers and by lists."""
    await takes_in(database, ("dair", week(1, 2)))
    assert await database.read(seen.last_visit, READER, NOW) is None
    await _brief(database, 1)
    assert await database.read(seen.last_visit, READER, NOW) is None
    assert await database.read(seen.last_visit, READER, NOW + _WEEK) == NOW
    later = NOW + timedelta(days=2)
    listed = SeenList(("dair:2026-01-05#1",), 1, None, None, None, later)
    await database.write(seen_lists.note, READER, "C1", listed)
    assert await database.read(seen.last_visit, READER, NOW + _WEEK) == later
    assert await database.read(seen.last_visit, OTHER, NOW + _WEEK) is None
