"""What holds for every archive, whole or damaged."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.domain.drafts import ParsedDocument
from bot.ingest.formats.archive import FORMAT
from tests.bot.ingest.damage import damage, read_or_refused
from tests.bot.ingest.drafts import without_lines
from tests.bot.ingest.formats.archive.documents import (
    HEAD,
    archive,
    documents,
    parse,
    row,
    unaccounted,
    week,
)
from tests.bot.ingest.formats.archive.printer import print_archive
from tests.shared_data import shared_file

_ROWS = [
    row(1),
    row(2, "**Kite 2**- a kite with <br>\u25cf Lift \u2013 It lifts.  <br> \u25cf Rope: none"),
    row(3, "Kite Three  Introduces a third kite.   \u25cf It flies."),
    row(4, "*4Kite** -flies", "[Paper](https://kite.org/a_(b)) [Tweet)](https://x.com/k/4)_"),
    row(5, "Kite Five Proposes p(x|y) as lift", "[](kite.org/5), https://kite.org/5"),
]
_INDEX = [
    "## 2025",
    "- [Top ML Papers of the Week (June 9 - June 15)](./#june)",
    "## 2023",
    "- [Top ML Papers of the Week (Jan 9-15)](#jan)",
]
_WHOLE = archive(
    week("(June 9 - June 15) - 2025", _ROWS),
    week("(December 30 - January 5) - 2025", _ROWS),
    "---",
    week("(Jan 9-15)", _ROWS),
    index=_INDEX,
)
_JUNK = st.sampled_from(
    [
        *("", "---", "***", *HEAD, "| | |", "||||", "stray words", "- [Week (Jan 2-8)](#x)"),
        *("## 2024", "## About", "# Week", "**Week (Jan 2 - 8)**", "## Week (Feb 30 - Mar 5)"),
        *("## Top ML Papers of the Week (Jnauary 2-8)", "## Week (May 20-14)", "<br><br>\u25cf"),
        *("| 3) ** - | ** |", "| 3. Kite | [Paper](https://kite.org", "3) Kite | x |"),
        *("| Kite | [a](b) |", "| 0) K | |", "| 999) K <br><br> | |"),
    ]
) | st.text(max_size=60)


@st.composite
def _damaged(draw: st.DrawFn) -> str:
    """Return the whole archive after lines were dropped, doubled, swapped, cut or added."""
    return "\n".join(damage(draw, _WHOLE.split("\n"), _JUNK))


@given(_damaged() | st.text())
def test_nothing_but_a_document_error_is_raised_and_no_line_is_lost(text: str) -> None:
    """Whatever the text, parsing refuses it in words or accounts for every line of it."""
    FORMAT.recognise(text)
    document = read_or_refused(parse, text)
    assert document is None or unaccounted(text, document) == []


def test_a_lost_line_would_be_found() -> None:
    """The check for lost lines fails where a draft is taken away or a note is forgotten."""
    document = parse(_WHOLE)
    assert unaccounted(_WHOLE, document) == []
    first, *rest = document.editions
    poorer = replace(document, editions=(replace(first, entries=first.entries[1:]), *rest))
    assert [line for line, _ in unaccounted(_WHOLE, poorer)] == [first.entries[0].line]
    assert unaccounted(_WHOLE, replace(document, passed_over=()))


@given(st.integers(0, len(_WHOLE) - 1))
def test_a_cut_never_leaves_half_a_row(end: int) -> None:
    """Wherever a document is cut, but behind a bar, it is refused or its entries are whole."""
    assume(not _WHOLE[:end].rstrip().endswith("|"))
    whole = {entry for edition in parse(_WHOLE).editions for entry in edition.entries}
    document = read_or_refused(parse, _WHOLE[:end])
    kept = document.editions if document else ()
    assert {entry for edition in kept for entry in edition.entries} <= whole


@given(documents())
def test_a_printed_archive_reads_as_it_was(document: ParsedDocument) -> None:
    """Whatever an archive holds, printing and parsing it gives the same again."""
    again = parse(print_archive(document))
    assert again.slug == document.slug
    assert again.source_title == document.source_title
    assert tuple(map(without_lines, again.editions)) == document.editions


def test_no_line_of_the_real_archive_is_lost() -> None:
    """Every line of the real archive is in a draft or named."""
    text = shared_file("archive-README.md").read_text("utf-8")
    assert unaccounted(text, parse(text)) == []


@pytest.mark.parametrize(
    "part",
    [
        "<br>",
        "[",
        "[a](",
        "|",
        "\\",
        "*",
        "_",
        "`",
        "**x** - ",
        "\u25cf ",
        "&",
        "] (",
        "<br><br>x",
        "https://a ",
        "  ",
        "- ",
    ],
)
def test_a_very_long_broken_cell_is_read(part: str) -> None:
    """A cell of one sign over and over is read, since nothing is tried again and again."""
    cell = part * (50_000 // len(part))
    text = archive(
        week("(June 2 - June 8) - 2025", [row(1), f"| 2) {cell} |", f"| 3) K | {cell} |"])
    )
    assert parse(text).editions[0].entries[0].title == "Kites of Kind 1"
