"""The years of weeks that print none, told by the document as a whole."""

from collections.abc import Sequence
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.drafts import ParsedDocument, ParseOptions, RawDocument, YearRule
from bot.ingest.formats.archive import FORMAT
from tests.bot.ingest.formats.archive.documents import TODAY, row, warned, week

_DOCUMENT = YearRule.DOCUMENT


def _parsed(
    *days: str, title: str = "Kites", path: str = "kites.md", year: int | None = None
) -> ParsedDocument:
    """Parse a document of a title and of weeks with these ranges of days."""
    text = "\n".join([f"# {title}", "", *(week(f"({each})", [row(1), row(2)]) for each in days)])
    return FORMAT.parse(RawDocument(path, text), ParseOptions(TODAY, year))


def _days(document: ParsedDocument) -> list[str]:
    return [str(each.first_day) for each in document.editions]


def _rules(document: ParsedDocument) -> set[YearRule | None]:
    return {each.year_rule for each in document.editions}


def _ranges(mondays: Sequence[date]) -> list[str]:
    sundays = [monday + timedelta(days=6) for monday in mondays]
    return [f"{a:%B} {a.day} - {b:%B} {b.day}" for a, b in zip(mondays, sundays, strict=True)]


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("Top Kites of 2023", "kites.md"),
        ("Kites of the Week \u2014 2023", "years/2021.md"),
        ("Kites", "years/2023.md"),
        ("Kites", "kites-2023.markdown"),
        ("Kites", "https://here.example/2021/2023.md?at=2022#2020"),
        ("Kites of 2023", "kites-2026-07-01.md"),
    ],
)
def test_the_title_or_the_file_name_tells_the_year(title: str, path: str) -> None:
    """A week that prints no year is of the document's, though a weekday speaks for another."""
    document = _parsed("Jan 1-8", title=title, path=path)
    assert (_days(document), _rules(document)) == (["2023-01-01"], {_DOCUMENT})


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("Kites", "kites.md"),
        ("Kites of 2022 and 2023", "2023.md"),
        ("Kites", "2022-2023.md"),
        ("Kites", "saved-2023-05-06.md"),
        ("Kites, from 2303.2023 on", "a20231.md"),
    ],
)
def test_what_names_no_one_year_tells_none(title: str, path: str) -> None:
    """Two years, the day of a download or a number leave it to the weekday."""
    document = _parsed("Jan 1-8", title=title, path=path)
    assert (_days(document), _rules(document)) == (["2024-01-01"], {YearRule.WEEKDAY})


def test_a_printed_year_beats_the_documents() -> None:
    """The heading counts, and the weeks that run on from it go by it too."""
    document = _parsed(
        "January 1 - January 7) - (2024", "December 25 - December 31", title="Kites of 2020"
    )
    assert _days(document) == ["2024-01-01", "2023-12-25"]
    assert [each.year_rule for each in document.editions] == [YearRule.HEADING, _DOCUMENT]
    assert len(warned(document, "weeks around")) == 1


@pytest.mark.parametrize("newest_first", [True, False])
@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (("December 26 - January 1", "January 2 - January 8"), ["2022-12-26", "2023-01-02"]),
        (("December 18 - 24", "December 25 - January 1"), ["2023-12-18", "2023-12-25"]),
        (
            ("December 18 - 24", "December 25 - 31", "January 1 - 7"),
            ["2023-12-18", "2023-12-25", "2024-01-01"],
        ),
    ],
)
def test_the_first_and_the_last_week_may_be_of_a_neighbouring_year(
    days: tuple[str, ...], expected: list[str], *, newest_first: bool
) -> None:
    """Of a document of 2023 most weeks are of 2023; the order goes on over the turn of the year."""
    step = -1 if newest_first else 1
    document = _parsed(*days[::step], title="Kites of 2023")
    assert (_days(document), _rules(document)) == (expected[::step], {_DOCUMENT})


@pytest.mark.parametrize(
    ("year", "first"), [("2024", "2024-12-30"), ("2025", "2024-12-30"), ("2023", "2023-12-30")]
)
def test_a_week_over_the_turn_of_the_year_alone_starts_on_a_monday(year: str, first: str) -> None:
    """It is of a document of either year; where neither has it on a Monday it starts in it."""
    assert _days(_parsed("December 30 - January 5", title=f"Kites of {year}")) == [first]


def test_weeks_that_run_on_settle_a_year_before_a_weekday_does() -> None:
    """Most weeks of a year say by their weekdays which it is, and the odd one is of it too."""
    document = _parsed("January 16 - 22", "Jan 9-15", "Jan 1-8", "December 26 - 31")
    assert _days(document) == ["2023-01-16", "2023-01-09", "2023-01-01", "2022-12-26"]
    assert _rules(document) == {YearRule.WEEKDAY}


def test_a_pause_of_months_leaves_the_year_open() -> None:
    """Behind it another year may begin: each part goes by its own weekdays."""
    document = _parsed("June 16 - 22", "June 9 - 15", "March 4 - 10", "Feb 26 - March 3")
    assert _days(document) == ["2025-06-16", "2025-06-09", "2024-03-04", "2024-02-26"]


def test_the_operators_year_is_that_of_most_weeks() -> None:
    """`--year` beats headings and title; what crosses into the next year still does."""
    days = ("December 25 - January 1", "December 18 - December 24) - (2021", "Dec 11-17")
    document = _parsed(*days, title="Kites of 2022", year=2023)
    assert _days(document) == ["2023-12-25", "2023-12-18", "2023-12-11"]
    assert _rules(document) == {YearRule.OPTION}


def test_the_operators_year_is_the_one_in_which_a_single_week_ends() -> None:
    """Of a week over the turn of the year, whatever its weekday."""
    for year, first in ((2025, "2024-12-30"), (2024, "2023-12-30")):
        assert _days(_parsed("December 30 - January 5", year=year)) == [first]


@given(st.integers(0, 130), st.integers(2, 60), st.sampled_from([-3, -2, -1, 1, 2, 4]), st.data())
def test_weeks_that_run_on_are_all_found_again(
    start: int, count: int, step: int, data: st.DataObject
) -> None:
    """Whatever years they pass, one printed year among them tells those of all the others."""
    mondays = [date(2019, 1, 7) + timedelta(weeks=start + step * n) for n in range(count)]
    ranges = _ranges(mondays)
    told = data.draw(st.integers(0, count - 1))
    ranges[told] += f", {(mondays[told] + timedelta(days=6)).year}"
    assert _days(_parsed(*ranges)) == [str(each) for each in mondays]
