"""A withdrawn paper is told by its own words, and none that is merely about such things."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.sources.arxiv_metadata import is_withdrawn

WITHDRAWN = [
    "This paper has been withdrawn",
    "This paper has been withdrawn by the author due to a crucial sign error in equation 1",
    "This article has been withdrawn by arXiv administrators because of disputed authorship",
    "This submission has been withdrawn by the authors.",
    "arXiv admin note: This submission has been withdrawn by arXiv administrators due to overlap",
    "arXiv admin comment: This version has been removed by arXiv administrators",
    "The paper is withdrawn because the proof of Lemma 3 is wrong",
    "The present paper is now withdrawn, see the new one",
    "This preprint has now been retracted.",
    "Withdrawn",
    "WITHDRAWN.",
    "(withdrawn)",
    "Withdrawn by the author",
    "Withdrawn by the author(s); a new version will follow",
    "Withdrawn; superseded by a longer paper",
    "Paper withdrawn due to errors in the data",
    "Temporarily withdrawn, pending approval of a co-author",
    "Withdrawn from arXiv",
    "The authors have withdrawn this paper due to an error",
    "We withdraw this paper, for its main claim does not hold",
    "I have decided to withdraw this submission",
]
NOT_WITHDRAWN = [
    "",
    "15 pages, 5 figures",
    "Withdrawn patents are often overlooked by those who search for prior art",
    "Withdrawn behaviour of users in chats",
    "We study papers that were withdrawn by their authors",
    "This paper has been accepted; an earlier one has been withdrawn by the author",
    "This paper was withdrawn from NeurIPS 2025 and is under review elsewhere",
    "Withdrawn from the market, a drug is still looked for",
    "Supersedes our paper of last year, which has been withdrawn",
    "This paper withdraws the assumption of convexity",
    "The authors have withdrawn money in simulated banks",
    "We retract this claim of earlier work",
    "A dataset of retracted papers",
    "Not withdrawn",
]


@pytest.mark.parametrize("words", WITHDRAWN)
def test_words_that_say_so(words: str) -> None:
    """They stand at the beginning of the comment or of the abstract."""
    assert is_withdrawn(words, "Kites are steered by their tails.")
    assert is_withdrawn(None, words)
    assert is_withdrawn(words.upper(), "")


@pytest.mark.parametrize("words", NOT_WITHDRAWN)
def test_words_that_do_not(words: str) -> None:
    """A paper may be about what was withdrawn, from wherever."""
    assert not is_withdrawn(words, "Kites are steered by their tails.")
    assert not is_withdrawn("12 pages", words)


def test_a_comment_may_name_its_pages_first() -> None:
    """A whole sentence in it says so as well, but none in an abstract."""
    words = "12 pages, 3 figures. This paper has been withdrawn by the author"
    assert is_withdrawn(words, "")
    assert not is_withdrawn(None, words)


@given(st.text(max_size=60), st.text(max_size=60))
def test_without_one_of_the_words_nothing_is(comment: str, abstract: str) -> None:
    """Whatever else stands there."""
    said = f"{comment} {abstract}".casefold()
    if not any(word in said for word in ("withdr", "retract", "removed")):
        assert not is_withdrawn(comment, abstract)
