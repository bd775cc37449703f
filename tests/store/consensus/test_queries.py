"""The consensus as it is read: never counted beside what it is fused from, and always the same."""

import asyncio
import shutil
from collections.abc import Sequence
from contextlib import closing
from datetime import date
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from bot.ingest.rebuild import rebuild_if_outdated
from bot.library.search import parse_query
from store import content_version
from store.consensus import refresh
from store.database import Database, Session
from store.library import editions
from store.records import Edition
from store.search import Filters, search
from store.sources import CONSENSUS
from tests.bot.ingest.drafts import MONDAY
from tests.bot.ingest.imports import NOW
from tests.conftest import few_examples
from tests.store.consensus.fused_weeks import LATER, SECOND, consensus, refs, takes_in, week


async def test_nothing_is_counted_twice(database: Database) -> None:
    """The consensus is left out of what is newest, listed and exported unless it is named."""
    await takes_in(database, ("zeta", week(1, 2)), ("other", week(2, 3)))
    newest = await database.read(editions.newest_edition)
    assert newest
    assert newest.source == "other"
    closed = await database.read(editions.newest_edition, None, SECOND)
    assert closed
    assert closed.source == "other"
    named = await database.read(editions.newest_edition, CONSENSUS)
    assert named
    assert len(named.entries) == 3
    listed = await database.read(editions.list_editions)
    assert {each.source for each in listed} == {"zeta", "other"}
    assert [e.source for e in await database.read(editions.list_editions, CONSENSUS)] == [CONSENSUS]
    exported = await database.read(editions.export_editions, None, "2026-W02")
    assert {each.source for each in exported} == {"zeta", "other"}
    states = await database.read(editions.source_states, NOW.date())
    assert [(each.source.slug, each.editions, each.entries) for each in states] == [
        ("other", 1, 2),
        ("zeta", 1, 2),
        (CONSENSUS, 1, 3),
    ]
    of_week = await database.read(editions.of_week, "2026-W02")
    assert [each.source for each in of_week] == ["other", "zeta", CONSENSUS]


async def test_a_search_of_the_consensus_finds_what_it_shows(database: Database) -> None:
    """Each paper once, at its entry there; in a week without one nothing."""
    await takes_in(
        database,
        ("dair", week(1, 2)),
        ("other", week(2, 3)),
        ("dair", week(4, first_day=SECOND)),
    )

    def found(session: Session) -> set[str]:
        rows = search(session, parse_query("paper", Filters(source=CONSENSUS)), 10).hits
        ids = [each.entry_id for each in rows]
        refs = session.connection().execute(text("SELECT id, ref FROM entry"))
        return {ref for row_id, ref in refs if row_id in ids}

    assert await database.read(found) == {
        "other:2026-01-05#1",
        "dair:2026-01-05#1",
        "other:2026-01-05#2",
    }


async def test_weeks_are_found_by_their_papers(database: Database) -> None:
    """Whoever merges papers learns which weeks to fuse anew."""
    await takes_in(
        database, ("dair", week(1, 2)), ("other", week(2, first_day=SECOND)), ("other", week(3))
    )

    def weeks(session: Session, arxiv_id: str) -> set[str]:
        query = text("SELECT id FROM paper WHERE arxiv_id = :of")
        ids = list(session.connection().scalars(query, {"of": arxiv_id}))
        return refresh.weeks_of(session, ids)

    assert await database.read(weeks, "2601.00002") == {"2026-W02", "2026-W03"}
    assert await database.read(weeks, "2601.00001") == {"2026-W02"}
    assert await database.read(weeks, "2601.99999") == set()


async def test_a_store_of_before_gets_its_consensus(database: Database) -> None:
    """A start with other rules of fusing fuses all weeks, and tags nothing anew for that."""
    pairs = [("dair", week(1, 2)), ("other", week(2, 3)), ("dair", week(4, first_day=SECOND))]
    await takes_in(database, *pairs)
    await rebuild_if_outdated(database, NOW)
    before = await consensus(database)

    def forget(session: Session) -> None:
        for statement in (
            "DELETE FROM edition WHERE source = 'consensus'",
            "DELETE FROM source WHERE slug = 'consensus'",
            "UPDATE entry SET topics = '[\"video\"]'",
        ):
            session.connection().execute(text(statement))
        content_version.set_rules(session, content_version.rules(session).rpartition("/")[0])

    await database.write(forget)
    assert await consensus(database) == []
    assert await rebuild_if_outdated(database, LATER)
    after = await consensus(database)
    assert [refs(each) for each in after] == [refs(each) for each in before]
    assert after[0].entries[0].topics == ("video",)
    assert not await rebuild_if_outdated(database, LATER)


_SOURCES = ("dair", "hf-daily", "other")
_NUMBERS = st.lists(st.integers(1, 6), min_size=1, max_size=4, unique=True)
_IMPORTS = st.lists(
    st.tuples(st.sampled_from(_SOURCES), st.sampled_from((MONDAY, SECOND)), _NUMBERS),
    min_size=2,
    max_size=6,
    unique_by=lambda each: each[:2],
)


@settings(max_examples=few_examples(), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    _IMPORTS.flatmap(
        lambda made: st.tuples(
            st.just(made), st.permutations(made), st.lists(st.sampled_from(made), max_size=3)
        )
    )
)
def test_the_order_of_imports_never_matters(
    sqlite_template: Path,
    tmp_path: Path,
    made: tuple[Sequence[tuple[str, date, list[int]]], ...],
) -> None:
    """Whatever comes first, last or again: the same documents leave the same consensus."""
    straight, shuffled, again = made

    def after(imports: Sequence[tuple[str, date, list[int]]]) -> list[Edition]:
        path = tmp_path / "each.db"
        shutil.copy(sqlite_template, path)
        with closing(Database(f"sqlite:///{path}")) as database:
            pairs = ((slug, week(*numbers, first_day=day)) for slug, day, numbers in imports)
            asyncio.run(takes_in(database, *pairs))
            return asyncio.run(consensus(database))

    assert after([*shuffled, *again]) == after(straight)
