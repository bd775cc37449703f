"""Due times around every change of the clocks from 2026 to 2028, in every zone there is.

The other computation knows nothing of offsets or folds: it walks the minutes around a change and
looks at the clock.
"""

from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

from bot.domain.schedule import latest_due, next_due

_FROM, _UNTIL = datetime(2026, 1, 1, tzinfo=UTC), datetime(2029, 1, 1, tzinfo=UTC)
_STEP = timedelta(days=4)  # no zone changes its clocks twice within it
_MINUTE, _TICK = timedelta(minutes=1), timedelta(microseconds=1)
_WALKED = 4 * 60  # minutes to either side of a change
# How far from a change wall times are tried, in minutes: within a gap or an overlap of a half
# or a whole hour, at its ends, and just outside.
_AROUND = (-61, -60, -31, -30, -29, -1, 0, 1, 29, 30, 31, 59, 60, 61)


@dataclass(frozen=True)
class Change:
    """An instant at which clocks change, and the wall times right before and at it."""

    at: datetime
    before: datetime
    after: datetime


def test_every_change_of_clocks_in_every_zone() -> None:
    """Due is the first minute whose clock shows that time or later on that date, and no other.

    A time of a date that is over before it comes is due in the first minute behind the gap.
    """
    zones = _zones_by_changes()
    assert sum(map(len, zones.values())) == len(available_timezones())
    for changes, names in zones.items():
        for change in changes:
            clock = _clock(names[0], change)
            for wall in sorted(_walls(change)):
                _check(names[0], wall, _by_walking(clock, wall.date(), wall.time()))
    assert len(zones) > 30  # or no changes were found


def _check(zone: str, wall: datetime, due: datetime) -> None:
    weekday, at = wall.weekday(), wall.time()
    found = (
        next_due(weekday, at, zone, due - timedelta(days=3)),
        next_due(weekday, at, zone, due - _TICK),
        latest_due(weekday, at, zone, due),
        latest_due(weekday, at, zone, due + timedelta(days=3)),
    )
    assert found == (due, due, due, due), (zone, wall)
    assert next_due(weekday, at, zone, due) > due + timedelta(days=6), (zone, wall)
    assert latest_due(weekday, at, zone, due - _TICK) < due - timedelta(days=6), (zone, wall)


def _walls(change: Change) -> set[datetime]:
    return {
        side + minutes * _MINUTE for side in (change.before, change.after) for minutes in _AROUND
    }


def _by_walking(clock: list[tuple[datetime, datetime]], day: date, at: time) -> datetime:
    for instant, wall in clock:
        if wall.date() == day and wall.time() >= at:
            return instant
    return next(instant for instant, wall in clock if wall.date() > day)


def _clock(zone: str, change: Change) -> list[tuple[datetime, datetime]]:
    """Return the minutes around a change and what the clocks show in each."""
    place, middle = ZoneInfo(zone), int(change.at.timestamp())
    seconds = range(middle - 60 * _WALKED, middle + 60 * _WALKED, 60)
    return [
        (
            datetime.fromtimestamp(each, UTC),
            datetime.fromtimestamp(each, place).replace(tzinfo=None),
        )
        for each in seconds
    ]


def _zones_by_changes() -> dict[tuple[Change, ...], list[str]]:
    """Return all zones by their changes: with the same ones they are the same zone here."""
    found: dict[tuple[Change, ...], list[str]] = {}
    for name in sorted(available_timezones()):
        found.setdefault(tuple(_changes(ZoneInfo(name))), []).append(name)
    return found


def _changes(place: ZoneInfo) -> Iterator[Change]:
    steps = (_FROM + number * _STEP for number in range((_UNTIL - _FROM) // _STEP + 1))
    for before, after in pairwise((at, at.astimezone(place).utcoffset()) for at in steps):
        if before[1] != after[1]:
            yield _change(place, before[0])


def _change(place: ZoneInfo, start: datetime) -> Change:
    """Find the minute at which the clocks change within a step."""
    offset = start.astimezone(place).utcoffset()
    minutes = range(_STEP // _MINUTE + 1)

    def is_changed(minute: int) -> bool:
        return (start + minute * _MINUTE).astimezone(place).utcoffset() != offset

    at = start + bisect(minutes, 0, key=is_changed) * _MINUTE
    before, after = (_wall(each, place) for each in (at - _MINUTE, at))
    return Change(at, before + _MINUTE, after)


def _wall(at: datetime, place: ZoneInfo) -> datetime:
    return at.astimezone(place).replace(tzinfo=None)
