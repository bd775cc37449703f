"""The room that text takes, held against a table that others keep."""

import pytest
from hypothesis import given
from wcwidth import wcswidth

from adapters.terminal.cells import cells, clusters
from bot.replies.plain_text import printable
from tests.any_replies import TEXTS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("plain", 5),
        ("Jan 5–11 · “naïve” …", 20),
        ("深度学习", 8),
        ("ｶﾅ", 2),
        ("한국어 AI", 9),
        ("🚀", 2),
        ("❤️", 2),
        ("🇩🇪", 4),
        ("e\u0301", 1),
        ("a\u200bb\ufeff", 2),
    ],
)
def test_signs_take_their_cells(text: str, expected: int) -> None:
    """Wide signs count two, signs that combine or join none, a flag as two letters."""
    assert cells(text) == expected


@given(TEXTS)
def test_no_text_takes_more_than_is_counted(text: str) -> None:
    """A terminal that follows Unicode never needs more cells than are counted."""
    text = printable(text)
    assert cells(text) == max(cells(text), wcswidth(text))


@given(TEXTS)
def test_clusters_are_the_text(text: str) -> None:
    """Together they are the text, and each but the first begins with a sign that takes room."""
    found = list(clusters(text))
    assert "".join(found) == text
    assert [cluster for cluster in found[1:] if cells(cluster[0]) == 0] == []
