"""Topics in the store: what is counted, what is listed, and that both follow every change."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import event

from bot.ingest.rebuild import rebuild_if_outdated
from store import content_version
from store.database import Database, Session
from store.library import editions, mentions, statistics
from store.library.entries import retag
from store.records import Entry
from store.search import EVERYTHING, Filters
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import NOW, stored, take_in
from tests.conftest import on_both

pytestmark = pytest.mark.on_sqlite

TODAY = MONDAY + timedelta(days=20)
_ARXIV = ["https://arxiv.org/abs/2601.00001"]
WEEK = edition(
    entry(1, "A Survey of Language Agents", links=_ARXIV),
    entry(2, "Jailbreak attacks on language agents"),
    entry(3, "On Nothing in Particular"),
)
LATER = edition(
    entry(1, "A Survey of Language Agents", links=_ARXIV), first_day=MONDAY + timedelta(days=7)
)


async def _counts(database: Database) -> dict[str, int]:
    return {each.topic: each.papers for each in await database.read(statistics.topic_counts)}


@on_both
async def test_papers_are_counted_by_topic(database: Database) -> None:
    """A paper that two editions name counts once."""
    await stored(database, WEEK, LATER)
    assert await _counts(database) == {"agents": 2, "safety": 1, "surveys": 1}
    assert await database.read(statistics.count_papers, Filters("agents")) == 2
    assert await database.read(statistics.count_papers) == 3


@on_both
async def test_the_papers_of_a_topic_stand_newest_first(database: Database) -> None:
    """Each paper stands once, at its newest mention, and pages put together are the list."""
    await stored(database, WEEK, LATER)
    found = await database.read(mentions.newest, Filters("agents"), TODAY, 10)
    assert [each.entry.ref for each in found] == ["dair:2026-01-12#1", "dair:2026-01-05#2"]
    pages = [
        await database.read(mentions.newest, EVERYTHING, TODAY, 1, offset) for offset in range(4)
    ]
    assert [each.entry.title for page in pages for each in page] == [
        "A Survey of Language Agents",
        "Jailbreak attacks on language agents",
        "On Nothing in Particular",
    ]


async def test_a_corrected_entry_changes_its_topics(database: Database) -> None:
    """Topics follow the text: what it no longer says is no longer counted."""
    await stored(database, WEEK)
    mended = replace(WEEK, entries=(entry(1, "Proteins and their folding"), *WEEK.entries[1:]))
    [edition_now] = await stored(database, mended)
    assert edition_now.entries[0].topics == ("science",)
    assert await _counts(database) == {"agents": 1, "safety": 1, "science": 1}


async def test_an_entry_that_is_taken_back_is_not_counted(database: Database) -> None:
    """Topics of removed entries are gone with them."""
    await stored(database, WEEK)
    await stored(database, replace(WEEK, entries=(*WEEK.entries[::2], entry(4, "On Other Things"))))
    assert await _counts(database) == {"agents": 1, "surveys": 1}


@on_both
async def test_other_rules_tag_everything_anew(database: Database) -> None:
    """Entries that were tagged by other rules get the topics of today's, once."""
    await stored(database, WEEK)
    await rebuild_if_outdated(database, NOW)

    def tag_otherwise(session: Session) -> None:
        retag(session, _always_video)
        content_version.set_rules(session, "other rules")

    await database.write(tag_otherwise)
    assert await _counts(database) == {"video": 3}
    before = await database.read(content_version.version)
    assert await rebuild_if_outdated(database, NOW)
    assert await _counts(database) == {"agents": 2, "safety": 1, "surveys": 1}
    assert await database.read(content_version.version) != before
    assert not await rebuild_if_outdated(database, NOW)


@on_both
async def test_tagging_anew_keeps_no_server_waiting(database: Database) -> None:
    """However many entries there are, a statement follows after some: silent writers are ended."""
    many = tuple(entry(number, f"On Nothing {number}") for number in range(1, 1201))
    await stored(database, replace(WEEK, entries=many))
    silent = [0]

    def tag(_entry: Entry) -> tuple[str, ...]:
        silent[-1] += 1
        return ("video",)

    def tag_all(session: Session) -> None:
        @event.listens_for(session.connection(), "before_cursor_execute")
        def speak(*_: object) -> None:
            silent.append(0)

        retag(session, tag)

    await database.write(tag_all)
    assert sum(silent) == 1200
    assert max(silent) <= 500
    assert await _counts(database) == {"video": 1200}


def _always_video(_entry: Entry) -> tuple[str, ...]:
    return ("video",)


async def test_a_first_renewal_of_an_empty_store_changes_no_entry(database: Database) -> None:
    """A new store is marked with the rules and holds nothing."""
    assert await rebuild_if_outdated(database, NOW)
    assert await database.read(editions.export_editions) == []
    assert not await rebuild_if_outdated(database, NOW)


async def test_the_export_holds_the_topics(database: Database) -> None:
    """What is read back of an entry has its topics, the strongest first."""
    [found] = await stored(database, WEEK)
    assert [each.topics for each in found.entries] == [
        ("agents", "surveys"),
        ("safety", "agents"),
        (),
    ]


async def test_an_import_that_changes_nothing_leaves_topics_alone(database: Database) -> None:
    """The same edition again is no change, topics included."""
    await stored(database, WEEK)
    decision = await database.write(take_in, WEEK)
    assert decision.outcome == "unchanged"


async def test_a_paper_that_many_editions_name_hides_no_other(database: Database) -> None:
    """However often the newest paper was featured, the page is filled with the next ones."""
    agents = [entry(1, "A Survey of Agents", links=_ARXIV), entry(2, "On Nothing in Particular")]
    weeks = (MONDAY + timedelta(weeks=number) for number in range(9))
    await stored(
        database, *(edition(*agents[: 2 - bool(n)], first_day=day) for n, day in enumerate(weeks))
    )
    found = await database.read(mentions.newest, EVERYTHING, TODAY, 2)
    assert [each.entry.title for each in found] == [
        "A Survey of Agents",
        "On Nothing in Particular",
    ]
