"""Sentences: where they end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.sentences import sentences, with_neighbours
from store.records import Entry


def _entry(summary: str) -> Entry:
    return Entry("a:2026-01-05#1", 0, 1, None, "Loom", summary, (), None, None, (), None, None)


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
        ("The U.S. Army won. So?", ["The U.S. Army won.", "So?"]),
        (" \n ", []),
    ],
)  # fmt: skip
def test_a_sentence_ends_where_its_thought_does(text: str, expected: list[str] | None) -> None:
    """A stop ends one but for abbreviations, a semicolon does outside of brackets."""
    assert list(sentences(text)) == ([text] if expected is None else expected)


@pytest.mark.parametrize(
    ("sentence", "longest", "expected"),
    [
        ("Two is here", 0, "Two is here"),
        ("Two is here", 27, "Two is here; three is here."),
        ("Two is here", 99, "Two is here; three is here. It is four."),
        ("It is four.", 28, "three is here. It is four."),
        ("It is four.", 99, "One is here. Two is here; three is here. It is four."),
    ],
)
def test_a_sentence_is_shown_with_those_beside_it(
    sentence: str, longest: int, expected: str
) -> None:
    """Those after it in its paragraph are, and those ahead where it speaks of something there."""
    text = "Zero.\n\nOne is here. Two is here; three is here. It is four.\n\nFive."
    assert with_neighbours(_entry(text), sentence, longest) == expected


_PARTS = ["word", "e.g.", "3.5", "(a", "b)", "end.", "so;", "\n\n", "“x.”"]


@given(st.lists(st.sampled_from(_PARTS)))
def test_nothing_is_changed_or_lost(words: list[str]) -> None:
    """Each sentence stands in the text as it is, in order, and all words are in one."""
    text = " ".join(words)
    found = list(sentences(text))
    assert " ".join(found).split() == text.split()
    assert all(sentence in text for sentence in found)
