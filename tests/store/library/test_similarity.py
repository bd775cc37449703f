"""How much alike two entries are, by the words that they share and how rare these are."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.library.similarity import Description, Weights, cosine, weights
from store.records import Highlight

_FOLDING = Description("Folding proteins", "Predicts structures.", (), None, ("science",))
_FOLDED = Description("Protein structure", "A folded chain.", (), None, ())
_OTHER = Description("Sparse attention", "Attends to few tokens.", (), "Science", ())
_ALL = (_FOLDING, _FOLDED, _OTHER)
_TEXTS = st.text(max_size=60)
_DESCRIPTIONS = st.builds(
    Description,
    _TEXTS,
    st.none() | _TEXTS,
    st.lists(st.builds(Highlight, st.none() | _TEXTS, _TEXTS), max_size=2).map(tuple),
    st.none() | _TEXTS,
    st.lists(st.sampled_from(("agents", "rag")), unique=True).map(tuple),
)


def _alike(one: Description, other: Description, by: Weights | None = None) -> float:
    by = by or weights(_ALL)
    return cosine(by.vector(one), by.vector(other))


def test_words_are_compared_by_stem() -> None:
    """`Folding proteins` and `a folded protein` share both words; a heading is no topic."""
    assert _alike(_FOLDING, _FOLDED) > 0.5
    assert _alike(_FOLDING, _OTHER) == 0


def test_a_topic_in_common_makes_entries_more_alike() -> None:
    """It counts like a word."""
    assert _alike(_FOLDING, replace(_FOLDED, topics=("science",))) > _alike(_FOLDING, _FOLDED)


def test_a_rare_word_in_common_tells_more_than_a_frequent_one() -> None:
    """By how many of all entries have it."""
    one = Description("Agents fold", None, (), None, ())
    frequent, rare = replace(one, title="Agents walk"), replace(one, title="Papers fold")
    by = weights([one, *[frequent] * 500, rare])
    assert _alike(one, rare, by) > _alike(one, frequent, by)


def test_a_long_entry_is_not_alike_by_its_length() -> None:
    """Further words that are not shared make it less alike."""
    long = replace(_FOLDED, summary="A folded chain, seen by x-ray, cooled, and drawn by hand.")
    assert _alike(_FOLDING, long) < _alike(_FOLDING, _FOLDED)


@given(one=_DESCRIPTIONS, other=_DESCRIPTIONS)
def test_any_two_entries_compare(one: Description, other: Description) -> None:
    """From 0 to 1, either way round alike, and 1 with itself unless it says nothing."""
    by = weights([one, other])
    alike = _alike(one, other, by)
    assert alike == _alike(other, one, by)
    assert 0 <= alike <= 1 + 1e-9
    assert _alike(one, one, by) == pytest.approx(1 if by.vector(one) else 0)
