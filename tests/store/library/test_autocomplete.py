"""Papers found while somebody types: on both databases, by both ways, always the newest first."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.database import Database, Session
from store.library import editions, mentions
from store.library.autocomplete import MOST_TITLES, by_name, by_title
from store.records import Mention
from store.text import title_key
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import stored

_ARXIV = ["https://arxiv.org/abs/2601.00003"]
_OLD_ARXIV = ["https://arxiv.org/abs/math.GT/0309136"]
WEEK = edition(
    entry(1, "Sparse Attention for GPT-4"),
    entry(2, "A Survey of Agents: Attention, Tools and Sparse Memory"),
    entry(3, "Routing Experts", links=_ARXIV),
)
EARLIER = edition(
    entry(1, "Routing Experts, Early", links=_ARXIV),
    entry(2, "Sparse Rewards", links=_OLD_ARXIV),
    entry(3, "Größere Modelle, 50% kleiner"),
    first_day=MONDAY - timedelta(days=7),
)
EPISODES = edition(
    replace(entry(1, "Attending to E16"), rank=None, episode="E162"),
    replace(entry(1, "Sparse, sparser, sparsest"), rank=None, episode="E163"),
    first_day=MONDAY,
)
TODAY, WEEKS = MONDAY + timedelta(days=20), timedelta(weeks=1)
# By the index, from edition to edition, and so where a word is one of few and a title of many.
WAYS = (MOST_TITLES, 0, 2)


async def _filled(database: Database) -> None:
    await stored(database, WEEK, EARLIER)
    await stored(database, EPISODES, slug="paperdive")


NAMES = {
    "e16": ["paperdive:E162", "paperdive:E163"],
    "E163": ["paperdive:E163"],
    "dair:2025": ["dair:2025-12-29#1", "dair:2025-12-29#2", "dair:2025-12-29#3"],
    "DAIR:2026-01-05#3": ["dair:2026-01-05#3"],
    "2026-01": ["dair:2026-01-05#1", "dair:2026-01-05#2", "dair:2026-01-05#3"],
    "2601.0": ["dair:2026-01-05#3"],  # at its newest mention
    "math.GT/03": ["dair:2025-12-29#2"],
    "air:": [],
    "%": [],
    "survey": [],
}
TITLES = {
    "spars": [
        "Sparse Attention for GPT-4",
        "A Survey of Agents: Attention, Tools and Sparse Memory",
        "Sparse, sparser, sparsest",
        "Sparse Rewards",
    ],
    "spars att": [
        "Sparse Attention for GPT-4",
        "A Survey of Agents: Attention, Tools and Sparse Memory",
    ],
    "gpt 4": ["Sparse Attention for GPT-4"],
    "großere": [],
    "grosse": ["Größere Modelle, 50% kleiner"],
    "50": ["Größere Modelle, 50% kleiner"],
    "rout": ["Routing Experts"],
    "early": ["Routing Experts, Early"],
    "parse": [],
    "e16": ["Attending to E16"],  # an episode's name is no word of its title
    "spars zebra": [],
}


async def test_what_lies_ahead_is_offered_last(database: Database) -> None:
    """Each way finds a paper at its newest mention of a year that is there, the others behind."""
    await stored(database, EARLIER)
    ahead = replace(WEEK, first_day=MONDAY + 9 * WEEKS, last_day=MONDAY + 10 * WEEKS)
    await stored(database, ahead)
    for few in WAYS:
        titled = await database.read(by_title, ("spars",), TODAY, 10, few)
        named = await database.read(by_name, "2601.00003", TODAY, 10, few)
        assert [each.edition.first_day for each in titled] == [
            EARLIER.first_day, ahead.first_day, ahead.first_day,
        ]  # fmt: skip
        assert [each.edition.first_day for each in named] == [EARLIER.first_day]


async def test_a_name_is_found_by_its_beginning(database: Database) -> None:
    """Refs begin whole or behind their source, in either case, and arXiv ids as they are."""
    await _filled(database)
    for few in WAYS:
        found = {
            typed: [each.entry.ref for each in await database.read(by_name, typed, TODAY, 10, few)]
            for typed in NAMES
        }
        assert found == NAMES


async def test_a_title_is_found_by_beginnings_of_its_words(database: Database) -> None:
    """Each beginning begins some word of the title; a paper stands once, the newest first."""
    await _filled(database)
    for few in WAYS:
        found = {
            typed: [
                each.entry.title
                for each in await database.read(by_title, tuple(typed.split()), TODAY, 10, few)
            ]
            for typed in TITLES
        }
        assert found == TITLES


async def test_no_more_are_found_than_were_asked_for(database: Database) -> None:
    """Of what begins so the newest are found."""
    await _filled(database)
    for few in WAYS:
        [one] = await database.read(by_title, ("spars",), TODAY, 1, few)
        assert one.entry.title == "Sparse Attention for GPT-4"


async def test_a_mended_title_is_found_by_its_new_words(database: Database) -> None:
    """A changed entry is found by what it says now, one that is taken back not at all."""
    mended = entry(1, "Dense Attention")
    await stored(database, WEEK, replace(WEEK, entries=(mended, WEEK.entries[2])))
    assert await database.read(by_title, ("spars",), TODAY, 10) == []
    assert await database.read(by_name, "dair:2026-01-05#2", TODAY, 10) == []
    [found] = await database.read(by_title, ("dens",), TODAY, 10)
    assert found.entry.title == "Dense Attention"


_PIECES = ["a", "at", "att", "spar", "sparse", "e", "e16", "r", "rout", "4", "50", "t", "gross"]
_WORDS = st.lists(st.sampled_from(_PIECES) | st.text("aetsé4", min_size=1, max_size=3), min_size=1)
_NAMES = st.sampled_from(["d", "dair", "dair:", "p", "e", "E16", "2026", "2025-", "26", ":", "_"])

_many = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def known(database: Database) -> list[Mention]:
    """Fill the store and return all its mentions, newest first."""

    async def fill() -> list[Mention]:
        await _filled(database)
        return await database.read(_all)

    return asyncio.run(fill())


def _all(session: Session) -> list[Mention]:
    refs = [each.ref for week in editions.export_editions(session) for each in week.entries]
    found = [mentions.by_ref(session, ref)[0] for ref in refs]
    return sorted(found, key=lambda each: (-_day(each).toordinal(), each.entry.position))


def _day(mention: Mention) -> date:
    return mention.edition.last_day


@_many
@given(words=_WORDS)
def test_both_ways_find_the_titles_that_a_plain_scan_finds(
    database: Database, known: list[Mention], words: list[str]
) -> None:
    """Whatever is typed, what is found is what has these words, in the order of all mentions."""
    folded = tuple(title_key(" ".join(words)).split())
    if not folded:
        return

    def has_all(mention: Mention) -> bool:
        titled = title_key(mention.entry.title).split()
        return all(any(word.startswith(typed) for word in titled) for typed in folded)

    for few in WAYS:
        found = asyncio.run(database.read(by_title, folded, TODAY, 10, few))
        assert found == _scanned(known, has_all)


@_many
@given(typed=_NAMES | st.text("daire:2065#1E", min_size=1, max_size=6))
def test_both_ways_find_the_names_that_a_plain_scan_finds(
    database: Database, known: list[Mention], typed: str
) -> None:
    """Whatever is typed, what is found is what is named so, in the order of all mentions."""
    on_arxiv = {each.paper_id for each in known if (each.entry.arxiv_id or "").startswith(typed)}

    def is_named(mention: Mention) -> bool:
        ref = mention.entry.ref.lower()
        names = (ref, ref.rpartition(":")[2])
        return mention.paper_id in on_arxiv or any(n.startswith(typed.lower()) for n in names)

    for few in WAYS:
        found = asyncio.run(database.read(by_name, typed, TODAY, 10, few))
        assert found == _scanned(known, is_named)


def _scanned(known: list[Mention], fits: Callable[[Mention], bool]) -> list[Mention]:
    papers: dict[int, Mention] = {}
    for mention in filter(fits, known):
        papers.setdefault(mention.paper_id, mention)
    return list(papers.values())
