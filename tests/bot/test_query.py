"""What a searcher types, as words, phrases and exclusions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.query import parse_query


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
        ('an "open quote', ("open", "quote"), (), ()),
        ("the agents of the week", ("agents", "week"), (), ()),
        ("the of", ("the", "of"), (), ()),
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
    """Words are folded, stop words left out beside others, quotes bind, hyphens exclude."""
    query = parse_query(text)
    assert (query.words, query.phrases, query.excluded) == (words, phrases, excluded)


@given(st.text())
def test_words_hold_letters_and_digits_only(text: str) -> None:
    """Whatever is typed, no quote, blank or operator reaches a database."""
    query = parse_query(text)
    runs = (*query.words, *(word for run in (*query.phrases, *query.excluded) for word in run))
    assert all(word and not set(word) & set("\"'*():^-& |!\\\0") for word in runs)
