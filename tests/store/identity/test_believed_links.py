"""Whether two entries with one id can be of one work: links are believed unless words speak up."""

import pytest

from store.identity.comparison import may_share_id, share_title_words, words_of

ABSTRACT = "We cool enzymes until their folding slows down, and film the hinges."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("KiteNet", "KiteNet: Steering Tethered Wings"),
        ("Kite Steering for Tethered Wings", "Tethered wings, steered by kites"),
        ("SteerKite", "Steering Kites by Reward"),
        ("A Survey on LLMs", "Folding Enzymes"),
        ("Kites", "Enzymes"),
        ("A Paper", "Another Paper"),
        ("", "Folding Enzymes at Low Temperature"),
    ],
    ids=["short", "reworded", "grown together", "says nothing", "one word", "two", "no letter"],
)
def test_titles_that_may_be_of_one_work(one: str, other: str) -> None:
    """Titles that share a telling word, or that tell too little, speak against no link."""
    assert may_share_id(words_of(one), words_of(other))
    assert may_share_id(words_of(other), words_of(one))


def test_titles_that_have_nothing_in_common() -> None:
    """Two titles that both tell enough, and nothing of it in common, are of two works."""
    one, other = words_of("Steering Tethered Wings"), words_of("Folding Enzymes, a Survey")
    assert not may_share_id(one, other)
    assert not share_title_words(one, other)


def test_a_renamed_work_is_known_by_what_is_said_of_it() -> None:
    """A title of other words is of the same work where these stand in the other's text."""
    one, other = words_of("Cold Hinges", ["It is about a film."]), words_of("FoldSlow", [ABSTRACT])
    assert may_share_id(one, other)


def test_common_words_of_the_field_tell_nothing() -> None:
    """That both are about language models and benchmarks makes them no single work."""
    one = words_of("Kite Steering", ["A benchmark of language models that reason over time."])
    other = words_of("Enzyme Folding", ["Language models reason better on a new benchmark."])
    assert not may_share_id(one, other)
