"""Periods as people name them."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.dates.written import Period
from bot.domain.weeks import name_of, parse_period, parse_whole_period

TODAY = date(2026, 3, 15)


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
        ("today", TODAY, TODAY),
        ("yesterday", date(2026, 3, 14), date(2026, 3, 14)),
        ("month", date(2026, 3, 1), TODAY),
        ("last month", date(2026, 2, 1), date(2026, 2, 28)),
        ("this year", date(2026, 1, 1), TODAY),
        ("Last Year", date(2025, 1, 1), date(2025, 12, 31)),
        ("jan", date(2026, 1, 1), date(2026, 1, 31)),
        ("march", date(2026, 3, 1), date(2026, 3, 31)),
        ("April", date(2025, 4, 1), date(2025, 4, 30)),  # this year's is to come
        ("january 2025", date(2025, 1, 1), date(2025, 1, 31)),
        ("in Sept. 2024", date(2024, 9, 1), date(2024, 9, 30)),
        ("q4", date(2025, 10, 1), date(2025, 12, 31)),
        ("q1 2024", date(2024, 1, 1), date(2024, 3, 31)),
        ("last quarter", date(2025, 10, 1), date(2025, 12, 31)),
        ("the last 3 months", date(2025, 12, 15), TODAY),
        ("past two weeks", date(2026, 3, 1), TODAY),
        ("last 2 years", date(2024, 3, 15), TODAY),
        ("past month", date(2026, 2, 15), TODAY),
        ("week of jan 5", date(2026, 1, 5), date(2026, 1, 11)),
        ("2026-01-03..2026-01-09", date(2026, 1, 3), date(2026, 1, 9)),
    ],
)
def test_a_period_has_many_names(text: str, first_day: date, last_day: date) -> None:
    """A year, a quarter, a month, a week and a day each give their first and last day."""
    assert parse_period(text, TODAY) == Period(first_day, last_day)


@pytest.mark.parametrize(
    "text",
    ["", "soon", "2025-13", "2025-Q5", "2026-02-30", "0000", "25", "last few months", "q5",
     "2026-01-09..2026-01-03", "last 9 lists", "janvier"],
)  # fmt: skip
def test_what_names_no_period_is_told_apart(text: str) -> None:
    """Months and days that no calendar has and other words are no period."""
    assert parse_period(text, TODAY) is None


@given(st.text(), st.dates())
def test_any_text_is_read_or_refused(text: str, today: date) -> None:
    """No text raises on any day, and no period ends before it starts."""
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
    period = parse_whole_period(text, TODAY)
    assert period
    assert name_of(period) == name
    assert parse_whole_period(name, date(2031, 12, 24)) == period


def test_a_run_of_days_is_named_by_its_ends() -> None:
    """Ten days are neither a week nor a month."""
    ten_days = Period(date(2026, 3, 1), date(2026, 3, 10))
    assert name_of(ten_days) == "2026-03-01..2026-03-10"
    assert parse_period(name_of(ten_days), TODAY) == ten_days


@given(
    st.dates(date(1000, 1, 1), date(9000, 1, 1)),
    st.sampled_from(["%Y", "%Y-%m", "%Y-%m-%d", "%G-W%V"]),
)
def test_a_name_is_read_as_the_period_that_has_it(day: date, form: str) -> None:
    """A year, a month, a day and a week keep their names."""
    period = parse_whole_period(day.strftime(form), TODAY)
    assert period
    assert parse_whole_period(name_of(period), TODAY) == period
