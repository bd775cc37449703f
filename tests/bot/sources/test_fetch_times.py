"""A source is fetched often after its usual hour, now and then at other times."""

from datetime import UTC, datetime, time, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.sources.followed import next_edition_time, next_fetch, next_retry
from store.sources import UsualTime

SUNDAYS = UsualTime(weekday=6, hour=time(14))
HOUR = timedelta(hours=1)
SUNDAY_14 = datetime(2026, 1, 11, 14, tzinfo=UTC)
USUALS = st.builds(
    UsualTime, st.none() | st.integers(0, 6), st.none() | st.times(timezones=st.none())
)
INSTANTS = st.integers(0, 600_000).map(lambda hours: SUNDAY_14 + hours * HOUR / 7)


def test_after_the_usual_hour_it_is_fetched_every_hour() -> None:
    """For six hours; then every six."""
    assert next_fetch(SUNDAYS, SUNDAY_14, 0) == SUNDAY_14 + HOUR
    assert next_fetch(SUNDAYS, SUNDAY_14 + 5 * HOUR, 0) == SUNDAY_14 + 6 * HOUR
    assert next_fetch(SUNDAYS, SUNDAY_14 + 6 * HOUR, 0) == SUNDAY_14 + 12 * HOUR


def test_the_usual_hour_is_not_slept_through() -> None:
    """Whoever was fetched an hour before is fetched at it."""
    assert next_fetch(SUNDAYS, SUNDAY_14 - HOUR, 0) == SUNDAY_14
    assert next_fetch(SUNDAYS, SUNDAY_14 - 7 * HOUR, 0) == SUNDAY_14 - HOUR


def test_one_with_news_every_day_has_an_hour_every_day() -> None:
    """On Monday as on Sunday."""
    daily = UsualTime(None, time(0, 10))
    monday = datetime(2026, 1, 12, 0, 10, tzinfo=UTC)
    assert next_fetch(daily, monday - HOUR, 0) == monday
    assert next_fetch(daily, monday, 0) == monday + HOUR


def test_where_nobody_knows_the_hour_it_is_fetched_now_and_then() -> None:
    """Every six hours."""
    assert next_fetch(UsualTime(), SUNDAY_14, 0) == SUNDAY_14 + 6 * HOUR


def test_the_next_edition_is_expected_at_the_next_usual_hour() -> None:
    """A week of daily news is whole on the Monday after it; of some nobody knows the hour."""
    daily = UsualTime(None, time(0, 10))
    monday = datetime(2026, 1, 12, 0, 10, tzinfo=UTC)
    expected = [
        next_edition_time(usual, now)
        for usual, now in (
            (SUNDAYS, SUNDAY_14 - HOUR),
            (SUNDAYS, SUNDAY_14),
            (daily, monday - HOUR),
            (daily, monday + HOUR),
            (UsualTime(6, None), monday),
        )
    ]
    week = timedelta(weeks=1)
    assert expected == [SUNDAY_14, SUNDAY_14 + week, monday, monday + week, None]


@given(USUALS, INSTANTS, st.floats(0, 1))
def test_the_next_time_is_between_now_and_six_hours(
    usual: UsualTime, now: datetime, spread: float
) -> None:
    """And some minutes more at most, so that not all ask in the same second."""
    at = next_fetch(usual, now, spread)
    assert now < at <= now + 6 * HOUR + timedelta(minutes=5)


@given(st.integers(1, 50), st.none() | st.floats(0, 1e9), INSTANTS)
def test_a_host_that_asks_for_rest_gets_it(
    failures: int, after: float | None, now: datetime
) -> None:
    """As long as it asks for, up to a day; and never less than what backing off takes."""
    at = next_retry(failures, after, now, 0)
    assert at >= next_retry(failures, None, now, 0)
    assert at >= now + timedelta(seconds=min(after or 0, 86_400))
    assert at <= now + timedelta(days=1)
