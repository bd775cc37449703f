"""An archive of several files: an index that leads to one a year."""

import pytest

from bot.domain.drafts import DocumentKind, ParseOptions, RawDocument
from bot.ingest.documents import parse as parse_any
from tests.bot.ingest.formats.archive.documents import TODAY, parse, week

INDEX = """\
# Kite Papers of the Week

Here is the weekly series:

## 2026
- [Top Kite Papers of the Week (January 5 - January 11)](years/2026.md#january-5---january-11)
- [Top Kite Papers of the Week (December 29 - January 4)](years/2026.md#december-29---january-4)

## 2025
- [Top Kite Papers of the Week (December 22 - December 28)](years/2025.md#december-22)
"""


def test_an_index_without_weeks_names_its_files() -> None:
    """Each once, in its order; it is no archive that lost its weeks, and nothing is warned of."""
    parsed = parse(INDEX)
    assert parsed.files == ("years/2026.md", "years/2025.md")
    assert (parsed.editions, parsed.warnings) == ((), ())


def test_an_index_is_recognised_as_an_archive() -> None:
    """By lines with a range of days that lead to Markdown files, and by nothing less."""
    document = RawDocument("README.md", INDEX)
    assert parse_any(document, ParseOptions(TODAY)).kind is DocumentKind.ARCHIVE
    with pytest.raises(Exception, match="no round-up"):
        parse_any(RawDocument("README.md", INDEX.replace(".md#", ".html#")), ParseOptions(TODAY))


def test_weeks_stand_beside_the_files_that_the_index_names() -> None:
    """A week in this document is taken in, and those in others are not missed."""
    text = f"{INDEX}- [Kites (December 15 - December 21)](#here)\n\n" + week(
        "(December 15 - December 21) - 2025"
    )
    parsed = parse(text)
    assert parsed.files == ("years/2026.md", "years/2025.md")
    assert [str(each.first_day) for each in parsed.editions] == ["2025-12-15"]
    assert parsed.warnings == ()


def test_a_file_of_a_year_is_an_archive_by_itself() -> None:
    """The link back to the index above its weeks leads to no further file."""
    text = (
        "# Kite Papers of the Week \u2014 2026\n\n[\u2190 Back to main index](../README.md)\n\n"
        "This page has every week of 2026.\n\n---\n\n" + week("(January 5 - January 11) - 2026")
    )
    parsed = parse(text)
    assert [str(each.first_day) for each in parsed.editions] == ["2026-01-05"]
    assert (parsed.files, parsed.warnings) == ((), ())
