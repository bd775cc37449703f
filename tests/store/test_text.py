"""Folding: what is left of a text when only its words are compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.text import fold, name_key, title_key, tokens


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
