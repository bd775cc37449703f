"""What is kept of a document that is longer than anybody's."""

from dataclasses import replace
from datetime import date
from itertools import islice, product
from string import ascii_lowercase

import pytest

from bot.domain.drafts import DocumentKind, Note, ParsedDocument, ParseOptions, RawDocument
from bot.errors import DocumentError
from bot.ingest import limits
from bot.ingest.documents import parse, read
from bot.ingest.limits import within_limits
from store.records import Heading
from tests.bot.ingest.drafts import edition, entry

_LONG = "word " * 10_000
_FITTING = edition(
    entry(1, "A Title", "A summary.", highlights=["b"], links=["https://a.example/"])
)


def _document(*editions: object) -> ParsedDocument:
    return ParsedDocument(DocumentKind.NEWSLETTER, "a", "A", tuple(editions))  # type: ignore[arg-type] # drafts


def test_what_fits_stays() -> None:
    """A document as they are is kept as it is, and nothing is said."""
    assert within_limits(_document(_FITTING)) == _document(_FITTING)


def test_what_is_too_long_is_cut_and_named() -> None:
    """Every text and list has its bound, and each entry that is cut is named with its line."""
    long = replace(
        edition(
            entry(
                1,
                _LONG,
                _LONG,
                highlights=[_LONG] * 60,
                links=["https://a.example/" + "b" * 3000, *["https://a.example/"] * 60],
                section=_LONG,
                heading=_LONG,
            ),
            entry(2, "A Title", highlights=["b"] * 31),
        ),
        overview=_LONG,
        title=_LONG,
        url="https://a.example/" + "b" * 3000,
        headings=(Heading(_LONG, _LONG),) * 300,
    )
    kept = within_limits(_document(long))
    (cut,) = kept.editions
    first, second = cut.entries
    assert cut.url is None
    assert first.heading == cut.headings[0].title
    texts = [cut.title, first.title, first.heading or "", first.section or ""]
    assert max(map(len, texts)) <= limits.LONGEST_TITLE
    assert max(len(first.summary or ""), len(cut.overview or "")) <= limits.LONGEST_TEXT
    assert max(len(each.text) for each in first.highlights) <= limits.LONGEST_HIGHLIGHT
    assert 0 < sum(len(each.text) for each in first.highlights) <= limits.LONGEST_TEXT
    assert len(second.highlights) == limits.MOST_HIGHLIGHTS
    assert len(first.links) == limits.MOST_LINKS - 1
    assert [note.line for note in kept.warnings] == [long.line, first.line, second.line]


def test_entries_beyond_the_most_are_left_out() -> None:
    """The first entries are kept, and it is said how many are not."""
    entries = [entry(rank, f"Title {rank}") for rank in range(1, limits.MOST_ENTRIES + 3)]
    kept = within_limits(_document(edition(*entries)))
    assert len(kept.editions[0].entries) == limits.MOST_ENTRIES
    assert kept.warnings == (Note(1, "has more than 3,000 entries; 2 entries are left out"),)


def test_documents_are_kept_within_bounds() -> None:
    """What a parser makes of a document is cut before anything else sees it."""
    text = f"Top Papers (January 5 - January 11)\n\n1. A Title\n\n{_LONG}.\n"
    parsed = parse(RawDocument("a.txt", text), ParseOptions(date(2026, 11, 21)))
    assert len(parsed.editions[0].entries[0].summary or "") <= limits.LONGEST_TEXT
    assert "an entry is too long, and is cut" in [note.text for note in parsed.warnings]


def test_a_remark_is_no_longer_than_a_title() -> None:
    """Remarks quote the document, and are cut as its titles are."""
    noted = replace(_document(_FITTING), warnings=(Note(1, _LONG),), passed_over=(Note(1, _LONG),))
    kept = within_limits(noted)
    assert max(len(each.text) for each in (*kept.warnings, *kept.passed_over)) <= 500


def test_letters_beyond_those_of_an_edition_are_left_out() -> None:
    """Entries are kept up to a length together, and it is said how many are not."""
    each = "a" * 9_990
    most = limits.LONGEST_EDITION // 10_000
    entries = [entry(rank, "Title", each) for rank in range(1, most + 3)]
    kept = within_limits(_document(edition(*entries)))
    assert 0 < len(kept.editions[0].entries) <= most
    left = len(entries) - len(kept.editions[0].entries)
    assert kept.warnings == (
        Note(1, f"has more than 4,000,000 letters; {left} entries are left out"),
    )


def test_two_thousand_entries_with_abstracts_are_kept() -> None:
    """A field's edition, each of whose entries has an abstract, is within every limit."""
    entries = [entry(rank, f"Title {rank}", "a" * 1_900) for rank in range(1, 2_001)]
    assert within_limits(_document(edition(*entries))) == _document(edition(*entries))


def test_remarks_beyond_the_most_are_counted() -> None:
    """A document of nothing but slips makes no report that is longer than it."""
    kinds = islice(map("".join, product(ascii_lowercase, repeat=3)), limits.MOST_NOTES + 5)
    noted = replace(_document(_FITTING), warnings=tuple(Note(7, kind) for kind in kinds))
    warnings = within_limits(noted).warnings
    assert len(warnings) == limits.MOST_NOTES + 1
    assert warnings[-1] == Note(7, "and 5 remarks more")


def test_remarks_of_a_kind_are_one() -> None:
    """Numbers, quotations and the name of what is meant make no other kind of a remark."""
    lines = range(1, 5_001)
    names = islice(map("".join, product(ascii_lowercase, repeat=3)), 5_000)
    notes = [
        *(Note(line, f"the row of line {line} has {line} cells") for line in lines),
        *(Note(line, f'has no title, left out: "{line} naps"') for line in lines),
        *(Note(line, f"element {line}: its day is {line}; left out") for line in lines),
        *(Note(line, f"{name}: no week is named") for line, name in enumerate(names, start=1)),
        Note(3, "a week without rows"),
    ]
    noted = replace(_document(_FITTING), warnings=tuple(notes))
    more = "; 4,999 more like it: lines 2, 3, 4, \u2026"
    assert set(within_limits(noted).warnings) == {
        Note(1, f"the row of line 1 has 1 cells{more}"),
        Note(1, f"has no title, left out{more}"),
        Note(1, f"element 1: its day is 1; left out{more}"),
        Note(1, f"no week is named{more}"),
        Note(3, "a week without rows"),
    }


_MANY = 300
_WEEK = "Top AI Papers of the Week (January 5 - January 11)"


@pytest.mark.parametrize(
    "text",
    [
        "## 2026-W02\n" + "- ???\n" * _MANY + "- Sleepy\n",
        "Title,Week\nSleepy,2026-W02\n" + ",2026-W02\n" * _MANY,
        "| Model | URL |\n|---|---|\n| a | b |\n\n" * _MANY + "## 2026-W02\n- Sleepy\n",
        '[{"title": "Sleepy", "week": "2026-W02"}' + ', {"title": ""}, 7' * _MANY + "]",
        f"{_WEEK}\n\n1. Sleepy\n\nSo.\n\n" + "".join(f"It {i}\n\n" for i in range(_MANY)) + "So.",
        f"# A\n\n## {_WEEK} - 2026\n| a | b |\n|--|--|\n| 1) **A** - b. | [c](https://a.b) |\n"
        + "".join(f"| **A{i}** - b. | c |\n" for i in range(_MANY)),
    ],
)
def test_a_document_of_bad_rows_has_few_warnings(text: str) -> None:
    """One warning a kind says how many there are and names the first lines."""
    parsed = parse(RawDocument("a.md", text), ParseOptions(date(2026, 11, 21)))
    assert sum(len(each.entries) for each in parsed.editions) == 1
    assert 1 <= len(parsed.warnings) <= 6
    assert any("more like it: lines" in note.text for note in parsed.warnings)


def test_a_document_of_too_many_lines_is_refused() -> None:
    """They are counted before anything is done with them."""
    with pytest.raises(DocumentError) as refused:
        read("a.md", b"a\n" * (limits.MOST_LINES + 1))
    assert str(refused.value) == (
        "a.md has 500,001 lines, more than the 500,000 that are read."
        " Split it into several documents."
    )
