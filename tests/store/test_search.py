"""Full-text search: the same findings on both databases, and no input that breaks either."""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.query import parse_query
from store import mentions
from store.database import Database, Session
from store.search import SearchQuery, search
from tests.bot.ingest.drafting import MONDAY, edition, entry
from tests.bot.ingest.importing import take_in

Find = Callable[[str], list[str]]

WEEK = edition(
    entry(1, "Sparse attention for long‑context models", "Attends to few tokens."),
    entry(2, "A survey of agents", "How agents use attention, tools and memory."),
    entry(3, "Café benchmarks", "Measures naïve baselines in C++ and GPT-4.5."),
    entry(4, "Mixture of Experts", "Routes tokens.", highlights=["Balanced load for experts"]),
)


@pytest.fixture
def find(database: Database) -> Find:
    """Return a search over one week's four papers, which answers with their ranks."""
    asyncio.run(database.write(take_in, WEEK))

    def ranks(session: Session, query: SearchQuery) -> list[str]:
        found = search(session, query, limit=10)
        by_entry = mentions.of_entries(session, [each.entry_id for each in found])
        return [str(mention.entry.rank) for mention in by_entry]

    return lambda text: asyncio.run(database.read(ranks, parse_query(text)))


@pytest.mark.parametrize(
    ("query", "ranks"),
    [
        ("attention", "12"),  # the title counts more than the summary
        ("long context", "1"),
        ("LONG-CONTEXT", "1"),
        ("long‑context", "1"),  # the non-breaking hyphen
        ("cafe", "3"),
        ("naïve baseline", "3"),
        ("C++", "3"),
        ("gpt-4.5", "3"),
        ("routing", "4"),  # the stem of routes
        ("balanced experts", "4"),  # in a highlight
        ("attention tools", "2"),  # both words
        ('"survey of agents"', "2"),
        ('"agents of survey"', ""),
        ("attention -survey", "1"),
        ("-attention", ""),
        ("attention zebra", "12"),  # no paper has both, so any
        ("how of", "2"),  # stop words count where there is nothing else
        ("how of mixture", "4"),
        ("zebra", ""),
    ],
)
def test_both_databases_find_the_same(find: Find, query: str, ranks: str) -> None:
    """Each query finds these papers in this order, whichever database is asked."""
    assert "".join(find(query)) == ranks


async def test_filters_bound_the_findings(database: Database) -> None:
    """A source, a first and a last day each leave out what lies beyond them."""
    early = edition(entry(1, "Attention"), first_day=MONDAY - timedelta(days=70))
    await database.write(take_in, early, "a")
    await database.write(take_in, edition(entry(1, "Attention")), "b")

    async def count(**filters: object) -> int:
        query = replace(SearchQuery(words=("attention",)), **filters)  # type: ignore[arg-type] # real fields
        return len(await database.read(search, query, 10))

    assert await count() == 2
    assert await count(source="a") == 1
    assert await count(since=date(2026, 1, 11)) == 1
    assert await count(until=date(2026, 1, 4)) == 1
    assert await count(since=date(2026, 1, 12)) == 0


async def test_pages_hold_every_finding_once(database: Database) -> None:
    """Pages of two put together are the whole list, in its order."""
    week = edition(*(entry(rank, f"Attention paper {rank}") for rank in range(1, 8)))
    await database.write(take_in, week)
    query = SearchQuery(words=("attention",))
    whole = await database.read(search, query, 10)
    pages = [await database.read(search, query, 2, offset) for offset in (0, 2, 4, 6, 8)]
    assert [found for page in pages for found in page] == whole
    assert len(whole) == 7


@pytest.fixture(scope="module")
def both_databases(
    sqlite_template: Path,
    postgres_server: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[list[Database]]:
    """Return one filled store on each database, for queries that change nothing."""
    from store.migrate import upgrade

    path = tmp_path_factory.mktemp("search") / "store.db"
    shutil.copy(sqlite_template, path)
    databases = [Database(f"sqlite:///{path}"), Database(postgres_server)]
    upgrade(databases[1].engine)
    for database in databases:
        asyncio.run(database.write(take_in, WEEK))
    yield databases
    for database in databases:
        database.close()


# Whatever people type, and whatever breaks a query language when it is passed on raw.
_TYPED = st.one_of(
    st.text(),
    st.lists(
        st.sampled_from(
            ["AND", "NOT", "NEAR(", '"', "'", "*", "-", "(", ")", ":", "^", "title:", "&", "|", "!",
             "<->", "C++", "state-of-the-art", "\0", "\ud800", "%", "\\", ";--", "𝔘𝔫𝔦", "ﬁ", "²"]
        ),
        max_size=6,
    ).map(" ".join),
)  # fmt: skip


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(text=_TYPED)
def test_any_input_whatever_is_safe(both_databases: list[Database], text: str) -> None:
    """No text raises, and both databases find the same papers for it."""
    query = parse_query(text)
    for title_only in (False, True):
        found = [
            {each.entry_id for each in asyncio.run(database.read(search, variant, 10))}
            for database in both_databases
            for variant in [replace(query, title_only=title_only)]
        ]
        assert found[0] == found[1]
