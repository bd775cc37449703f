"""The consensus of weeks in the store, kept in step by imports, on both databases."""

import asyncio
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest
from sqlalchemy import event

from bot.domain.drafts import EditionDraft
from bot.ingest.decide import contribute, decide
from store import content_version
from store.consensus import refresh
from store.database import Database, Session
from store.imports import apply_edition
from store.library import editions
from store.maintenance.health import check
from store.posting import editions_to_post
from store.posting.queue import enqueue
from store.posting.subscriptions import add_subscription
from store.records import Source
from store.sources import CONSENSUS
from tests.bot.ingest.drafts import MONDAY, edition
from tests.bot.ingest.imports import NOW, take_in
from tests.conftest import on_both
from tests.store.consensus.fused_weeks import (
    LATER,
    SECOND,
    changed_at,
    consensus,
    paper,
    refs,
    takes_in,
    week,
)
from tests.store.posting.delivery_rows import DUE, ORDER

pytestmark = pytest.mark.on_sqlite

# What begins then and takes a week has most of its days before the next Monday.
_THURSDAY = MONDAY + timedelta(days=3)


@on_both
async def test_a_week_of_two_sources_has_a_consensus(database: Database) -> None:
    """It is an edition of the ISO week that refers to the sources' entries, ranked anew.

    Paper 2 has ranks 2 and 1, paper 1 has rank 1 and paper 3 rank 2.
    """
    await takes_in(database, ("dair", week(1, 2)), ("other", week(2, 3)))
    [found] = await consensus(database)
    assert (found.source, found.kind, found.title) == (
        "consensus",
        "consensus",
        "Consensus of the Week",
    )
    assert (found.first_day, found.last_day) == (MONDAY, MONDAY + timedelta(days=6))
    assert refs(found) == ["other:2026-01-05#1", "dair:2026-01-05#1", "other:2026-01-05#2"]
    assert [each.rank for each in found.entries] == [1, 2, 3]
    assert [each.position for each in found.entries] == [0, 1, 2]
    assert found.overview == "Merged from dair and other, which agree on 1 of 3 papers."
    assert not found.sample
    assert await database.run(check) == []


async def test_one_paper_is_told_as_one(database: Database) -> None:
    """Sources may have the same single paper."""
    await takes_in(database, ("dair", week(1)), ("other", week(1)))
    [found] = await consensus(database)
    assert found.overview == "Merged from dair and other, which agree on 1 of 1 paper."


async def test_the_week_is_the_one_of_most_days(database: Database) -> None:
    """Editions of other days meet in the ISO week that holds most of them; it begins on Monday."""
    sunday = MONDAY - timedelta(days=1)
    await takes_in(database, ("dair", week(1)), ("other", week(1, first_day=sunday)))
    [found] = await consensus(database)
    assert (found.first_day, found.last_day) == (MONDAY, MONDAY + timedelta(days=6))


async def test_headings_are_the_sources_own(database: Database) -> None:
    """An entry keeps its text in the consensus, but no heading, section or episode number."""
    episode = replace(
        paper(1, 1, "Words."), rank=None, episode="E7", heading="Search", section="Trees"
    )
    await takes_in(database, ("dair", week(2)), ("paperdive", edition(episode)))
    [found] = await consensus(database)
    shown = {each.ref: each for each in found.entries}["paperdive:E7"]
    assert (shown.summary, shown.heading, shown.section) == ("Words.", None, None)
    assert (shown.rank, shown.episode) == (2, None)


async def test_one_source_makes_none(database: Database) -> None:
    """Neither several editions of one source nor a source without papers make a consensus."""
    await takes_in(
        database,
        ("dair", week(1, 2)),
        ("dair", week(3, first_day=MONDAY + timedelta(days=1))),
        ("other", edition()),
    )
    assert await consensus(database) == []
    slugs = [each.slug for each in await database.read(editions.list_sources)]
    assert CONSENSUS not in slugs


async def test_the_import_of_one_source_asks_once_an_edition(database: Database) -> None:
    """Whether another source covers the week takes one statement; where none does that is all."""

    def statements(session: Session) -> int:
        heard: list[object] = []

        @event.listens_for(session.connection(), "before_cursor_execute")
        def hear(*told: object) -> None:
            heard.append(told)

        refresh.refresh(session, {"2026-W02"}, NOW)
        return len(heard)

    await takes_in(database, ("dair", week(1, 2)))
    assert await database.write(statements) == 1


@on_both
async def test_kinds_and_sources_imported_at_once_meet(database: Database) -> None:
    """Sources written at the same moment end up in one consensus."""
    drafts = {slug: week(1, number) for number, slug in enumerate(("dair", "a", "b", "c"), start=2)}
    await asyncio.gather(*(database.write(take_in, each, slug) for slug, each in drafts.items()))
    [found] = await consensus(database)
    assert len(found.entries) == 5
    assert found.overview == "Merged from dair, a, b and c, which agree on 1 of 5 papers."


async def test_a_reimport_changes_nothing(database: Database) -> None:
    """The same documents again write nothing at all."""
    pairs = [("dair", week(1, 2)), ("other", week(2, 3))]
    await takes_in(database, *pairs)
    before = await consensus(database), await database.read(content_version.version)
    await takes_in(database, *pairs, *reversed(pairs))
    assert (await consensus(database), await database.read(content_version.version)) == before


async def test_a_correction_of_what_is_shown_changes_the_consensus(database: Database) -> None:
    """What was posted of it is put right; other words of an entry that is not shown change nothing.

    Paper 1 is shown as dair has it, for dair comes first of two that rank it first.
    """
    await takes_in(database, ("dair", week(1, 2)), ("other", week(1, 3)))
    assert await changed_at(database) == NOW
    hidden = edition(paper(1, 1, "Other words."), paper(2, 3))
    await database.write(take_in, hidden, "other", LATER)
    assert await changed_at(database) == NOW
    shown = edition(paper(1, 1, "Corrected."), paper(2, 2))
    await database.write(take_in, shown, "dair", LATER)
    assert await changed_at(database) == LATER
    [found] = await consensus(database)
    assert found.entries[0].summary == "Corrected."


@on_both
async def test_another_order_changes_the_consensus(database: Database) -> None:
    """Entries that come, go or change places change it; ranks that go leave no row behind."""
    await takes_in(database, ("dair", week(1, 2, 4)), ("other", week(2, 3)))
    await database.write(take_in, week(1), "dair", LATER)
    [found] = await consensus(database)
    assert refs(found) == ["dair:2026-01-05#1", "other:2026-01-05#1", "other:2026-01-05#2"]
    assert await changed_at(database) == LATER
    assert found.overview == "Merged from dair and other, which agree on none of 3 papers."
    assert await database.run(check) == []


def _moved(
    session: Session, draft: EditionDraft, slug: str, to: date, at: datetime = LATER
) -> None:
    """Have an edition end later than was said, as a document with better dates does."""
    before = apply_edition.load(session, slug, draft.first_day)
    said = replace(draft, last_day=to, title="Corrected")
    decision = decide(slug, said, contribute(said, sample=False), before)
    assert decision.change
    apply_edition.apply(session, Source(slug, slug), decision.change, before, at)


async def test_a_week_that_an_edition_leaves_has_none(database: Database) -> None:
    """Where better dates put an edition into another week, both weeks are fused anew."""
    moved = week(1, 2, first_day=_THURSDAY)
    await takes_in(
        database, ("dair", moved), ("other", week(2, 3)), ("other", week(1, 5, first_day=SECOND))
    )
    await database.write(_moved, moved, "dair", SECOND + timedelta(days=4))
    [found] = await consensus(database)
    assert found.first_day == SECOND
    assert refs(found) == ["dair:2026-01-08#1", "dair:2026-01-08#2", "other:2026-01-12#2"]


@on_both
async def test_the_last_consensus_takes_its_source_with_it(database: Database) -> None:
    """A source without editions is none."""
    moved = week(1, 2, first_day=_THURSDAY)
    await takes_in(database, ("dair", moved), ("other", week(2, 3)))
    await database.write(_moved, moved, "dair", SECOND + timedelta(days=4))
    assert await consensus(database) == []
    slugs = [each.slug for each in await database.read(editions.list_sources)]
    assert slugs == ["dair", "other"]


@on_both
async def test_one_that_was_posted_stays(database: Database) -> None:
    """What channels were given is not taken from the ledger: it stays as it last was."""
    moved = week(1, 2, first_day=_THURSDAY)
    await takes_in(database, ("dair", moved), ("other", week(2, 3)))
    before = await consensus(database)
    newest = (await database.read(editions_to_post.newest_editions, SECOND))[CONSENSUS]
    order = await database.write(add_subscription, replace(ORDER, sources=(CONSENSUS,)))
    await database.write(enqueue, [order], newest.id, DUE, DUE)
    await database.write(_moved, moved, "dair", SECOND + timedelta(days=4))
    assert await consensus(database) == before


async def test_samples_take_their_consensus_along(database: Database) -> None:
    """The first real edition takes the place of all samples and of what was fused from them."""

    def sample(session: Session, slug: str, draft: EditionDraft) -> None:
        decision = decide(slug, draft, contribute(draft, sample=True), None)
        assert decision.change
        apply_edition.apply(session, Source(slug, slug), decision.change, None, NOW)

    await database.write(sample, "one", week(1, 2))
    await database.write(sample, "two", week(2, 3))
    assert [each.sample for each in await consensus(database)] == [True]
    await database.write(take_in, week(1))
    assert await consensus(database) == []
    assert [each.slug for each in await database.read(editions.list_sources)] == ["dair"]
    assert await database.run(check) == []
