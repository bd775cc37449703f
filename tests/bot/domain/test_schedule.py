"""When a subscription is due."""

from datetime import UTC, date, datetime, time, timedelta
from importlib.resources import files
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.schedule import (
    WEEKDAYS,
    first_instant,
    latest_due,
    next_due,
    next_due_times,
)

MONDAY, FRIDAY, SATURDAY, SUNDAY = 0, 4, 5, 6
SATURDAY_MORNING = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("weekday", "at", "zone", "after", "due"),
    [
        (MONDAY, "09:00", "UTC", "2026-11-21T09:00", "2026-11-23T09:00"),
        (SATURDAY, "09:00", "UTC", "2026-11-21T08:59", "2026-11-21T09:00"),
        (SATURDAY, "09:00", "UTC", "2026-11-21T09:00", "2026-11-28T09:00"),
        # Monday comes earlier in the east and later in the west.
        (MONDAY, "00:30", "Pacific/Kiritimati", "2026-11-21T09:00", "2026-11-22T10:30"),
        (MONDAY, "23:30", "Pacific/Pago_Pago", "2026-11-21T09:00", "2026-11-24T10:30"),
        (MONDAY, "09:00", "Asia/Kathmandu", "2026-11-21T09:00", "2026-11-23T03:15"),
        # The week of a change is an hour shorter or longer.
        (MONDAY, "09:00", "Europe/Berlin", "2026-03-23T08:00", "2026-03-30T07:00"),
        (MONDAY, "09:00", "Europe/Berlin", "2026-10-19T07:00", "2026-10-26T08:00"),
        # 02:30 is skipped: 03:00 is the first time after the gap.
        (SUNDAY, "02:30", "Europe/Berlin", "2026-03-28T12:00", "2026-03-29T01:00"),
        (SUNDAY, "02:00", "Europe/Berlin", "2026-03-28T12:00", "2026-03-29T01:00"),
        (SUNDAY, "03:00", "Europe/Berlin", "2026-03-28T12:00", "2026-03-29T01:00"),
        (SUNDAY, "02:30", "Europe/Berlin", "2026-03-29T01:00", "2026-04-05T00:30"),
        # 02:30 comes twice: the second is none.
        (SUNDAY, "02:30", "Europe/Berlin", "2026-10-24T12:00", "2026-10-25T00:30"),
        (SUNDAY, "02:30", "Europe/Berlin", "2026-10-25T00:30", "2026-11-01T01:30"),
        # At 03:00 it is 02:00 again, so 03:00 comes once.
        (SUNDAY, "03:00", "Europe/Berlin", "2026-10-24T12:00", "2026-10-25T02:00"),
        # Half an hour only.
        (SUNDAY, "02:15", "Australia/Lord_Howe", "2026-10-03T00:00", "2026-10-03T15:30"),
        (SUNDAY, "01:45", "Australia/Lord_Howe", "2026-04-03T00:00", "2026-04-04T14:45"),
        # Cairo's last Friday of April begins at 01:00.
        (FRIDAY, "00:00", "Africa/Cairo", "2026-04-22T00:00", "2026-04-23T22:00"),
        # Nuuk's clocks of 2024 went from Saturday 23:00 to Sunday 00:00.
        (SATURDAY, "23:30", "America/Nuuk", "2024-03-28T00:00", "2024-03-31T01:00"),
        # Toronto's clocks of 1919 went from Sunday 23:30 to Monday 00:30.
        (SUNDAY, "23:45", "America/Toronto", "1919-03-29T12:00", "1919-03-31T04:30"),
        (MONDAY, "00:15", "America/Toronto", "1919-03-29T12:00", "1919-03-31T04:30"),
        # Apia had no Friday, December 30, 2011: Saturday began at once.
        (FRIDAY, "09:00", "Pacific/Apia", "2011-12-28T12:00", "2011-12-30T10:00"),
        (SATURDAY, "00:00", "Pacific/Apia", "2011-12-28T12:00", "2011-12-30T10:00"),
    ],
)
def test_an_order_is_due_once_on_each_of_its_days(
    weekday: int, at: str, zone: str, after: str, due: str
) -> None:
    """It is due when the clocks there first show that time or later on a date with its weekday."""
    found = next_due(weekday, time.fromisoformat(at), zone, _utc(after))
    assert found == _utc(due)
    assert found.tzinfo is UTC


@pytest.mark.parametrize(
    ("weekday", "at", "zone", "until", "due"),
    [
        (SATURDAY, "09:00", "UTC", "2026-11-21T09:00", "2026-11-21T09:00"),
        (SATURDAY, "09:00", "UTC", "2026-11-21T08:59", "2026-11-14T09:00"),
        (SUNDAY, "02:30", "Europe/Berlin", "2026-03-29T01:00", "2026-03-29T01:00"),
        (SUNDAY, "02:30", "Europe/Berlin", "2026-03-29T00:59", "2026-03-22T01:30"),
        (SUNDAY, "02:30", "Europe/Berlin", "2026-10-25T01:30", "2026-10-25T00:30"),
        (MONDAY, "00:30", "Pacific/Kiritimati", "2026-11-22T10:30", "2026-11-22T10:30"),
        # Clocks that went from Sunday 00:01 back to Saturday 23:01 had shown Sunday already.
        (SUNDAY, "00:00", "America/St_Johns", "2010-11-07T02:45", "2010-11-07T02:30"),
    ],
)
def test_the_last_due_time_is_found(weekday: int, at: str, zone: str, until: str, due: str) -> None:
    """What was due last is looked for backwards, the instant itself counted."""
    assert latest_due(weekday, time.fromisoformat(at), zone, _utc(until)) == _utc(due)


def test_the_next_instants_are_those_one_after_the_other() -> None:
    """A change of the clocks between them moves them in UTC and not on the wall."""
    found = next_due_times(MONDAY, time(9), "America/New_York", _utc("2026-10-20T00:00"), 3)
    assert found == [_utc("2026-10-26T13:00"), _utc("2026-11-02T14:00"), _utc("2026-11-09T14:00")]
    assert next_due_times(MONDAY, time(9), "UTC", SATURDAY_MORNING, 0) == []


def test_a_day_begins_with_its_first_instant() -> None:
    """Where midnight is skipped, a day begins when the clocks first show it."""
    assert first_instant(date(2026, 4, 24), time(0), "Africa/Cairo") == _utc("2026-04-23T22:00")
    assert first_instant(date(2026, 11, 22), time(0), "Asia/Tokyo") == _utc("2026-11-21T15:00")


def test_an_unknown_zone_is_the_callers_fault() -> None:
    """A zone is examined where it is given; here one that is none raises."""
    with pytest.raises(ZoneInfoNotFoundError):
        next_due(MONDAY, time(9), "Europe/Atlantis", SATURDAY_MORNING)


# The package's, which are the same on every machine.
_ZONES = st.sampled_from(sorted((files("tzdata") / "zones").read_text().split()))
_TIMES = st.times().map(lambda at: at.replace(second=0, microsecond=0))
_DAYS = st.integers(0, 6)
_INSTANTS = st.datetimes(datetime(1975, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - Hypothesis adds the zone


@given(_DAYS, _TIMES, _ZONES, _INSTANTS)
def test_a_due_time_lies_ahead_within_a_week(
    weekday: int, at: time, zone: str, after: datetime
) -> None:
    """It is later than what it is asked for, by a week and a changed day at most."""
    due = next_due(weekday, at, zone, after)
    assert after < due <= after + timedelta(days=8)


@given(_DAYS, _TIMES, _ZONES, _INSTANTS)
def test_a_due_time_is_shown_by_the_clocks_there(
    weekday: int, at: time, zone: str, after: datetime
) -> None:
    """The clocks show its weekday and time, unless they jump over that at that very instant."""
    due, place = next_due(weekday, at, zone, after), ZoneInfo(zone)
    local, before = due.astimezone(place), (due - timedelta(seconds=1)).astimezone(place)
    is_jump = (local.utcoffset() or timedelta()) > (before.utcoffset() or timedelta())
    assert is_jump or (local.weekday(), local.time()) == (weekday, at)


@given(_DAYS, _TIMES, _ZONES, _INSTANTS)
def test_looking_back_finds_what_looking_ahead_found(
    weekday: int, at: time, zone: str, after: datetime
) -> None:
    """Between two due times that follow each other there is none, seen from either side."""
    due = next_due(weekday, at, zone, after)
    following = next_due(weekday, at, zone, due)
    latest = latest_due(weekday, at, zone, after)
    assert latest <= after
    assert next_due(weekday, at, zone, latest) == due
    assert latest_due(weekday, at, zone, due) == due
    assert latest_due(weekday, at, zone, following - timedelta(microseconds=1)) == due


def test_days_are_named_in_their_order() -> None:
    """A weekday's number is that of the calendar."""
    assert WEEKDAYS[SATURDAY_MORNING.weekday()] == "saturday"


def _utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
