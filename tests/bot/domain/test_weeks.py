"""Weeks and periods as people name them."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.dates.written_date import Period
from bot.domain.weeks import Week, name_of, parse_period, parse_week, parse_whole_period

TODAY = date(2026, 11, 21)  # a Saturday, in week 47
MARCH = date(2026, 3, 15)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("2026-01-07", "2026-W02"),
        ("2026/1/7", "2026-W02"),
        ("2026-W02", "2026-W02"),
        ("2026w2", "2026-W02"),
        ("2026-w02", "2026-W02"),
        ("W02", "2026-W02"),
        ("week 2", "2026-W02"),
        ("week 50", "2025-W50"),  # this year's is to come
        ("week 2 of 2025", "2025-W02"),
        ("the week of jan 5", "2026-W02"),
        ("week of 2026-01-07", "2026-W02"),
        ("jan 5", "2026-W02"),
        ("January 5th", "2026-W02"),
        ("5 jan", "2026-W02"),
        ("nov 30", "2025-W48"),  # this year's is to come
        ("Jan 5, 2024", "2024-W01"),
        ("5 January 2024", "2024-W01"),
        ("feb 29", "2024-W09"),  # the last leap year's
        ("jan 5-11", "2026-W02"),
        ("Dec 29 - Jan 4, 2026", "2026-W01"),
        ("dec 29 - jan 4", "2026-W01"),
        ("this week", "2026-W47"),
        ("  Last   WEEK ", "2026-W46"),
        ("next week", "2026-W48"),
        ("3 weeks ago", "2026-W44"),
        ("a week ago", "2026-W46"),
        ("two weeks ago", "2026-W45"),
        ("today", "2026-W47"),
        ("2020-W53", "2020-W53"),
        ("2025-12-29", "2026-W01"),  # the ISO year is not the day's
    ],
)
def test_a_week_has_many_names(text: str, name: str) -> None:
    """Every notation gives the week that holds the day; a day without year is a past one."""
    week = parse_week(text, TODAY)
    assert week is not None
    assert week.name == name


@pytest.mark.parametrize(
    "text",
    ["", "soon", "2021-W53", "2026-W00", "feb 30", "2026-13-01", "9999999 weeks ago",
     "9999-12-31", "no weeks ago", "week 60", "5", "12345-W01"],
)  # fmt: skip
def test_what_names_no_week_is_told_apart(text: str) -> None:
    """Days that no calendar has, weeks that no year has and other words are no week."""
    assert parse_week(text, TODAY) is None


@given(st.dates(date(1900, 1, 1), date(2200, 1, 1)))
def test_a_day_lies_in_its_week(day: date) -> None:
    """A week starts on a Monday, ends on a Sunday, holds its day, and its name leads back."""
    week = Week.of(day)
    assert (week.first_day.weekday(), week.last_day.weekday()) == (0, 6)
    assert week.first_day <= day <= week.last_day
    assert Week.named(week.name) == week
    assert parse_week(day.isoformat(), TODAY) == parse_week(week.name, TODAY) == week


@given(st.dates(date(1980, 1, 1), date(2100, 1, 1)))
def test_a_day_without_year_is_the_latest_past_one(today: date) -> None:
    """What "jan 5" names lies at most a year back and never ahead of its week."""
    week = parse_week("jan 5", today)
    assert week is not None
    assert week.first_day <= today
    assert today - week.last_day <= timedelta(days=366)


@pytest.mark.parametrize(
    ("text", "first_day", "last_day"),
    [
        ("2025", date(2025, 1, 1), date(2025, 12, 31)),
        ("2025-Q4", date(2025, 10, 1), date(2025, 12, 31)),
        ("2024q1", date(2024, 1, 1), date(2024, 3, 31)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2025-3", date(2025, 3, 1), date(2025, 3, 31)),
        ("2025-03-17", date(2025, 3, 17), date(2025, 3, 17)),
        ("2026-W02", date(2026, 1, 5), date(2026, 1, 11)),
        ("last week", date(2026, 3, 2), date(2026, 3, 8)),
        ("jan 5", date(2026, 1, 5), date(2026, 1, 11)),
        ("today", MARCH, MARCH),
        ("yesterday", date(2026, 3, 14), date(2026, 3, 14)),
        ("month", date(2026, 3, 1), MARCH),
        ("last month", date(2026, 2, 1), date(2026, 2, 28)),
        ("this year", date(2026, 1, 1), MARCH),
        ("Last Year", date(2025, 1, 1), date(2025, 12, 31)),
        ("jan", date(2026, 1, 1), date(2026, 1, 31)),
        ("march", date(2026, 3, 1), date(2026, 3, 31)),
        ("April", date(2025, 4, 1), date(2025, 4, 30)),  # this year's is to come
        ("january 2025", date(2025, 1, 1), date(2025, 1, 31)),
        ("in Sept. 2024", date(2024, 9, 1), date(2024, 9, 30)),
        ("q4", date(2025, 10, 1), date(2025, 12, 31)),
        ("q1 2024", date(2024, 1, 1), date(2024, 3, 31)),
        ("last quarter", date(2025, 10, 1), date(2025, 12, 31)),
        ("the last 3 months", date(2025, 12, 15), MARCH),
        ("past two weeks", date(2026, 3, 1), MARCH),
        ("last 2 years", date(2024, 3, 15), MARCH),
        ("past month", date(2026, 2, 15), MARCH),
        ("week of jan 5", date(2026, 1, 5), date(2026, 1, 11)),
        ("2026-01-03..2026-01-09", date(2026, 1, 3), date(2026, 1, 9)),
        # The wrong way round: the shorter run is meant.
        ("between june and may", date(2025, 5, 1), date(2025, 6, 30)),
        ("june 8 to may 3", date(2025, 5, 3), date(2025, 6, 8)),
        ("q3 to q1", date(2026, 1, 1), date(2026, 9, 30)),
        ("2025 to 2023", date(2023, 1, 1), date(2025, 12, 31)),
        ("june 2025 to march 2025", date(2025, 3, 1), date(2025, 6, 30)),
        ("december to february", date(2025, 12, 1), date(2026, 2, 28)),
        ("june to may 2025", date(2024, 6, 1), date(2025, 5, 31)),
    ],
)
def test_a_period_has_many_names(text: str, first_day: date, last_day: date) -> None:
    """A year, a quarter, a month, a week and a day each give their first and last day."""
    assert parse_period(text, MARCH) == Period(first_day, last_day)


@pytest.mark.parametrize(
    "text",
    ["", "soon", "2025-13", "2025-Q5", "2026-02-30", "0000", "25", "last few months", "q5",
     "2026-01-09..2026-01-03", "last 0 weeks", "past zero days", "last 9 lists", "janvier"],
)  # fmt: skip
def test_what_names_no_period_is_told_apart(text: str) -> None:
    """Months and days that no calendar has and other words are no period."""
    assert parse_period(text, MARCH) is None


@given(st.text(), st.dates())
def test_any_text_is_read_or_refused(text: str, today: date) -> None:
    """No text raises on any day, and no period ends before it starts."""
    parse_week(text, today)
    period = parse_period(text, today)
    assert period is None or period.first_day <= period.last_day


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("month", "2026-03"),
        ("This Month", "2026-03"),
        ("year", "2026"),
        ("last month", "2026-02"),
        ("2025q4", "2025-Q4"),
        ("last week", "2026-W10"),
        ("today", "2026-03-15"),
    ],
)
def test_what_is_going_on_may_be_taken_whole(text: str, name: str) -> None:
    """Then it has a name by which it is read again on any day."""
    period = parse_whole_period(text, MARCH)
    assert period
    assert name_of(period) == name
    assert parse_whole_period(name, date(2031, 12, 24)) == period


def test_a_run_of_days_is_named_by_its_ends() -> None:
    """Ten days are neither a week nor a month."""
    ten_days = Period(date(2026, 3, 1), date(2026, 3, 10))
    assert name_of(ten_days) == "2026-03-01..2026-03-10"
    assert parse_period(name_of(ten_days), MARCH) == ten_days


@given(
    st.dates(date(1000, 1, 1), date(9000, 1, 1)),
    st.sampled_from(["%Y", "%Y-%m", "%Y-%m-%d", "%G-W%V"]),
)
def test_a_name_is_read_as_the_period_that_has_it(day: date, form: str) -> None:
    """A year, a month, a day and a week keep their names."""
    period = parse_whole_period(day.strftime(form), MARCH)
    assert period
    assert parse_whole_period(name_of(period), MARCH) == period
