"""What holds for every review copy, whole or damaged."""

from contextlib import suppress
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.drafts import EditionDraft
from bot.errors import DocumentError
from bot.ingest.formats.review import FORMAT
from tests.bot.ingest.damage import damage
from tests.bot.ingest.drafts import without_lines
from tests.bot.ingest.formats.review.documents import (
    copy_of,
    editions,
    parse,
    unaccounted,
)
from tests.bot.ingest.formats.review.printer import print_review
from tests.shared_data import shared_file

_SEED = "seeds/001_60719b701ad4a391.txt"

# Lines that are like those of a review, and stand where none of them should.
_JUNK = st.sampled_from(
    [
        "Episodes in this topic",
        "Episodes in this section: E201, E204",
        "E201",
        "E202 A Cache That Forgets · arXiv:2603.01234v2 · 12 min",
        "E900 An Episode From Elsewhere",
        "- something unreadable",
        "2603.01234",
        "12 min",
        "Weekly review · 5 episodes · Mar 16, 2026 · 18 min · new",
        "Week in Review: March 2–8, 2026",
        "A Heading From Nowhere",
        "A section from nowhere",
        "A short sentence without a mark.",
        "A sentence about E5 models, E2E runs and (E203, E204).",
        "E201 and E202 are compared with E301 here.",
        "← all reviews",
        "Review",
        "https://paperdive.ai/reviews/7",
        "| 1) **Table** | row |",
    ]
) | st.text(max_size=80)


@st.composite
def _damaged(draw: st.DrawFn) -> str:
    """Return the whole document after some lines were dropped, doubled, swapped or added.

    Mostly it claims no count of episodes, so that the damage has to be read.
    """
    claim = draw(st.sampled_from([" 4 episodes ·", "", ""]))
    lines = damage(draw, copy_of((" 4 episodes ·", claim)).split("\n"), _JUNK)
    kept = draw(st.sampled_from([len(lines), len(lines), draw(st.integers(1, len(lines)))]))
    return "\n".join(lines[:kept])


@given(st.text() | _damaged())
def test_nothing_but_a_document_error_is_raised_and_no_line_is_lost(text: str) -> None:
    """Whatever the text, parsing refuses it in words or accounts for every line of it."""
    FORMAT.recognise(text)
    with suppress(DocumentError):
        assert unaccounted(text, parse(text)) == []


@given(editions())
def test_a_printed_edition_is_read_as_it_was(edition: EditionDraft) -> None:
    """A copy gives back the edition that it was printed from, and is recognised."""
    text = print_review(edition)
    assert FORMAT.recognise(text)
    parsed = parse(text)
    assert without_lines(parsed.editions[0]) == edition
    assert unaccounted(text, parsed) == []


def test_no_line_of_the_real_review_is_lost() -> None:
    """Every line of the real copy is kept or noted."""
    text = shared_file(_SEED).read_text(encoding="utf-8")
    assert unaccounted(text, parse(text)) == []


def test_a_lost_line_would_be_noticed() -> None:
    """The check of lost lines fails where any part of the edition is missing."""
    text = copy_of()
    parsed = parse(text)
    (edition,) = parsed.editions
    for poorer in (
        replace(edition, overview=None),
        replace(edition, headings=edition.headings[1:]),
        replace(edition, entries=edition.entries[1:]),
    ):
        assert unaccounted(text, replace(parsed, editions=(poorer,)))
