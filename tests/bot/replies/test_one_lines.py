"""One line about a paper."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.drafts import ParseOptions
from bot.ingest import documents
from bot.replies.one_lines import LINE_LENGTH, one_line
from tests.bot.ingest.test_samples import NOW
from tests.shared_data import shared_file

_DOCUMENTS = (
    "archive-README.md",
    "seeds/000_6b97a1adf3c6bd05.txt",
    "seeds/001_60719b701ad4a391.txt",
    "seeds/002_dc9cd6f66951fc0f.txt",
)
_EMPTY_OPENING = re.compile(
    r"(?:This|The) (?:paper|work|study|article)\b(?! from)"
    r"|(?:It |We |They )?(?:Introduc|Propos|Present)e?s? an? ",
    re.IGNORECASE,
)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("One sentence. Another one.", "One sentence"),
        ("Reaches 53.1 percent on it. Then more.", "Reaches 53.1 percent on it"),
        ("He said “Stop.” Then left.", "He said “Stop.”"),
        ("a kite; it flies", "A kite"),
        ("  Blanks\n and lines. More.", "Blanks and lines"),
        ("", None),
        (None, None),
    ],
)
def test_a_short_sentence_is_the_line(text: str | None, line: str | None) -> None:
    """The first sentence begins with a capital and ends without its stop."""
    assert one_line(text) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("This paper introduces Kite, a model that flies.", "Kite, a model that flies"),
        ("This work also proposes a kite.", "A kite"),
        ("In this paper, we present a kite.", "A kite"),
        ("proposes to use kites.", "Use kites"),
        ("finds that kites fly.", "Kites fly"),
        ("The authors argue that kites fly.", "The authors argue that kites fly"),
        ("They fly. High.", "They fly"),
        ("The work is cut into tiles.", "The work is cut into tiles"),
        ("presents how kites fly.", "Presents how kites fly"),
        ("This paper by a pilot tests kites.", "This paper by a pilot tests kites"),
        ("Kite introduces a string.", "Kite introduces a string"),
    ],
)
def test_an_empty_opening_is_dropped(text: str, line: str) -> None:
    """What is introduced stands alone, unless the verb needs its subject or says something."""
    assert one_line(text) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            (
                "A kite for stormy days (see the second figure), which flies at a height of three"
                " hundred metres whatever weather there is at the sea."
            ),
            (
                "A kite for stormy days, which flies at a height of three hundred metres whatever"
                " weather there is at the sea"
            ),
        ),
        (
            (
                "Kites stop falling from the sky when they are tied — each of them pulls at its own"
                " string, and a long tail of silk keeps all of them upright."
            ),
            (
                "Kites stop falling from the sky when they are tied — each of them pulls at its own"
                " string"
            ),
        ),
        (
            (
                "Researchers from a school of flying, a shipyard and a museum propose Kite, a"
                " toy that is tied to the mast of a ship."
            ),
            "Kite, a toy that is tied to the mast of a ship",
        ),
        (
            (
                "While nearly all other toys stay on the ground when the wind is very low, this"
                " work proposes a kite that climbs."
            ),
            "A kite that climbs",
        ),
        (
            (
                "A kite that tells the difference between the warm north wind of the early morning"
                " hours of spring in the mountains and the south wind."
            ),
            (
                "A kite that tells the difference between the warm north wind of the early morning"
                " hours of spring in the…"
            ),
        ),
    ],
)
def test_a_long_sentence_ends_where_a_clause_does(text: str, line: str) -> None:
    """Asides, makers and conditions go first; a pair is not torn apart."""
    assert one_line(text) == line


@given(text=st.text(max_size=400), length=st.integers(20, 200))
def test_a_line_is_short_and_begins_as_a_sentence_does(text: str, length: int) -> None:
    """Any text gives one line of at most so many characters, without blanks around it."""
    line = one_line(text, length)
    assert line is None or (line == " ".join(line.split()) and 0 < len(line) <= length + 2)


def test_the_lines_of_real_summaries_are_whole_clauses() -> None:
    """At most 110 characters, a capital, no empty opening; one in fifty is cut at a word."""
    lines = [one_line(summary) or "" for summary in _real_summaries()]
    assert len(lines) == 686
    assert max(map(len, lines)) <= LINE_LENGTH
    assert [line for line in lines if line[:1].islower() or _EMPTY_OPENING.match(line)] == []
    assert sum(line.endswith("…") for line in lines) <= len(lines) / 50
    dangling = re.compile(r"\b(?:a|an|the|of|and|or|to|in|with|for|by|that|which|is|are)$")
    assert [line for line in lines if dangling.search(line)] == []


def _real_summaries() -> list[str]:
    summaries = []
    for name in _DOCUMENTS:
        path = shared_file(name)
        document = documents.read(path.name, path.read_bytes()).document
        parsed = documents.parse(document, ParseOptions(today=NOW.date()))
        entries = [entry for edition in parsed.editions for entry in edition.entries]
        summaries += [entry.summary for entry in entries if entry.summary]
    return summaries
