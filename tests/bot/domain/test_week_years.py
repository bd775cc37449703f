"""The year of the runs of days in headings, printed or not."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.dates import find_days
from bot.domain.drafts import YearRule
from bot.domain.week_years import YearEvidence, resolve_week

TODAY = date(2026, 11, 21)


def _week(text: str, **evidence: object) -> tuple[str, str, str] | None:
    phrase = find_days(text)
    assert phrase
    week = resolve_week(phrase, YearEvidence(**{"today": TODAY, **evidence}))  # type: ignore[arg-type] # real fields
    if week is None:
        return None
    return week.first_day.isoformat(), week.last_day.isoformat(), week.year_rule.value


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("(Jan 9-15) 2023", "2023-01-09", "2023-01-15"),
        ("(Feb 6 - 12), 2023", "2023-02-06", "2023-02-12"),
        ("(May 29-June 4) - 2023", "2023-05-29", "2023-06-04"),
        ("Week in Review: June 22–28, 2026", "2026-06-22", "2026-06-28"),
        ("(December 30 - January 5) - 2025", "2024-12-30", "2025-01-05"),
        ("(Dec. 29, 2025 — Jan. 4, 2026)", "2025-12-29", "2026-01-04"),
        ("(Dec 29, 2025 – Jan 4)", "2025-12-29", "2026-01-04"),
        ("Sept 1st to 7th, 2025", "2025-09-01", "2025-09-07"),
        ("JANUARY 5 through JANUARY 11 2026", "2026-01-05", "2026-01-11"),
        ("(Feb 23-29, 2024)", "2024-02-23", "2024-02-29"),
    ],
)
def test_a_stated_year_is_the_last_days(text: str, first: str, last: str) -> None:
    """Many spellings, one meaning: the heading's year is that of the end."""
    assert _week(text) == (first, last, "heading")


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("(December 22-28)", "2025-12-22", "2025-12-28"),
        ("(January 5-11)", "2026-01-05", "2026-01-11"),
        ("(March 26 - March 31)", "2024-03-26", "2024-03-31"),  # no Monday, but a Sunday
        ("(December 29 - January 4)", "2025-12-29", "2026-01-04"),
        ("(Feb 23-29)", "2024-02-23", "2024-02-29"),  # the one year that has the day
    ],
)
def test_without_evidence_the_weekday_tells(text: str, first: str, last: str) -> None:
    """The latest past year in which it starts on a Monday, else ends on a Sunday."""
    assert _week(text) == (first, last, "weekday")


def test_better_evidence_beats_worse() -> None:
    """Operator over heading over index over publication over weekday."""
    evidence: dict[str, object] = {}
    steps: list[tuple[str, object, str]] = [
        ("published", date(2024, 1, 16), "2024-01-08"),
        ("index_year", 2023, "2023-01-08"),
        ("option", 2021, "2021-01-08"),
    ]
    for name, value, first_day in steps:
        evidence[name] = value
        week = _week("(January 8-14)", **evidence)
        assert week
        assert week[0] == first_day
    stated = _week("(January 8-14, 2022)", index_year=2023, published=date(2024, 1, 16))
    assert stated == ("2022-01-08", "2022-01-14", "heading")


def test_a_crossing_week_is_found_in_the_index_of_either_year() -> None:
    """Archives list the week of the turn of the year under the old year or the new."""
    for index_year in (2024, 2025):
        week = _week("(December 30 - January 5)", index_year=index_year)
        assert week == ("2024-12-30", "2025-01-05", "index")


@pytest.mark.parametrize("text", ["(May 20-14)", "(February 30 - March 5)", "(June 31-7)"])
def test_days_that_no_year_has_are_no_week(text: str) -> None:
    """What is not in order or not in the calendar is left unresolved, never guessed."""
    assert _week(text) is None


@given(
    st.dates(date(2020, 12, 1), TODAY).map(lambda day: day - timedelta(days=day.weekday())),
    st.sampled_from(["%B", "%b"]),
)
def test_a_week_of_the_last_years_is_found_by_its_weekday(monday: date, month: str) -> None:
    """Printed without year, any week from Monday to Sunday of five years back is found again."""
    sunday = monday + timedelta(days=6)
    text = f"({monday.strftime(month)} {monday.day} - {sunday.strftime(month)} {sunday.day})"
    phrase = find_days(text)
    assert phrase
    week = resolve_week(phrase, YearEvidence(today=TODAY))
    assert week
    assert (week.first_day.weekday(), week.year_rule) == (0, YearRule.WEEKDAY)
    assert week.first_day >= monday


@pytest.mark.parametrize(
    ("text", "evidence", "first_day"),
    [
        ("(December 14-20)", {"published": date(2026, 11, 20)}, "2025-12-14"),
        ("(January 5-11)", {"published": date(2026, 11, 20)}, "2026-01-05"),
        ("(November 23-29)", {"published": date(2026, 11, 20)}, "2026-11-23"),
        ("(November 28 - December 4)", {"published": date(2026, 11, 20)}, "2025-11-28"),
        ("(January 5-11)", {"published": date(2099, 1, 11)}, "2026-01-05"),
        ("(January 5-11)", {"published": date(1970, 1, 1)}, "2026-01-05"),
        ("(January 5-11)", {"index_year": 2062}, "2026-01-05"),
        ("(December 28 - January 3)", {"index_year": 2026}, "2025-12-28"),
        ("(Feb 23-29)", {"index_year": 2028}, "2024-02-23"),
        ("(Feb 23-29)", {"published": date(2026, 11, 20)}, "2024-02-23"),
    ],
)
def test_no_week_lies_ahead(text: str, evidence: dict[str, object], first_day: str) -> None:
    """A week that would begin over a week after its publication is of the latest year before."""
    week = _week(text, **evidence)
    assert week
    assert week[0] == first_day


def test_a_year_in_the_heading_is_taken_as_it_is() -> None:
    """What the heading or the operator says is not moved to another year."""
    stated = _week("(January 5-11, 2062)")
    assert stated == ("2062-01-05", "2062-01-11", "heading")
    assert _week("(January 5-11)", option=2062) == ("2062-01-05", "2062-01-11", "option")
