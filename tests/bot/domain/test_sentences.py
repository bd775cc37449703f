"""Sentences: where they end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.sentences import sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("It gains 3.5 points, e.g. on MATH vs. GSM8K.", None),
        ("Zhao et al. won (avg. 3.2; best 4). So?", ["Zhao et al. won (avg. 3.2; best 4).", "So?"]),
        ("a benchmark; finds gains; ends", ["a benchmark;", "finds gains;", "ends"]),
        ("He said “No.” Then J. Smith left.", ["He said “No.”", "Then J. Smith left."]),
        ("A paragraph\n\nAnother one", ["A paragraph", "Another one"]),
        ("one (open; stays. It ends; here", ["one (open; stays.", "It ends;", "here"]),
        ("It has a […] that pulls. So?", ["It has a […] that pulls.", "So?"]),
        (" \n ", []),
    ],
)  # fmt: skip
def test_a_sentence_ends_where_its_thought_does(text: str, expected: list[str] | None) -> None:
    """A stop ends one but for abbreviations, a semicolon does outside of brackets."""
    assert list(sentences(text)) == ([text] if expected is None else expected)


_PARTS = ["word", "e.g.", "3.5", "(a", "b)", "end.", "so;", "\n\n", "“x.”"]


@given(st.lists(st.sampled_from(_PARTS)))
def test_nothing_is_changed_or_lost(words: list[str]) -> None:
    """Each sentence stands in the text as it is, in order, and all words are in one."""
    text = " ".join(words)
    found = list(sentences(text))
    assert " ".join(found).split() == text.split()
    assert all(sentence in text for sentence in found)
