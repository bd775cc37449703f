"""An archive as a whole: the real one, recognition, source, the lines around the weeks."""

from collections import Counter

import pytest

from bot.domain.drafts import DocumentKind, YearRule
from bot.errors import DocumentError
from bot.ingest.formats.archive import FORMAT
from tests.bot.ingest.formats.archive.documents import (
    NAME,
    archive,
    index_of,
    line_of,
    parse,
    row,
    warned,
    week,
)
from tests.shared_data import shared_file

_JUNE = "(June 2 - June 8) - 2025"
_SOUND = [row(rank) for rank in range(1, 11)]


def test_the_real_archive_is_read_whole() -> None:
    """The real archive gives 65 weeks of 10 papers, every bullet, every link and one remark."""
    document = parse(shared_file("archive-README.md").read_text("utf-8"))
    entries = [entry for edition in document.editions for entry in edition.entries]
    assert (document.slug, document.source_title) == ("dair", "ML Papers of The Week")
    assert len(document.editions) == 65
    assert {tuple(entry.rank for entry in edition.entries) for edition in document.editions} == {
        tuple(range(1, 11))
    }
    assert sum(len(entry.highlights) for entry in entries) == 408
    assert sum(len(entry.links) for entry in entries) == 1314
    assert Counter(edition.last_day.year for edition in document.editions) == {
        2023: 26,
        2024: 26,
        2025: 13,
    }
    assert Counter(edition.year_rule for edition in document.editions) == {
        YearRule.HEADING: 39,
        YearRule.INDEX: 26,
    }
    assert [note.line for note in document.warnings] == [58]


def test_no_title_of_the_real_archive_holds_its_summary() -> None:
    """No real title is longer than a title, and the rows without a printed sign are cut well."""
    document = parse(shared_file("archive-README.md").read_text("utf-8"))
    titles = {entry.line: entry.title for each in document.editions for entry in each.entries}
    assert max(map(len, titles.values())) < 150
    assert titles[122] == "An Operating System for Memory-Augmented Generation in LLMs"
    assert titles[123] == "Building Production-Grade Conversational Agents with Workflow Graphs"
    assert titles[295] == "The Byte Latent Transformer (BLT)"


@pytest.mark.parametrize(
    "text",
    [
        archive(week(_JUNE)),
        week("(Jan 9-15)", signs="#"),
        week("(May 29-June 4)", signs="####").replace("ML", "AI"),
        "## Kites (Jan 9 - 15)\n| 1. Kite | [Paper](https://kite.org) |",
    ],
)
def test_an_archive_is_recognised(text: str) -> None:
    """A heading of any level with a range of days over ranked table rows is an archive."""
    assert FORMAT.kind is DocumentKind.ARCHIVE
    assert FORMAT.recognise(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Top Kites\nThe Top Kites of the Week (January 5-11)\n1. Kite\nIt flies.",
        "AI Papers Week in Review: June 22-28, 2026\n\nKites fly E101.",
        "## Kites\n| 1) **Kite** - it flies. | [Paper](https://kite.org) |",
        "## Kites (Jan 9 - 15)\n\n## Others\n| 1) **Kite** - flies. | [Paper](https://a.org) |",
    ],
)
def test_other_documents_are_not_recognised(text: str) -> None:
    """Numbered lines without a table, and tables without a week over them, are no archive."""
    assert not FORMAT.recognise(text)


@pytest.mark.parametrize(
    ("text", "slug", "title"),
    [
        (archive(week(_JUNE)), "dair", "Kite Papers"),
        (week(_JUNE).replace("ML", "AI"), "dair", "Top AI Papers of the Week"),
        (archive(week(_JUNE).replace(NAME, "Kites")), "kite-papers", "Kite Papers"),
        (week(_JUNE).replace(NAME, "Kites & Co:"), "kites-co", "Kites & Co"),
        (week("").replace(NAME, "June 2 - June 8, 2025"), "archive", "Archive"),
    ],
)
def test_the_source_is_named_by_the_headings_or_the_title(text: str, slug: str, title: str) -> None:
    """The headings of a known source name it; else the document's title, else the headings."""
    document = parse(text)
    assert (document.slug, document.source_title) == (slug, title)


def test_lines_that_hold_no_fact_are_passed_over() -> None:
    """Prose before and behind the weeks, the index, heads and rules are named, not warned of."""
    text = archive(week(_JUNE), index=index_of(2025, "(June 2 - June 8)"))
    document = parse(text)
    rows = {entry.line for entry in document.editions[0].entries}
    lines = {number for number, line in enumerate(text.split("\n"), 1) if line.strip()}
    assert document.warnings == ()
    assert {note.line for note in document.passed_over} == lines - rows - {
        document.editions[0].line
    }


def test_text_inside_a_week_and_between_weeks_is_reported() -> None:
    """A line that is no row of its week's table is a warning, also behind the rule of a week."""
    text = archive(week(_JUNE, ["Read this.", *_SOUND]), "---", "And this.", week("(Jan 9-15)"))
    document = parse(text)
    assert warned(document, "text") == [line_of(text, "Read this."), line_of(text, "And this.")]


def test_a_row_before_any_week_is_reported() -> None:
    """A ranked row that stands under no heading is not kept."""
    text = archive(row(1, "**Lost Kite** - flies."), week(_JUNE))
    document = parse(text)
    assert warned(document, "outside any week") == [line_of(text, "Lost Kite")]


def test_a_document_without_a_week_is_refused() -> None:
    """Without a week that has rows and days there is nothing to keep, and that is said."""
    index = "# Kites\n\n- [January 5 - January 11](#gone)\n"
    for text in ("", "Kites.", index, f"## {NAME} {_JUNE}", week("(May 20-14)")):
        with pytest.raises(DocumentError, match="no week with a table"):
            parse(text)


def test_a_row_that_breaks_off_refuses_the_document() -> None:
    """A last line that is a row without its end and without a line break is a cut."""
    text = archive(week(_JUNE), week("(Jan 9-15)"))
    end = text.rindex("Kites of Kind 7")
    with pytest.raises(DocumentError, match=f"breaks off in line {text[:end].count(chr(10)) + 1},"):
        parse(text[:end])


@pytest.mark.parametrize(
    ("rows", "missing", "refused"), [(10, 2, False), (10, 3, True), (9, 1, True), (9, 0, False)]
)
def test_weeks_missing_at_the_end_of_the_index_refuse_the_document(
    rows: int, missing: int, *, refused: bool
) -> None:
    """Three weeks missing at the end, or one behind a week that is not whole, are a cut."""
    days = ["(May 26 - June 1)", "(May 19 - May 25)", "(May 12 - May 18)"][:missing]
    index = index_of(2025, "(June 2 - June 8)", *days)
    text = archive(week(_JUNE, _SOUND[:rows]), index=index)
    if refused:
        with pytest.raises(DocumentError, match="breaks off in line"):
            parse(text)
    else:
        assert len(warned(parse(text), "does not have")) == missing


def test_an_index_that_leads_to_other_files_misses_nothing() -> None:
    """Weeks that the index has in other files are no sign of a cut."""
    index = [
        line.replace("./#", "./2024.md#")
        for line in index_of(2024, *("(Jan 1-7)", "(Jan 8-14)", "(Jan 15-21)"))
    ]
    assert len(parse(archive(week(_JUNE), index=index)).editions) == 1
