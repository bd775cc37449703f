"""Lines wrapped to rows: words, marks and margins, and the width of text in cells."""

import pytest
from hypothesis import given
from wcwidth import wcswidth

from adapters.terminal.render import cells, clusters, wrap
from bot.replies.plain_text import StyledLine, StyledSpan, printable
from tests.any_replies import TEXTS


def _rows(line: StyledLine, width: int) -> list[str]:
    return [
        "".join(span.text for span in row.head) + " ".join(word.text for word in row.words)
        for row in wrap(line, width)
    ]


def _line(text: str, mark: str = "", margin: int = 0) -> StyledLine:
    return StyledLine((StyledSpan(text),), StyledSpan(mark) if mark else None, margin)


@pytest.mark.parametrize(
    ("line", "width", "expected"),
    [
        (StyledLine(), 40, [""]),
        (_line("  many \n blanks\t"), 40, ["many blanks"]),
        (_line("one two three four five"), 20, ["one two three four", "five"]),
        (_line("one two three four five"), 1, ["one two three four", "five"]),
        (_line("as wide as the width"), 20, ["as wide as the width"]),
        (_line("words that hang below", "•", 2), 20, ["• words that hang", "  below"]),
        (_line("under a name", "name", 8), 45, ["name    under a name"]),
        (_line("the mark goes before", "[10]", 6), 24, ["[10] the mark goes", "  before"]),
        (_line("under its name", "a name", 12), 24, ["a name", "  under its name"]),
        (_line("indented", margin=8), 30, ["  indented"]),
        (_line("深度学习与注意力机制的研究"), 20, ["深度学习与注意力机制", "的研究"]),
        (_line("on 深度学习与注意力机制的研究"), 20, ["on 深度学习与注意力", "机制的研究"]),
        (_line("e\u0301" * 21), 20, ["e\u0301" * 20, "e\u0301"]),
        (_line("at https://example.org/paper"), 20, ["at", "https://example.org/paper"]),
        (_line("https://example.org/paper it"), 20, ["https://example.org/paper", "it"]),
        (_line("https://example.org/paper", "•", 2), 20, ["• https://example.org/paper"]),
        (_line("(https://example.org/paper)"), 20, ["(https://example.org/paper)"]),
        (StyledLine((StyledSpan("  kept \x1b as it is, however long"),), kept=True), 20,
         ["  kept  as it is, however long"]),
        (_line("论文https://example.org/paper"), 20, ["论文https://example.", "org/paper"]),
    ],
)  # fmt: skip
def test_lines_are_wrapped(line: StyledLine, width: int, expected: list[str]) -> None:
    """Words fill rows from the margin on; below 40 columns it is two, below 20 none is fewer."""
    assert _rows(line, width) == expected


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
