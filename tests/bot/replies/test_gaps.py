"""The gaps in a review's text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.replies.gaps import GAP, with_gaps
from tests.bot.posting.digest.editions import paper

EPISODE = paper(1, episode="E1")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A kite — , — flies.", "A kite — […] — flies."),
        ("It turns into a , and it flies.", "It turns into a […], and it flies."),
        ("It flies where you can't .", "It flies where you can't […]."),
        ("They call it '' at sea.", "They call it '[…]' at sea."),
        ("It has two halves: a that pulls.", "It has two halves: a […] that pulls."),
        ("It flies. refuses to land.", "It flies. […] refuses to land."),
        (
            "Kites vs. gliders, e.g. paper ones, don't.",
            "Kites vs. gliders, e.g. paper ones, don't.",
        ),
        ("The 'string' isn't 'tail'.", "The 'string' isn't 'tail'."),
    ],
)
def test_a_lost_word_leaves_a_mark(text: str, shown: str) -> None:
    """Signs that no sentence has show where a word was lost; sound text stays as it is."""
    assert with_gaps(EPISODE, text) == shown


@given(st.text(" ,.'aA—the", max_size=60))
def test_a_mark_adds_nothing_else(text: str) -> None:
    """Without the marks the text has the same words."""
    assert _words(with_gaps(EPISODE, text).replace(GAP, "")) == _words(text)


def _words(text: str) -> str:
    return "".join(text.split()).replace("—,—", "——")


def test_only_reviews_lose_words() -> None:
    """A newsletter's text stays word for word."""
    assert with_gaps(paper(1), "It flies. refuses , to land.") == "It flies. refuses , to land."
