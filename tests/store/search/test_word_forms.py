"""Words in other forms: run together or parted, as acronyms, and mistyped."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.library.search import parse_query
from store import content_version
from store.database import Database, Session
from store.library.entries import reindex
from store.search import index, search, unindex
from store.search.query import SearchQuery
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import take_in
from tests.store.search.test_full_text import ranks

Find = Callable[[str], str]

WEEK = edition(
    entry(1, "Fine‑tuning at scale", "Every layer."),
    entry(2, "Finetuning on a budget", "Few layers."),
    entry(3, "FlashAttention, again", "Exact and fast."),
    entry(4, "Flash attention on phones", "Fast, too."),
    entry(5, "Llama 2", "Open weights."),
    entry(6, "Llama2 for chat", "Follows orders."),
    entry(7, "A recursive language model (RLM)", "Calls itself."),
    entry(8, "RLMs in the wild", "What they call."),
    entry(9, "Recursive language models at work", "Called a lot."),
    entry(10, "Recursive proofs", "Of a language."),
    entry(11, "Reasoning about RAG", "Answers with sources."),
    entry(12, "An overview of planning", "What was planned."),
    entry(13, "Co-founders", "Often two."),
    entry(14, "In-context learning", "Of ten examples, which vary."),
    entry(15, "Optimizers", "What they generalize."),
    entry(16, "Optimisers", "How we stopped."),
)


@pytest.fixture
def find(database: Database) -> Find:
    """Return a search over one week's papers, which answers with their ranks in order."""
    asyncio.run(database.write(take_in, WEEK))

    def found(text: str) -> str:
        numbers = asyncio.run(database.read(_complete, parse_query(text)))
        return " ".join(map(str, sorted(numbers)))

    return found


def _complete(session: Session, query: SearchQuery) -> list[int]:
    every = SearchQuery(words=query.words, phrases=query.phrases, every_word=True)
    return [int(rank) for rank in ranks(session, every)]


@pytest.mark.on_sqlite
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("fine tuning", "1 2"),
        ("optimiser", "15 16"),
        ("generalised", "15"),
        ("fine-tuning", "1 2"),
        ("finetuning", "1 2"),
        ("fine tuned", "1 2"),  # by their stems
        ("flash attention", "3 4"),
        ("FlashAttention", "3 4"),
        ("llama 2", "5 6"),
        ("llama2", "5 6"),
        ('"fine tuning"', "1"),  # in quotes it is just that
        ("tuning", "1"),  # but a part is no whole
        ("cofounders", "13"),
        ("incontext", "14"),
        ("often", "13"),  # which is no "of ten"
    ],
)
def test_words_run_together_or_parted_are_the_same(find: Find, query: str, expected: str) -> None:
    """However a compound is typed, all its spellings are found."""
    assert find(query) == expected


@pytest.mark.on_sqlite
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("RLM", "7 8 9"),
        ("rlms", "7 8 9"),
        ("recursive language model", "7 8 9"),
        ("the recursive language models", "7 8 9"),
        ("language model", "7 9"),  # RLM is more than that
        ('"RLM"', "7 8"),
        ("retrieval augmented generation", "11"),  # which no text explains
        ("survey", "12"),
    ],
)
def test_an_acronym_and_its_words_are_the_same(find: Find, query: str, expected: str) -> None:
    """An acronym finds the words that a text explains it by, and they find the acronym."""
    assert find(query) == expected


@pytest.mark.on_sqlite
@pytest.mark.parametrize(
    ("query", "corrections", "expected"),
    [
        ("reasoninng", (("reasoninng", "reasoning"),), "11"),
        ("overveiw plannig", (("overveiw", "overview"),), ""),  # "planning" stands once
        ("recursve languge modle", (("recursve", "recursive"), ("languge", "language"),
                                    ("modle", "model")), "7 8 9"),
        ("modle wich", (("modle", "model"),), ""),  # not to "which"
        ("overviews tokes", (), ""),  # an English word is right, if rare
        ("planned", (), "12"),  # a known word stays as it is
        ("reasonings", (), "11"),  # and so does a form of one
        ("zebra", (), ""),
        ('"reasoninng"', (), ""),
        ("planning -reasoninng", (), "12"),
    ],
)  # fmt: skip
async def test_a_mistyped_word_is_corrected(
    database: Database, query: str, corrections: tuple[tuple[str, str], ...], expected: str
) -> None:
    """Only a word that nothing holds is corrected, never in quotes or after a minus."""
    await database.write(take_in, WEEK)
    result = await database.read(search, parse_query(query), 20)
    assert result.corrections == corrections
    complete = [each.entry_id for each in result.hits if each.complete]
    assert " ".join(map(str, sorted(complete))) == expected


async def test_a_word_that_went_is_never_offered(database: Database) -> None:
    """What was known of entries that are gone corrects and widens nothing."""
    rows = entry(1, "Mamba"), entry(2, "Attention"), entry(3, "Mamba Again")
    await database.write(take_in, edition(*rows))
    assert (await database.read(search, parse_query("mamab"), 9)).corrections
    await database.write(take_in, edition(entry(2, "Attention")))
    result = await database.read(search, parse_query("mamab"), 9)
    assert (result.hits, result.corrections) == ((), ())


async def test_what_was_imported_is_found_at_once(database: Database) -> None:
    """What a reader keeps in mind holds only until the next import."""
    query = parse_query("attention mamba")
    await database.write(take_in, edition(entry(1, "Attention")))
    assert [each.complete for each in (await database.read(search, query, 9)).hits] == [False]
    await database.write(take_in, edition(entry(1, "Attention"), entry(2, "Mamba attention")))
    assert [each.complete for each in (await database.read(search, query, 9)).hits] == [True]


async def test_the_index_can_be_made_anew(database: Database) -> None:
    """Made anew from the entries, the index finds what it found before."""

    def spoil(session: Session) -> None:
        unindex(session, [1, 2, 7])
        content_version.touch(session)

    await database.write(take_in, WEEK)
    queries = [parse_query(text) for text in ("fine tuning", "rlm", "reasoninng", "language")]
    before = [await database.read(search, query, 20) for query in queries]
    await database.write(spoil)
    assert [await database.read(search, query, 20) for query in queries] != before
    await database.write(reindex)
    assert [await database.read(search, query, 20) for query in queries] == before


async def test_indexing_nothing_is_nothing(database: Database) -> None:
    """An edition without entries leaves the index as it is."""
    await database.write(index, [])
    await database.write(unindex, [])
    assert (await database.read(search, parse_query("attention"), 9)).hits == ()


async def test_everyday_words_find_what_papers_write(database: Database) -> None:
    """Who says `song` is shown music, on both databases; who says `music` gets no songs for it."""
    week = edition(
        entry(1, "Music from text", "Composes."),
        entry(2, "A song of ice", "Freezes."),
        entry(3, "Autonomous driving in rain", "Steers."),
        entry(4, "A self-portrait", "Paints."),
    )
    await database.write(take_in, week)

    async def complete(text: str) -> list[int]:
        return sorted(await database.read(_complete, parse_query(text)))

    assert await complete("song") == [1, 2]
    assert await complete("music") == [1]
    assert await complete("self driving") == [3]
    assert await complete("composing songs") == [1]
    titles = replace(parse_query("song"), title_only=True)
    assert await database.read(ranks, titles) == ["2"]  # whoever looks for a title has its words
