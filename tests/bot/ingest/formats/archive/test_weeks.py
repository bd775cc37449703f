"""Which days the headings and the index of an archive give to its weeks."""

from datetime import date

import pytest

from bot.domain.drafts import DocumentKind, YearRule
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

_JUNE = "(June 2 - June 8) - 2025"
_SOUND = [row(rank) for rank in range(1, 11)]


@pytest.mark.parametrize(
    ("days", "first", "last", "rule"),
    [
        (_JUNE, date(2025, 6, 2), date(2025, 6, 8), YearRule.HEADING),
        (
            "(December 30 - January 5) - 2025",
            date(2024, 12, 30),
            date(2025, 1, 5),
            YearRule.HEADING,
        ),
        ("(May 29-June 4, 2023)", date(2023, 5, 29), date(2023, 6, 4), YearRule.HEADING),
        ("of 2024 (March 18 - March 25)", date(2024, 3, 18), date(2024, 3, 25), YearRule.HEADING),
        ("(Feb 6 - 12)", date(2023, 2, 6), date(2023, 2, 12), YearRule.WEEKDAY),
    ],
)
def test_a_heading_gives_its_days(days: str, first: date, last: date, rule: YearRule) -> None:
    """A stated year is that of the last day; without any, the weekday tells."""
    (edition,) = parse(archive(week(days))).editions
    assert (edition.first_day, edition.last_day, edition.year_rule) == (first, last, rule)


def test_a_title_has_neither_signs_nor_year() -> None:
    """An edition is titled by its heading without marks and without the year behind it."""
    (edition,) = parse(archive(week(_JUNE, signs="###"))).editions
    assert edition.title == "Top ML Papers of the Week (June 2 - June 8)"
    assert edition.kind is DocumentKind.ARCHIVE


def test_the_operators_year_is_above_all() -> None:
    """A year given by the operator beats the heading's."""
    (edition,) = parse(archive(week(_JUNE)), year=2024).editions
    assert (edition.first_day, edition.year_rule) == (date(2024, 6, 2), YearRule.OPTION)


def test_the_index_tells_the_year_by_its_text() -> None:
    """A heading without a year has that of the index section whose text names its days."""
    index = [*index_of(2024, "(January 8 - January 14)"), *index_of(2023, "(Jan 1-8)")]
    document = parse(archive(week("(January 8 - January 14)"), week("(Jan 1-8)"), index=index))
    days = [(edition.first_day, edition.year_rule) for edition in document.editions]
    assert days == [(date(2024, 1, 8), YearRule.INDEX), (date(2023, 1, 1), YearRule.INDEX)]
    assert document.warnings == ()


def test_an_index_line_of_other_days_is_reported_and_still_tells_the_year() -> None:
    """A line that shares one day with a heading gives it its year; the heading's days count."""
    text = archive(week("(December 18 - December 24)"), index=index_of(2021, "(December 17-24)"))
    document = parse(text)
    assert document.editions[0].first_day == date(2021, 12, 18)
    assert warned(document, "other days") == [line_of(text, "(December 17-24)")]


def test_an_index_line_of_another_year_is_reported() -> None:
    """Where index and heading name different years, the heading counts."""
    text = archive(week(_JUNE), index=index_of(2023, "(June 2 - June 8)"))
    document = parse(text)
    assert document.editions[0].first_day == date(2025, 6, 2)
    assert warned(document, "another year") == [line_of(text, "- [Top")]


def test_the_same_days_of_two_years_are_told_apart() -> None:
    """A heading that states its year leaves the other year of the index to the other heading."""
    index = [*index_of(2024, "(June 3 - June 9)"), *index_of(2019, "(June 3 - June 9)")]
    weeks = [week("(June 3 - June 9) - 2024"), week("(June 3 - June 9)")]
    document = parse(archive(*weeks, index=index))
    assert [edition.first_day.year for edition in document.editions] == [2024, 2019]
    assert document.warnings == ()


def test_the_weeks_around_tell_the_year() -> None:
    """A week that the index forgot has the year that the weeks before and after share."""
    index = index_of(2020, "(March 16 - March 22)", "(March 1 - March 7)")
    weeks = [week(f"(March {first} - March {first + 6})") for first in (16, 8, 1)]
    document = parse(archive(*weeks, index=index))
    assert [edition.first_day.year for edition in document.editions] == [2020, 2020, 2020]
    assert warned(document, "weeks around") == [document.editions[1].line]


def test_the_first_and_last_week_follow_the_order_of_days() -> None:
    """At an end of the document the order of days must go on, else the weekday tells."""
    index = index_of(2020, "(January 16 - January 22)", "(January 8 - January 14)")
    weeks = [week(f"(January {first} - January {first + 6})") for first in (16, 8, 1)]
    document = parse(archive(week("(January 6 - January 12)"), *weeks, index=index))
    assert [edition.first_day.year for edition in document.editions] == [2025, 2020, 2020, 2020]


def test_a_heading_of_a_year_over_an_index_tells_no_other_week() -> None:
    """Weeks that follow an index are not under its last year, however deep they stand."""
    index = ["# 2021", f"- {NAME} (June 1 - June 7)", ""]
    text = "\n".join([*index, week("(June 1 - June 7)"), week("(March 6 - March 12)")])
    days = [(edition.first_day.year, edition.year_rule) for edition in parse(text).editions]
    assert days == [(2021, YearRule.INDEX), (2023, YearRule.WEEKDAY)]


def test_a_heading_of_a_year_over_the_weeks_tells_their_year() -> None:
    """Weeks that stand under a higher heading of a year belong to that year."""
    text = "\n".join(["# 2021", week("(June 1 - June 7)"), "# 2020", week("(June 1 - June 7)")])
    days = [(edition.first_day.year, edition.year_rule) for edition in parse(text).editions]
    assert days == [(2021, YearRule.INDEX), (2020, YearRule.INDEX)]


@pytest.mark.parametrize("days", ["(Jnue 2 - Jnue 8)", "(May 20-14)", "(February 30 - March 5)"])
def test_rows_of_an_unknown_week_are_reported_and_not_kept(days: str) -> None:
    """A heading whose days can't be read or can't be real is named, and each of its rows."""
    text = archive(week(_JUNE), week(days, _SOUND[:3]))
    document = parse(text)
    start = line_of(text, days)
    assert len(document.editions) == 1
    assert {note.line for note in document.warnings} == {start, start + 3, start + 4, start + 5}


def test_a_week_of_months_is_reported() -> None:
    """A range longer than two weeks is kept, since its heading says so, and named."""
    document = parse(archive(week("(April 29 - June 5) - 2024")))
    assert warned(document, "longer than two weeks") == [document.editions[0].line]


def test_a_week_printed_twice_fills_its_gaps() -> None:
    """Of two headings of one first day the first is kept, with the ranks only the second has."""
    text = archive(week("(Jan 9-15)", _SOUND[:9]), week("(January 9 - January 15)", _SOUND[8:]))
    document = parse(text)
    (edition,) = document.editions
    assert [entry.rank for entry in edition.entries] == list(range(1, 11))
    assert edition.title.endswith("(Jan 9-15)")
    assert warned(document, "again") == [line_of(text, "(January 9 -")]
    assert warned(document, "has this rank") == [line_of(text, "(January 9 -") + 3]


def test_a_bold_line_with_days_is_a_heading() -> None:
    """A week headed by a bold line instead of a heading is a week of its own."""
    bold = week(_JUNE).replace(f"## {NAME} (June 2 - June 8)", f"**{NAME} (June 2 - June 8)**")
    document = parse(archive(week("(June 9 - June 15) - 2025"), bold))
    assert [edition.first_day.day for edition in document.editions] == [9, 2]
