"""Queries: words, phrases and exclusions, their correction, and the nearest that find something."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event
from sqlalchemy.engine import Engine

from bot.library.near_searches import near_searches
from bot.library.search import corrected_text, parse_query
from store.database import Database
from store.search import Filters
from store.text import LONGEST_WORD, MOST_WORDS, tokens

DAY = date(2026, 11, 25)
TO_COME = date(2027, 1, 1)


@pytest.mark.parametrize(
    ("text", "words", "phrases", "excluded"),
    [
        ("long context", ("long", "context"), (), ()),
        ("long-context LLMs", ("long", "context", "llms"), (), ()),
        ('"mixture of experts" routing', ("routing",), (("mixture", "of", "experts"),), ()),
        ("“curly quotes” too", ("too",), (("curly", "quotes"),), ()),
        ("agents -survey", ("agents",), (), (("survey",),)),
        ('agents -"a survey"', ("agents",), (), (("a", "survey"),)),
        ("agents -state-of-the-art", ("agents",), (), (("state", "of", "the", "art"),)),
        ('an "open quote', ("an", "open", "quote"), (), ()),
        ("the agents of the week", ("the", "agents", "of", "the", "week"), (), ()),
        ("Café Māori", ("cafe", "maori"), (), ()),
        ("C++ -- ??", ("c",), (), ()),
        ("", (), (), ()),
    ],
)
def test_a_query_is_read_as_meant(
    text: str,
    words: tuple[str, ...],
    phrases: tuple[tuple[str, ...], ...],
    excluded: tuple[tuple[str, ...], ...],
) -> None:
    """Words are folded and stand as typed, quotes bind, hyphens exclude."""
    query = parse_query(text)
    assert (query.words, query.phrases, query.excluded) == (words, phrases, excluded)
    assert query.text == text


@pytest.mark.parametrize(
    ("text", "words", "ids"),
    [
        ("2501.12948", (), ("2501.12948",)),
        ("routing (arXiv:2406.18665v2)?", ("routing",), ("2406.18665",)),
        ("https://arxiv.org/abs/2406.18665 2406.18665", (), ("2406.18665",)),
        ('"2406.18665" -2501.12948', (), ("2406.18665",)),
        ("gpt 4.5 of 2025", ("gpt", "4", "5", "of", "2025"), ()),
    ],
)
def test_an_id_is_no_word(text: str, words: tuple[str, ...], ids: tuple[str, ...]) -> None:
    """An arXiv id names a paper, bare or in an address, and an excluded one none."""
    query = parse_query(text)
    assert (query.words, query.arxiv_ids) == (words, ids)


@given(st.text())
def test_words_hold_letters_and_digits_only(text: str) -> None:
    """Whatever is typed, no quote, blank or operator reaches a database."""
    query = parse_query(text)
    runs = (*query.words, *(word for run in (*query.phrases, *query.excluded) for word in run))
    assert all(word and not set(word) & set("\"'*():^-& |!\\\0") for word in runs)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Atention is all", "attention is all"),
        ("self-atention, ATENTION?", "self-attention, attention?"),
        ('atention "atention" -atention', 'attention "atention" -atention'),
        ("atentions", "atentions"),
    ],
)
def test_only_what_was_corrected_changes(text: str, expected: str) -> None:
    """A corrected word is replaced everywhere, except in quotes and exclusions."""
    assert corrected_text(text, [("atention", "attention")]) == expected


def test_what_needed_no_correction_has_none() -> None:
    """Without corrections there is no corrected text."""
    assert corrected_text("attention", []) is None


@given(st.text(alphabet="abé1-_.’“” "))
def test_a_corrected_text_means_the_correction(text: str) -> None:
    """Read again, a corrected text has the corrected words in the places of the others."""
    before = parse_query(text)
    corrections = [(word, "attention") for word in before.words if word.isascii()]
    after = parse_query(corrected_text(text, corrections) or text)
    meant = dict(corrections)
    assert after.phrases == before.phrases
    assert after.excluded == before.excluded
    assert after.words == tuple(meant.get(word, word) for word in before.words)


@given(
    st.lists(
        st.sampled_from(["\ufdfa", "\u3316", "a", "bc ", '"', "-", " ", "\u202f"]), max_size=200
    )
)
def test_no_more_words_are_read_than_may_be_looked_for(parts: list[str]) -> None:
    """One sign may be many words or letters: they are counted once they are folded."""
    text = "".join(parts)
    query = parse_query(text)
    read = [*query.words, *(word for run in (*query.phrases, *query.excluded) for word in run)]
    assert len(read) <= MOST_WORDS
    assert max(map(len, read), default=0) <= LONGEST_WORD
    assert query.cut is (len(read) < len(tokens(text)))


def test_the_first_words_are_the_ones_that_are_read() -> None:
    """Words beyond the bound and words that are too long are left out, and nothing else."""
    words = [f"w{number}" for number in range(MOST_WORDS + 1)]
    query = parse_query(" ".join(["x" * (LONGEST_WORD + 1), *words]))
    assert (query.words, query.cut) == (tuple(words[:-1]), True)
    assert not parse_query(" ".join([*words[:-1]])).cut


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """Return what any store is asked from now on."""
    said: list[str] = []

    def hear(*execution: object) -> None:
        said.append(" ".join(str(execution[2]).split()))

    event.listen(Engine, "before_cursor_execute", hear)
    yield said
    event.remove(Engine, "before_cursor_execute", hear)


@pytest.mark.parametrize(
    ("text", "filters", "most"),
    [
        ("agents", Filters(source="nosuch"), 8),
        ("language models", Filters(topic="robotics", author="nobody", since=TO_COME), 8),
        ('"agents of language" models', Filters(), 10),
        ("agnets langauge zzqqxy", Filters(since=TO_COME), 25),
        ("", Filters("agents", "dair", "nobody", TO_COME), 6),
        ("", Filters(topic="agents", since=TO_COME), 6),
    ],
)
async def test_the_nearest_searches_take_a_few_statements(
    real: Database, statements: list[str], text: str, filters: Filters, most: int
) -> None:
    """However many filters there are and entries are stored, and none counts all that fits.

    A store of 100,000 entries answers each in 0.16 s of the processor at most, the first time.
    """
    query = replace(parse_query(text), filters=filters)
    await real.read(near_searches, query, DAY)
    assert 0 < len(statements) <= most
    of_entries = [each for each in statements if "FROM entry JOIN edition" in each]
    assert not any("count(" in each for each in of_entries)


async def test_without_words_each_filter_that_kept_papers_out_is_found(real: Database) -> None:
    """A source that there is not is left out beside a topic, and nothing where it stands alone."""
    asked = replace(parse_query(""), filters=Filters(topic="agents", source="nosuch"))
    assert (await real.read(near_searches, asked, DAY)).without == (("source",),)
    alone = replace(parse_query(""), filters=Filters(source="nosuch"))
    assert (await real.read(near_searches, alone, DAY)).without == ()
