"""Instants of the future: when a subscription is due, when a failed job is tried again. Pure.

A subscription is due on a weekday at a local time of an IANA zone.

On each local date with its weekday it is due at the first instant at which the zone's
clocks show that date and that time, or later. So a repeated hour counts once, in its first pass,
and a skipped time counts right after the gap: 02:30, which Berlin skips in March, at 03:00 (01:00
UTC). Where the gap reaches over midnight, or is the whole date (Pacific/Apia had no 2011-12-30),
that is the first instant of the next date.

An unknown zone (`is_zone`) raises `ZoneInfoNotFoundError`.
"""

from bisect import bisect_left
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

# The days by their number, as people and `subscriptions list` name them.
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY, _WEEK = timedelta(days=1), timedelta(weeks=1)
_SHORTEST_BACKOFF, _LONGEST_BACKOFF = timedelta(minutes=5), timedelta(hours=6)


def next_due(weekday: int, local_time: time, zone: str, after: datetime) -> datetime:
    """Return the first instant after `after` at which a subscription is due, in UTC.

    `weekday` counts from Monday, 0; `after` is aware.
    """
    place = ZoneInfo(zone)
    # The clocks show a later time than that of any earlier date.
    day = _on_or_after(weekday, after.astimezone(place).date())
    while (due := _first_shown(datetime.combine(day, local_time), place)) <= after:
        day += _WEEK
    return due


def next_due_times(
    weekday: int, local_time: time, zone: str, after: datetime, count: int
) -> list[datetime]:
    """Return the first `count` instants after `after` at which a subscription is due, in UTC."""
    dues: list[datetime] = []
    for _ in range(count):
        after = next_due(weekday, local_time, zone, after)
        dues.append(after)
    return dues


def latest_due(weekday: int, local_time: time, zone: str, until: datetime) -> datetime:
    """Return the last instant not after `until` at which a subscription was due, in UTC."""
    place = ZoneInfo(zone)
    # Clocks that went back over midnight have shown the next date before.
    tomorrow = until.astimezone(place).date() + _DAY
    day = _on_or_after(weekday, tomorrow - timedelta(days=6))
    while (due := _first_shown(datetime.combine(day, local_time), place)) > until:
        day -= _WEEK
    return due


def first_instant(day: date, local_time: time, zone: str) -> datetime:
    """Return the first instant at which a zone's clocks show a date and time or later, in UTC."""
    return _first_shown(datetime.combine(day, local_time), ZoneInfo(zone))


def _on_or_after(weekday: int, day: date) -> date:
    return day + (weekday - day.weekday()) % 7 * _DAY


def _first_shown(local: datetime, place: ZoneInfo) -> datetime:
    # With fold 0 a repeated time is that of the first pass, and one in a gap is resolved with the
    # offset before it: an instant as far behind the gap as the time is within it.
    # https://peps.python.org/pep-0495/
    instant = local.replace(tzinfo=place, fold=0).astimezone(UTC)
    if _shown(instant, place) == local:
        return instant
    return _end_of_gap(local, place, instant)


def _end_of_gap(local: datetime, place: ZoneInfo, behind: datetime) -> datetime:
    """Return the instant at which the clocks skip a local time; they change at whole seconds.

    `behind` is an instant not before it; with fold 1 the offset behind the gap gives one before.
    """
    before = local.replace(tzinfo=place, fold=1).astimezone(UTC)
    seconds = range(int((behind - before).total_seconds()))
    first = bisect_left(
        seconds, local, key=lambda number: _shown(before + timedelta(seconds=number), place)
    )
    return before + timedelta(seconds=first)


def _shown(instant: datetime, place: ZoneInfo) -> datetime:
    return instant.astimezone(place).replace(tzinfo=None, fold=0)


def is_zone(name: str) -> bool:
    """Tell whether a name is an IANA zone that this machine, or the package tzdata, knows."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        # OSError where the name is a folder of zones, such as Europe.
        return False
    return True


def backoff(failures: int) -> timedelta:
    """Return the pause after so many failures in a row: 5, 10, 20 … minutes, up to 6 h."""
    doubled: int = 2 ** min(max(failures - 1, 0), 16)
    return min(_SHORTEST_BACKOFF * doubled, _LONGEST_BACKOFF)
