"""Small lists that ask for much: they cost what they hold, or are refused by a bound."""

import logging
from collections.abc import Callable
from contextlib import suppress

import pytest

from bot.domain.drafts import Note
from bot.errors import DocumentError
from bot.ingest.limits import (
    LONGEST_LINE,
    MOST_COLUMNS,
    MOST_PARTS,
    MOST_REFERENCES,
)
from tests.bot.ingest.formats.own_list.reading import entries, papers, parse, titles
from tests.bot.ingest.work import bytes_taken, lines_run

_PER_LETTER = 2_000  # bytes; half of the tokens of a list are a letter or two


def _table(columns: int, rows: int) -> str:
    return f"| Paper {'|a' * (columns - 1)}|\n{'|-' * columns}|\n" + "A\n" * rows


_SHAPES: dict[str, Callable[[int], str]] = {
    "a wide table of short rows": lambda n: _table(n // 20, n // 2),
    "wide tables of short rows": lambda n: (_table(50, 50) + "\n") * (n // 310),
    "a wide head": lambda n: _table(MOST_COLUMNS, 1) + "A" + "|b" * (n // 2),
    "dashes in an item": lambda n: "- 1 " * (n // 4),
    "long dashes in an item": lambda n: "1. " + "\u2014 " * (n // 2),
    "bars in an item": lambda n: "1. 1 " + "| 1 " * (n // 4),
    "items in items": lambda n: ("- " * 9 + "a\n") * (n // 20),
    "items deep in items": lambda n: "- " * (n // 2) + "a",
    "quotes in quotes": lambda n: "> " * (n // 2) + "a",
    "quoted items": lambda n: ("> - " * 8 + "a\n") * (n // 34),
    "mixed items": lambda n: "* - + 1. " * (n // 9) + "a",
    "lines of a note": lambda n: "(1) A\n" + "b https://a.b/c\n" * (n // 16),
    "links of a note": lambda n: (
        "(1) A\n" + "".join(f"b https://a.b/{i:05} c\n" for i in range(n // 22))
    ),
    "items of an item": lambda n: (
        "1. A\n" + "".join(f"   - [b](https://a.b/{i:05})\n" for i in range(n // 31))
    ),
    "notes of an item": lambda n: "1. A\n" + "   - b\n" * (n // 7),
    "brackets": lambda n: "1. A " + "[" * n,
    "links without an end": lambda n: "1. A " + "[a](" * (n // 4),
    "pictures without an end": lambda n: "1. A " + "![" * (n // 2),
    "emphasis": lambda n: "1. A " + "*a_ " * (n // 4),
    "code": lambda n: "1. A " + "".join("`" * i + " " for i in range(int((2 * n) ** 0.5))),
    "references": lambda n: "".join(f"[a{i:05}]: b\n" for i in range(n // 12)) + "1. A\n",
    "references without an end": lambda n: "[a]: b '" + "c\n" * (n // 2) + "\n1. A\n",
    "comments": lambda n: "1. A " + "<!--" * (n // 4),
    "a head of CSV": lambda n: "Title" + ",a" * (n // 2) + "\nA\n",
    "cells of CSV": lambda n: "Title,Week\n" + "A" + ",b" * (n // 2) + "\n",
    "fields of BibTeX": lambda n: "@misc{a, title={A}" + ", f={a}" * (n // 7) + "}\n",
    "BibTeX that breaks off": lambda n: "@misc{a, title={A}}\n" + "@misc{\n" * (n // 7),
}


@pytest.mark.parametrize("shape", _SHAPES.values(), ids=_SHAPES.keys())
def test_a_list_costs_what_it_holds(shape: Callable[[int], str]) -> None:
    """Twice as much is twice the work at most, and a letter takes no more than some tokens."""

    def read(size: int) -> None:
        with suppress(DocumentError):
            parse(shape(size))

    read(100)  # what is loaded once
    once, twice = (lines_run(lambda size=size: read(size)) for size in (400, 800))  # type: ignore[misc] # mypy knows no types of defaults
    assert twice <= 2.2 * once + 250
    assert bytes_taken(lambda: read(5_000)) <= 5_000 * _PER_LETTER


def test_the_cells_that_rows_lack_are_not_made() -> None:
    """A table of 250 columns and 250 rows of a letter takes memory for 500 cells."""
    table = _table(250, 250)
    assert len(entries(parse(table))) == 250
    assert bytes_taken(lambda: parse(table)) < 4_000_000


def test_nothing_below_a_deep_list_is_lost() -> None:
    """What lies deeper than lists do is text, and whatever stands below it is read."""
    parsed = parse("- " * 40 + "Mamba\n\n## Others\n\n- LoRA\n")
    assert [(entry.title, entry.heading) for entry in entries(parsed)] == [("LoRA", "Others")]
    assert [note.line for note in parsed.warnings] == [1]


def test_a_table_of_too_many_columns_is_refused() -> None:
    """The sentence names the bound, and what to do."""
    expected = (
        f"The table in line 3 has 1,000 columns, more than {MOST_COLUMNS}."
        " Leave out those that say nothing of papers."
    )
    with pytest.raises(DocumentError) as markdown:
        parse(f"# Ours\n\n{_table(1000, 2)}")
    with pytest.raises(DocumentError) as sheet:
        parse("\n\nTitle" + ",a" * 999 + "\nA\n")
    assert (str(markdown.value), str(sheet.value)) == (expected, expected)


def test_a_document_of_too_many_parts_is_refused() -> None:
    """It is read up to the bound, which the sentence names."""
    with pytest.raises(
        DocumentError, match=f"more than {MOST_PARTS:,} parts by line 83,.*Split it"
    ):
        parse("- a\n" + "#\n" * (MOST_PARTS // 2))


def test_a_bibliography_of_too_many_references_is_refused() -> None:
    """They are counted before they are read."""
    with pytest.raises(DocumentError, match=f"more than {MOST_REFERENCES:,} references.*Split it"):
        parse("@misc{a, title={A}}\n" * (MOST_REFERENCES + 1))


def test_a_line_that_is_too_long_is_cut() -> None:
    """What stands behind it is read, and the line is named."""
    parsed = parse(f"- Mamba\n- LoRA - {'a ' * LONGEST_LINE}\n- BERT\n")
    assert titles(parsed) == ["Mamba", "LoRA", "BERT"]
    assert parsed.warnings[0] == Note(2, f"has more than {LONGEST_LINE:,} letters, and is cut")


def test_rows_of_a_long_paragraph_are_all_read() -> None:
    """A paragraph is read some lines at a time, and no row of it is cut in two."""
    rows = [f"({i}) Paper {i} - [its code](https://a.example/{i}) and more" for i in range(1, 999)]
    expected = [
        (f"Paper {i}", "its code and more", f"https://a.example/{i}") for i in range(1, 999)
    ]
    assert papers(parse("\n".join(rows))) == expected


def test_broken_latex_is_one_warning(caplog: pytest.LogCaptureFixture) -> None:
    """The libraries log nothing, whatever breaks off, and the report counts it."""
    caplog.set_level(logging.DEBUG)
    titles = ["A \\frac", "A \\sqrt[", "A \\textbf", "$\\frac", "\\end{a} A", "A"]
    references = [f"@misc{{a{i}, title={{{title}}}}}" for i, title in enumerate(titles)]
    parsed = parse("\n".join(references))
    assert caplog.records == []
    assert parsed.warnings == (
        Note(1, "5 references have LaTeX that breaks off, read as far as it goes"),
    )


def test_reading_markdown_logs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """Whatever level the operator asked for, the library does not tell of each line."""
    caplog.set_level(logging.DEBUG)
    parse("- A\n> b\n\n| Paper | b |\n|-|-|\n| A | b |\n")
    assert caplog.records == []
