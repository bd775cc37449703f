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

from bot.domain.drafts import EntryDraft
from bot.library.search import parse_query
from store.database import Database, Session
from store.library import mentions
from store.search import EntryHit, Filters, SearchQuery, search
from store.search.scoring import matching_all, matching_most
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in

Find = Callable[[str], list[str]]

WEEK = edition(
    entry(1, "Sparse attention for long‑context models", "Attends to few tokens."),
    entry(2, "A survey of agents", "How agents use attention, tools and memory."),
    entry(3, "Café benchmarks", "Measures naïve baselines in C++ and GPT-4.5."),
    entry(4, "Mixture of Experts", "Routes tokens.", highlights=["Balanced load for experts"]),
)


def ranks(session: Session, query: SearchQuery) -> list[str]:
    """Return what is found, by the ranks in the one edition."""
    found = search(session, query, limit=10).hits
    by_entry = mentions.of_entries(session, [each.entry_id for each in found])
    return [str(mention.entry.rank) for mention in by_entry]


@pytest.fixture
def find(database: Database) -> Find:
    """Return a search over one week's four papers, which answers with their ranks."""
    asyncio.run(database.write(take_in, WEEK))
    return lambda text: asyncio.run(database.read(ranks, parse_query(text)))


@pytest.mark.parametrize(
    ("query", "expected"),
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
        ("attention tools", "21"),  # both words before one
        ('"survey of agents"', "2"),
        ('"agents of survey"', ""),
        ('attention "of agents"', "2"),
        ('"experts routes"', ""),  # no phrase runs from the title into the summary
        ("attention -survey", "1"),
        ("attention -xylophone", "12"),
        ("-attention", ""),
        ("attention zebra", "12"),  # no paper has both
        ("what is the paper about attention", "12"),  # words of asking don't count
        ("can you explain what's in a survey, please", "2"),
        ("why don't you tell me about experts", "4"),
        ("how of", "24"),  # but where there is nothing else
        ('what is "survey of"', "2"),
        ("how of 2601.00009", ""),
        ("how of mixture", "4"),
        ("zebra", ""),
    ],
)
def test_both_databases_find_the_same(find: Find, query: str, expected: str) -> None:
    """Each query finds these papers in this order, whichever database is asked."""
    assert "".join(find(query)) == expected


def _others(first: int) -> list[EntryDraft]:
    """Draft entries of other words, beside which those of a test are rare as they are in life."""
    return [entry(rank, f"Mamba {rank}", "Scans.") for rank in range(first, first + 30)]


async def test_what_holds_every_word_stands_first(database: Database) -> None:
    """Entries that lack a word follow those that lack none, say so, and score less."""
    week = edition(
        entry(1, "Sparse attention, sparse attention", "Sparse attention for sparse tokens."),
        entry(2, "Routing", "Routes some by sparse attention. Load of phones."),
        entry(3, "Phones", "Unload."),
    )
    await database.write(take_in, week)
    query = parse_query("sparse attention phones")
    found = (await database.read(search, query, 10)).hits
    assert await database.read(ranks, query) == ["2", "1", "3"]
    assert [each.complete for each in found] == [True, False, False]
    assert sorted(found, key=lambda each: -each.score) == list(found)


async def test_of_four_words_none_is_needed(database: Database) -> None:
    """A description's best paper stands first, even where another holds every word."""
    week = edition(
        entry(1, "Robots", "They learn of a kitchen, then pour tea."),
        entry(2, "A robot pours tea: learning to pour tea", "Tea, poured by a robot."),
        *_others(3),
    )
    await database.write(take_in, week)
    assert await database.read(ranks, parse_query("learn kitchen robots")) == ["1", "2"]
    assert await database.read(ranks, parse_query("learn kitchen robots pour tea")) == ["2", "1"]


async def test_words_in_passing_are_no_better(database: Database) -> None:
    """A long review that holds both words somewhere follows a paper that is about one of them."""
    aside = "Whatever else happened stands here at length, as in every review of its kind. "
    week = edition(
        entry(1, "A review", f"{20 * aside} Stealth. {20 * aside} Camels. {20 * aside}"),
        entry(2, "Camels, camels", "Camels."),
        entry(3, "Stealth of some camels", "Short."),
        *_others(4),
    )
    await database.write(take_in, week)
    assert await database.read(ranks, parse_query("stealth camels")) == ["3", "2", "1"]


async def test_rarer_words_weigh_more(database: Database) -> None:
    """Of papers that hold one word of three each, only those with the rarest are shown."""
    week = edition(
        *(entry(rank, "Attention", "Scaling.") for rank in range(1, 6)),
        entry(6, "Diffusion"),
    )
    await database.write(take_in, week)
    assert await database.read(ranks, parse_query("scaling attention diffusion")) == ["6"]


async def test_a_whole_title_stands_first(database: Database) -> None:
    """A query that is a title finds that paper first, then one whose title holds it."""
    week = edition(
        entry(1, "Agents, agents, agents", "Agents use agents as tools for agents."),
        entry(2, "Tools for agents, revisited", "Agents."),
        entry(3, "Tools for Agents", "A long summary, which speaks of other things entirely."),
    )
    await database.write(take_in, week)
    assert await database.read(ranks, parse_query("tools for agents")) == ["3", "2", "1"]
    assert await database.read(ranks, parse_query("agents agents agents")) == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("2601.00002", "2"),
        ("what does https://arxiv.org/pdf/2601.00002v3.pdf say about it", "2"),
        ("attention attention alphaxiv.org/abs/2601.00002", "21"),
        ("huggingface.co/papers/2601.00002 arXiv:2601.00001", "12"),
        ("attention 2601.00009", "1"),
        ("2601.00009", ""),
        ("2601.00002 -tokens", ""),
        ("attention -2601.00002", "1"),
    ],
)
def test_a_named_paper_stands_first(database: Database, query: str, expected: str) -> None:
    """The paper of an id or address comes first, then what the other words find."""
    week = edition(
        entry(1, "Attention", "Attends.", links=["https://arxiv.org/abs/2601.00001"]),
        entry(2, "Routing", "Routes tokens.", links=["https://arxiv.org/abs/2601.00002"]),
    )
    asyncio.run(database.write(take_in, week))
    assert "".join(asyncio.run(database.read(ranks, parse_query(query)))) == expected


async def test_filters_bound_the_findings(database: Database) -> None:
    """A source, a topic, a first and a last day each leave out what lies beyond them."""
    early = edition(entry(1, "Attention"), first_day=MONDAY - timedelta(days=70))
    await database.write(take_in, early, "a")
    await database.write(take_in, edition(entry(1, "Attention")), "b")

    async def count(**filters: object) -> int:
        chosen = Filters(**filters)  # type: ignore[arg-type] # real fields
        query = SearchQuery(words=("attention",), filters=chosen)
        return len((await database.read(search, query, 10)).hits)

    assert await count() == 2
    assert await count(source="a") == 1
    assert await count(topic="no-such-topic") == 0
    assert await count(since=date(2026, 1, 11)) == 1
    assert await count(until=date(2026, 1, 4)) == 1
    assert await count(since=date(2026, 1, 12)) == 0
    excluding = SearchQuery(words=("attention",), excluded=(("attention",),))
    assert (await database.read(search, excluding, 10)).hits == ()


async def test_what_a_filter_leaves_is_searched_for_the_best(database: Database) -> None:
    """Where the rarest word stands in other sources only, the next best is found."""
    await database.write(take_in, edition(entry(1, "Zebra")), "a")
    await database.write(take_in, edition(entry(1, "Attention"), entry(2, "Experts")), "b")
    query = parse_query("zebra attention", Filters(source="b"))
    assert await database.read(ranks, query) == ["1"]


async def test_every_word_may_be_demanded(database: Database) -> None:
    """With `every_word` nothing is found that lacks one, with `title_only` titles count only."""
    await database.write(take_in, WEEK)
    every = replace(parse_query("attention zebra"), every_word=True)
    assert await database.read(ranks, every) == []
    titles = replace(parse_query("attention"), title_only=True)
    assert await database.read(ranks, titles) == ["1"]


async def test_pages_hold_every_finding_once(database: Database) -> None:
    """Pages of two put together are the whole list, equal scores in their edition's order."""
    week = edition(
        *(entry(rank, f"Attention {rank}") for rank in range(1, 8)),
        *(entry(rank, f"Sparse {rank}") for rank in range(8, 11)),
        *(entry(rank, f"Sparse attention {rank}") for rank in range(11, 15)),
        *_others(15),
    )
    await database.write(take_in, week)
    query = parse_query("attention sparse")
    whole = await database.read(search, query, 20)
    pages = [await database.read(search, query, 2, offset) for offset in range(0, 14, 2)]
    assert [found for page in pages for found in page.hits] == list(whole.hits)
    assert [found.complete for found in whole.hits] == [True] * 4 + [False] * 10
    assert " ".join(await database.read(ranks, query)) == "11 12 13 14 8 9 10 1 2 3"


async def test_newer_entries_stand_before_equal_ones(database: Database) -> None:
    """Of equal scores the newest edition's comes first, whatever was imported first."""
    days = [MONDAY, MONDAY - timedelta(days=14), MONDAY + timedelta(days=7)]
    for day in days:
        await database.write(take_in, edition(entry(1, "Attention"), first_day=day))
    found = (await database.read(search, parse_query("attention"), 10)).hits
    by_entry = await database.read(mentions.of_entries, [each.entry_id for each in found])
    assert [mention.edition.first_day for mention in by_entry] == sorted(days, reverse=True)


async def test_common_words_find_the_same_as_rare_ones(database: Database) -> None:
    """Where thousands hold a word the database picks the best, and picks the same."""
    many = range(1, 2801)
    week = edition(
        *(
            entry(n, f"Sparse attention {'sparse ' * (n % 7)}", "Much else. " * (n % 97))
            for n in many
        )
    )
    await database.write(take_in, week)
    query = parse_query("sparse attention")
    assert await _page(database, query) == await _page(
        database, replace(query, filters=Filters(source="dair"))
    )


async def _page(database: Database, query: SearchQuery) -> list[tuple[int, float, bool]]:
    """Return a page; scores without the last digits, which the order of adding decides."""
    found: tuple[EntryHit, ...] = (await database.read(search, query, 10)).hits
    return [(each.entry_id, round(each.score, 4), each.complete) for each in found]


@pytest.fixture(scope="module")
def both_databases(
    sqlite_template: Path,
    postgres_server: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[list[Database]]:
    """Return one filled store on each database, for queries that change nothing."""
    from store.migrations.upgrade import upgrade

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
             "<->", "C++", "state-of-the-art", "\0", "\ud800", "%", "\\", ";--", "𝔘𝔫𝔦", "ﬁ", "²",
             "%s", "?", "attention", "atention", "longcontext", "mixture of", "tokens", "moe"]
        ),
        max_size=6,
    ).map(" ".join),
)  # fmt: skip


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(text=_TYPED)
def test_any_input_whatever_is_safe(both_databases: list[Database], text: str) -> None:
    """No text raises, and both databases find the same papers for it."""
    query = parse_query(text)
    for title_only in (False, True):
        results = [
            asyncio.run(database.read(search, variant, 10))
            for database in both_databases
            for variant in [replace(query, title_only=title_only)]
        ]
        found = [{(each.entry_id, each.complete) for each in result.hits} for result in results]
        assert found[0] == found[1]
        assert results[0].terms == results[1].terms
        assert results[0].corrections == results[1].corrections


@pytest.mark.parametrize(
    ("query", "most_read", "found", "cut"),
    [
        ("attention tools", 3, "12", False),
        ("attention tools", 2, "2", True),  # tools: attention is left out
        ("attention tools", 0, "2", True),
        ("tokens -attention -tools", 9, "4", False),
        ("tokens -attention -tools", 1, "14", True),  # only what holds tools is kept out
        ('"attention" "tools"', 1, "2", True),
    ],
)
def test_no_more_holders_are_read_than_may_be(
    database: Database, query: str, most_read: int, found: str, *, cut: bool
) -> None:
    """The most common words, phrases and exclusions are left out, and the result says so."""
    asyncio.run(database.write(take_in, WEEK))

    def look(session: Session) -> tuple[str, bool]:
        result = search(session, parse_query(query), 10, read_limit=most_read)
        mentioned = mentions.of_entries(session, [each.entry_id for each in result.hits])
        return "".join(sorted(str(each.entry.rank) for each in mentioned)), result.cut

    assert asyncio.run(database.read(look)) == (found, cut)


# Words without synonyms, each in so many of sixty entries.
_SPREAD = [
    " ".join(
        word
        for word, many in (("zorba", 1), ("quilm", 2), ("mavok", 4), ("teskin", 20), ("brunox", 45))
        if number * 7 % 60 < many
    )
    for number in range(60)
]
# None has enough of "quilm teskin brunox flodar" without quilm, and one has most.
_APART = [
    *["quilm"] * 2, *["teskin"] * 15, *["brunox"] * 17, *["flodar"] * 18, "brunox flodar"
]  # fmt: skip


@pytest.mark.parametrize("many", [0, 20])
@pytest.mark.parametrize(
    ("texts", "query"),
    [
        *((_SPREAD, query) for query in ("zorba teskin brunox", "quilm mavok brunox")),
        *(
            (_SPREAD, query)
            for query in ("mavok teskin brunox -quilm", "zorba quilm teskin brunox")
        ),
        (_APART, "quilm teskin brunox flodar -quilm"),
        (_APART, "teskin brunox flodar"),
    ],
)
def test_entries_are_chosen_as_if_all_matches_were_read(
    database: Database, texts: list[str], query: str, many: int
) -> None:
    """Matches of the commonest words that are not read would not have been shown."""
    week = edition(*(entry(n, f"Paper {n}", text) for n, text in enumerate(texts, 1)))
    asyncio.run(database.write(take_in, week))
    result = asyncio.run(database.read(search, parse_query(query), 100, many=many))
    excluded = parse_query(query).excluded
    shown = [n for n, text in enumerate(texts, 1) if not any(run[0] in text for run in excluded)]
    matches = [
        ({n for n in shown if term.typed[0] in texts[n - 1]}, term.weight) for term in result.terms
    ]
    expected = matching_all([entries for entries, _ in matches]) | matching_most(matches)

    def found(session: Session) -> set[int | None]:
        by_entry = mentions.of_entries(session, [each.entry_id for each in result.hits])
        return {mention.entry.rank for mention in by_entry}

    assert asyncio.run(database.read(found)) == expected
