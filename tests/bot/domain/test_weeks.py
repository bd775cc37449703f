"""Weeks as people name them."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.weeks import Week, parse_week

TODAY = date(2026, 11, 21)  # a Saturday, in week 47


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


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    """No text whatever raises."""
    assert parse_week(text, TODAY) is None or isinstance(parse_week(text, TODAY), Week)
