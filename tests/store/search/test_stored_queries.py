"""Stored queries: new entries find exactly those that a search would find them by."""

import asyncio
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import cycle
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from sqlmodel import col

from bot.domain.drafts import EditionDraft, EntryDraft, ParseOptions
from bot.ingest import documents
from bot.library.search import parse_query
from store.database import Database, Session
from store.library import arxiv
from store.search import Filters, SearchQuery, entry_keys, index_keys, matching, search
from store.search.filters import conditions
from store.tables.library import EditionRow, EntryRow, PaperRow
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in
from tests.conftest import few_examples
from tests.fakes.arxiv import paper
from tests.shared_data import shared_file

_NOW = datetime(2026, 1, 20, tzinfo=UTC)
_NO_LIMIT = 10**9
_Found = dict[int, list[int]]


def searched(session: Session, query: SearchQuery, entries: Sequence[int]) -> list[int]:
    """Return those of some entries that a search finds with every word, as it was typed."""
    if query.is_empty:
        found = _let_through(session, query) if query.filters else set()
        return [e for e in entries if e in found]
    strict = replace(query, every_word=True, as_typed=True)
    hits = search(session, strict, _NO_LIMIT, read_limit=_NO_LIMIT, many=_NO_LIMIT).hits
    return [e for e in entries if e in {hit.entry_id for hit in hits if hit.complete}]


def _let_through(session: Session, query: SearchQuery) -> set[int]:
    of_editions = select(col(EntryRow.id)).join(
        EditionRow, col(EditionRow.id) == col(EntryRow.edition_id)
    )
    found = session.connection().scalars(of_editions.where(*conditions(query.filters)))
    excluded = [
        {hit.entry_id for hit in search(session, SearchQuery(phrases=(run,)), _NO_LIMIT).hits}
        for run in query.excluded
    ]
    return set(found).difference(*excluded)


class _Store:
    """Queries stored in a dictionary as the program stores them in a table."""

    def __init__(self, queries: Sequence[SearchQuery]) -> None:
        self.queries = dict(enumerate(queries))
        self._keys: dict[int, frozenset[str]] = {}

    def store(self, session: Session, numbers: Iterable[int]) -> None:
        """Store some of the queries with the keys that they have now."""
        for number in numbers:
            self._keys[number] = frozenset(index_keys(session, self.queries[number]))

    def found(self, session: Session, entries: Sequence[int]) -> _Found:
        """Return the queries that entries find, with the entries that they match."""
        keys = entry_keys(session, entries)
        stored = {number: self.queries[number] for number, of in self._keys.items() if of & keys}
        return matching(session, stored, entries)

    def searched(self, session: Session, entries: Sequence[int], numbers: Iterable[int]) -> _Found:
        """Return some of the same by a search for each query."""
        found = {number: searched(session, self.queries[number], entries) for number in numbers}
        return {number: matches for number, matches in found.items() if matches}


def _taken_in(session: Session, draft: EditionDraft, slug: str = "dair") -> list[int]:
    """Take a draft in and return its new entries."""
    before = {*session.connection().scalars(select(col(EntryRow.id)))}
    take_in(session, draft, slug)
    after = session.connection().scalars(select(col(EntryRow.id)).order_by(col(EntryRow.id)))
    return [each for each in after if each not in before]


_WORDS = [
    "fine", "tuning", "tuned", "finetuning", "fine-tuned", "finetune", "often", "of", "ten", "the",
    "large", "language", "model", "models", "LLMs", "llm", "large language models",
    "mixture", "experts", "expert", "mixture of experts", "MoE", "GPT-4", "gpt4", "4", "gpt",
    "retrieval", "augmented", "state", "space", "spaces", "SSM", "check", "verify", "cheating",
    "reward hacking", "machine generated", "agents", "agent", "reasoning", "café", "naïve",
    "模型", "агентов", "ﬁne", "tun", "ing", "statespace", "statespacemodel",
    "behaviour", "behavior", "optimise", "optimizes",
]  # fmt: skip
# They teach acronyms, of which one is not in the vocabulary.
_EXPLAINED = ["state space model (SSM)", "fine tuning (FT)", "MoE (mixture of experts)"]
_TEXTS = st.lists(st.sampled_from([*_WORDS, *_WORDS, *_EXPLAINED]), min_size=1, max_size=8).map(
    " ".join
)
_NAMES = ["Ada Lovelace", "Ada B. Lovelace", "Yoshua Bengio", "Li Li", "Émilie du Châtelet"]


@st.composite
def _drafts(draw: st.DrawFn, first: int) -> EditionDraft:
    """Draw an edition of a few entries, the papers of which have numbers of their own."""
    entries: list[EntryDraft] = [
        entry(
            rank,
            draw(_TEXTS),
            draw(_TEXTS),
            highlights=draw(st.lists(_TEXTS, max_size=1)),
            links=[f"https://arxiv.org/abs/2601.{first + rank:05}"],
        )
        for rank in range(1, draw(st.integers(1, 4)) + 1)
    ]
    return edition(*entries, first_day=MONDAY + timedelta(weeks=first))


_PARTS = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=3).map(" ".join)
_TYPED = st.lists(
    st.one_of(
        _PARTS, _PARTS, st.sampled_from(["SSM", "ft", "statespaces", "of", "ssms"]),
        _PARTS.map('"{}"'.format), _PARTS.map('-"{}"'.format),
    ),
    max_size=3,
).map(" ".join)  # fmt: skip
_FILTERS = st.builds(
    Filters,
    topic=st.sampled_from([None, None, None, "agents", "reasoning"]),
    source=st.sampled_from([None, None, None, "dair", "other", "consensus"]),
    author=st.sampled_from([None, None, None, "lovelace", "ada l", "B. Lovelace", "li", "e", "x"]),
    since=st.sampled_from([None, None, None, MONDAY, MONDAY + timedelta(weeks=20)]),
)
_QUERIES = st.builds(parse_query, _TYPED, st.one_of(st.just(Filters()), _FILTERS))


# Papers without any address, which no arXiv answer is about.
_UNKNOWN_TO_ARXIV = tuple(
    edition(entry(1, "fine", "tuning"), first_day=MONDAY + timedelta(weeks=first))
    for first in (10, 20, 21)
)


class _Undone(Exception):
    """Ends a transaction whose changes nobody wants."""


@settings(
    max_examples=few_examples(),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    drafts=st.tuples(_drafts(10), _drafts(20), _drafts(21)),
    queries=st.lists(_QUERIES, min_size=8, max_size=16),
    authors=st.lists(st.lists(st.sampled_from(_NAMES), max_size=2), min_size=1, max_size=4),
)
@example(drafts=_UNKNOWN_TO_ARXIV, queries=[parse_query("fine", Filters())], authors=[[]])
def test_new_entries_find_what_a_search_finds_them_by(
    database: Database,
    drafts: tuple[EditionDraft, ...],
    queries: list[SearchQuery],
    authors: list[list[str]],
) -> None:
    """It matters not what the store held and knew when a query was stored."""
    first, *others = drafts
    stored = _Store(queries)
    compared: list[tuple[_Found, _Found]] = []

    def run(session: Session) -> NoReturn:
        stored.store(session, [*stored.queries][::2])
        _taken_in(session, first)
        stored.store(session, [*stored.queries][1::2])
        for draft, slug in zip(others, ("dair", "other"), strict=True):
            entries = _taken_in(session, draft, slug)
            _tell_authors(session, entries, authors)
            found = stored.found(session, entries)
            compared.append((found, stored.searched(session, entries, stored.queries)))
        raise _Undone

    with pytest.raises(_Undone):
        asyncio.run(database.write(run))
    assert [found for found, _ in compared] == [expected for _, expected in compared]


def _tell_authors(session: Session, entries: Sequence[int], authors: list[list[str]]) -> None:
    """Store arXiv's answer about the papers of entries, which have these authors by turns."""
    of_entries = select(col(EntryRow.paper_id)).where(col(EntryRow.id).in_(entries))
    of_papers = select(col(PaperRow.arxiv_id)).where(col(PaperRow.id).in_(of_entries))
    ids = sorted(filter(None, session.connection().scalars(of_papers)))
    told = [paper(one, authors=tuple(names)) for one, names in zip(ids, cycle(authors))]
    arxiv.store_answers(session, ids, told, _NOW, _NOW)


_WEEK = edition(
    entry(
        1,
        "State space model (SSM) layers of agents",
        "Fine-tuning for agents; we verify reward hacking.",
    ),
    entry(
        2, "Finetuning of LLMs", "Text is machine generated.", links=["arxiv.org/abs/2601.00002"]
    ),
)


@pytest.mark.on_sqlite
@pytest.mark.parametrize(
    ("typed", "filters", "expected"),
    [
        ("layer", Filters(), "1"),  # a stem
        ("layer -agents", Filters(), ""),
        ("finetuning", Filters(), "12"),  # one word or two
        ("fine tuning", Filters(), "12"),
        ('"fine tuning"', Filters(), "1"),
        ('"tuning agents"', Filters(), ""),
        ("ssms", Filters(), "1"),  # an acronym that this week explains
        ("large language models", Filters(), "2"),
        ("check", Filters(), "1"),  # everyday words
        ("cheating", Filters(), "1"),
        ("ai written", Filters(), "2"),
        ("layesr", Filters(), ""),  # no correction
        ("layer missing", Filters(), ""),
        ("", Filters(author="A. Lovelace"), "2"),
        ("", Filters(author="L. Ada"), "2"),
        ("", Filters(author="B. Lovelace"), ""),
        ("", Filters(author="A."), ""),
        ("-llms", Filters(author="Lovelace"), ""),
        ("", Filters(topic="agents"), "1"),
        ("layers", Filters(topic="agents", source="other"), ""),
        ("-fine", Filters(source="dair"), "2"),
        ("-fine", Filters(), ""),
        ("", Filters(), ""),
    ],
)
async def test_a_query_stored_before_is_found(
    database: Database, typed: str, filters: Filters, expected: str
) -> None:
    """What an empty store knew nothing of is found all the same once it comes."""
    stored = _Store([parse_query(typed, filters)])

    def found(session: Session) -> str:
        stored.store(session, stored.queries)
        entries = _taken_in(session, _WEEK)
        _tell_authors(session, entries, [["Ada Lovelace"]])
        matches = stored.found(session, entries)
        assert matches == stored.searched(session, entries, stored.queries)
        return "".join(str(1 + entries.index(each)) for each in matches.get(0, []))

    assert await database.write(found) == expected


async def test_authors_that_come_later_count(database: Database) -> None:
    """What was found before arXiv named the authors is not what is found then."""
    queries = {1: parse_query("", Filters(author="Lovelace")), 2: parse_query("layers")}

    def found(session: Session) -> list[list[int]]:
        entries = _taken_in(session, _WEEK)
        before = matching(session, queries, entries)
        _tell_authors(session, entries, [["Ada Lovelace"]])
        return [sorted(before), sorted(matching(session, queries, entries))]

    assert await database.write(found) == [[2], [1, 2]]


_ARCHIVE = "archive-README.md"
_AUTHORS = [["Xaver Aune"], ["Ann Birk", "Xaver Falk"], [], ["Xenia Birk", "Cole Dahl"]]
_QUERIES_OF_ARCHIVE = 200
_WEEKS = 20  # the newest


def _weeks_of_archive() -> list[EditionDraft]:
    """Return the editions of the archive, the oldest first."""
    data = shared_file(_ARCHIVE).read_bytes()
    parsed = documents.parse(documents.read(_ARCHIVE, data).document, ParseOptions(_NOW.date()))
    return sorted(parsed.editions, key=lambda each: each.first_day)


def _typed_about(chance: random.Random, title: str) -> str:
    """Return what somebody may type who is after papers like one of a title."""
    words = title.replace('"', " ").split()
    start = chance.randrange(len(words))
    one, other = chance.choice(words), chance.choice(words)
    run = words[start : start + chance.randint(2, 3)]
    return chance.choice([
        one, one, f"{one} {other}", " ".join(run), f'"{" ".join(run)}"', f"{one} -{other}",
        "".join(run), f"{one[:4]} {one[4:]}", f"{one} model", f"-{one}",
    ])  # fmt: skip


def _asked_of_archive(weeks: Sequence[EditionDraft]) -> Iterator[SearchQuery]:
    chance = random.Random(7)  # noqa: S311 - texts that repeat, not a secret
    titles = [each.title for week in weeks for each in week.entries if each.title.split()]
    for _ in range(_QUERIES_OF_ARCHIVE):
        filters = chance.choice([
            Filters(), Filters(), Filters(), Filters(topic=chance.choice(["agents", "reasoning"])),
            Filters(author=chance.choice(["aune", "x birk", "Dahl, Cole"])), Filters(source="dair"),
        ])  # fmt: skip
        yield parse_query(_typed_about(chance, chance.choice(titles)), filters)


@pytest.mark.on_sqlite
def test_each_week_of_the_archive_finds_its_queries(database: Database) -> None:
    """All are stored before the first week; each week a fifth of them is searched for, too."""
    weeks = _weeks_of_archive()[-_WEEKS:]
    stored = _Store([*_asked_of_archive(weeks)])
    asyncio.run(database.write(stored.store, stored.queries))

    def compared(session: Session, draft: EditionDraft, some: list[int]) -> tuple[_Found, _Found]:
        entries = _taken_in(session, draft)
        _tell_authors(session, entries, _AUTHORS)
        found = stored.found(session, entries)
        by_search = stored.searched(session, entries, some)
        return {number: found[number] for number in some if number in found}, by_search

    for number, week in enumerate(weeks):
        some = [*stored.queries][number % 5 :: 5]
        found, expected = asyncio.run(database.write(compared, week, some))
        assert found == expected
