"""The times at which a source is fetched: often after its usual hour, else now and then. All pure.

Instants are in UTC, by the system clock. `spread`, from 0 to 1, spreads the requests of many
installations to one host over some minutes.
"""

from datetime import UTC, datetime, timedelta

from bot.coordination.jobs import backoff
from store.sources import UsualTime

# The time after the usual hour in which a source is fetched often.
_AWAITED = timedelta(hours=6)
_OFTEN, _SELDOM = timedelta(hours=1), timedelta(hours=6)
_SPREAD = timedelta(minutes=5)
# The longest wait, whatever a host asks for.
_LONGEST = timedelta(days=1)
_DAY = timedelta(days=1)


def next_fetch(usual: UsualTime, now: datetime, spread: float) -> datetime:
    """Return the next time of a fetch after one that succeeded now."""
    last, coming = _around(usual, now)
    step = _OFTEN if last and now - last < _AWAITED else _SELDOM
    return min(now + step, coming or now + step) + spread * _SPREAD


def next_edition_time(usual: UsualTime, now: datetime) -> datetime | None:
    """Return when a source usually has its next edition, `None` if its hour is unknown.

    The week of a daily source is complete on the Monday after it.
    """
    weekday = 0 if usual.weekday is None else usual.weekday
    return _around(UsualTime(weekday, usual.hour), now)[1]


def next_retry(failures: int, after: float | None, now: datetime, spread: float) -> datetime:
    """Return the time of the next try after so many failures in a row.

    `after` are the seconds that the host asks to wait, if it does.
    """
    asked = timedelta(seconds=min(after or 0.0, _LONGEST.total_seconds()))
    return now + max(backoff(failures), asked) + spread * _SPREAD


def _around(usual: UsualTime, now: datetime) -> tuple[datetime | None, datetime | None]:
    """Return the usual instants before and after now, `None` if the hour is unknown."""
    if usual.hour is None:
        return None, None
    every = _DAY if usual.weekday is None else 7 * _DAY
    today = datetime.combine(now.date(), usual.hour, UTC)
    since = 0 if usual.weekday is None else (now.weekday() - usual.weekday) % 7
    last = today - since * _DAY
    last = last if last <= now else last - every
    return last, last + every
