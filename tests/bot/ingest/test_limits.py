"""What is kept of a document that is longer than anybody's."""

from dataclasses import replace
from datetime import date

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
    noted = replace(_document(_FITTING), warnings=(Note(7, "a"),) * (limits.MOST_NOTES + 5))
    warnings = within_limits(noted).warnings
    assert len(warnings) == limits.MOST_NOTES + 1
    assert warnings[-1] == Note(7, "and 5 remarks more")


def test_a_document_of_too_many_lines_is_refused() -> None:
    """They are counted before anything is done with them."""
    with pytest.raises(DocumentError) as refused:
        read("a.md", b"a\n" * (limits.MOST_LINES + 1))
    assert str(refused.value) == (
        "a.md has 500,001 lines, more than the 500,000 that are read."
        " Split it into several documents."
    )
