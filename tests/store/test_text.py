"""Folding: what is left of a text when only its words are compared."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.text import fold, name_key, stem, title_key, tokens


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Long-Context LLMs", "long context llms"),
        ("long‑context", "long context"),
        ("Māori naïveté", "maori naivete"),
        ("e\u0301tude", "etude"),
        ("“Curly” ‘quotes’ — it’s", "curly quotes it s"),
        ("C++ & GPT-4.5_turbo", "c gpt 4 5 turbo"),
        ("ﬁne ² Ⅳ", "fine 2 iv"),
        ("Straße ΣΊΣΥΦΟΣ", "strasse σισυφοσ"),
        ("大模型 2", "大模型 2"),
        (" \t\n\0\ud800 ", ""),
        ("", ""),
    ],
)
def test_only_words_are_left(text: str, folded: str) -> None:
    """Case, accents, signs and typographic variants make no difference."""
    assert fold(text) == folded
    assert tokens(text) == folded.split()


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    """What is folded is words and single blanks, and stays so."""
    folded = fold(text)
    assert fold(folded) == folded
    assert all(char.isalnum() or char == " " for char in folded)
    assert folded.encode().decode() == folded


def test_a_title_key_is_bounded() -> None:
    """However long a title, its key fits into an index."""
    assert len(title_key("Very " * 1000)) == 200


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("KiteNet: Wings on a Line", "kitenet"),
        ("Kite-Net 2:  Wings: Again", "kite net 2"),
        ("KiteNet\uff1aWings", "kitenet"),
        ("KiteNet", None),
        ("At 9:30 Kites", None),
        ("KiteNet: ", None),
        ("!: Wings", None),
    ],
)
def test_the_name_before_a_colon(title: str, name: str | None) -> None:
    """A colon of either width ends a name where words come before and after it."""
    assert name_key(title) == name


def fts5_stems(words: Iterable[str]) -> list[str]:
    """Return what FTS5 makes of words, in order."""
    with closing(sqlite3.connect(":memory:")) as connection, connection:
        connection.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize = 'porter unicode61')")
        connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)")
        connection.executemany("INSERT INTO t (x) VALUES (?)", ((word,) for word in words))
        stems = [row[0] for row in connection.execute("SELECT term FROM v ORDER BY doc")]
    connection.close()
    return stems


@pytest.mark.parametrize(
    ("words", "shared"),
    [
        ("routes routed routing route", "rout"),
        ("experts expert", "expert"),
        ("agreed agree", "agre"),
        ("hopping hopped hops", "hop"),
        ("hoping hoped hopes", "hope"),
        ("policies policy", "polici"),
        ("psychology psychological", "psycholog"),
        ("assembly assemble assembled", "assembl"),
        ("generation generate generative general", "gener"),
        ("compress compression", "compress"),
        ("controlling control", "control"),
        ("rates rate", "rate"),
        ("os", "os"),
        ("gpt4", "gpt4"),
        ("naïves", "naïv"),
    ],
)
def test_forms_of_a_word_share_a_stem(words: str, shared: str) -> None:
    """Endings come off; a word of two letters stays as it is."""
    assert {stem(word) for word in words.split()} == {shared}


_ENDINGS = (
    "s", "es", "ies", "sses", "ed", "eed", "ing", "ating", "bling", "izing", "tting", "y",
    "ational", "tional", "enci", "anci", "izer", "logi", "bli", "alli", "entli", "eli",
    "ousli", "ization", "ation", "ator", "alism", "iveness", "fulness", "ousness", "aliti",
    "iviti", "biliti", "icate", "ative", "alize", "iciti", "ical", "ful", "ness", "al", "ance",
    "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "sion", "tion", "ion",
    "ou", "ism", "ate", "iti", "ous", "ive", "ize", "e", "ll",
)  # fmt: skip
_WORDS = st.builds(
    "".join,
    st.tuples(
        st.text(alphabet="aeiouybcdlstxwz1éж", max_size=6),
        st.lists(st.sampled_from(_ENDINGS), max_size=3).map("".join),
    ),
)


@given(st.lists(_WORDS | st.text(), min_size=1, max_size=40))
def test_stems_are_those_of_fts5(texts: list[str]) -> None:
    """Whatever the word, letter for letter."""
    words = [word for text in texts for word in tokens(text) if len(tokens(word)) == 1]
    pairs = [(word, made) for word in words for made in [fts5_stems([word])] if len(made) == 1]
    assert [(word, [stem(word)]) for word, _ in pairs] == pairs
