"""When a source is fetched: often after its usual hour, else now and then. All pure.

Instants are in UTC, by the clock that no setting moves. `spread`, from 0 to 1, keeps apart what
many installations would ask of one host in the same second.
"""

from datetime import UTC, datetime, timedelta

from bot.coordination.jobs import backoff
from store.sources import UsualTime

# For so long after the usual hour it is fetched often.
_AWAITED = timedelta(hours=6)
_OFTEN, _SELDOM = timedelta(hours=1), timedelta(hours=6)
_SPREAD = timedelta(minutes=5)
# No host is left alone for longer, whatever it asks for.
_LONGEST = timedelta(days=1)
_DAY = timedelta(days=1)


def next_fetch(usual: UsualTime, now: datetime, spread: float) -> datetime:
    """Return when a source is fetched next that was fetched just now."""
    last, coming = _around(usual, now)
    step = _OFTEN if last and now - last < _AWAITED else _SELDOM
    return min(now + step, coming or now + step) + spread * _SPREAD


def next_news(usual: UsualTime, now: datetime) -> datetime | None:
    """Return when a source usually has its next whole edition, `None` where nobody knows the hour.

    What has news every day has its week whole on the Monday after it.
    """
    weekday = 0 if usual.weekday is None else usual.weekday
    return _around(UsualTime(weekday, usual.hour), now)[1]


def next_try(failures: int, after: float | None, now: datetime, spread: float) -> datetime:
    """Return when a source is tried again that failed so often in a row.

    `after` is how many seconds its host asks to be left alone, where it does.
    """
    asked = timedelta(seconds=min(after or 0.0, _LONGEST.total_seconds()))
    return now + max(backoff(failures), asked) + spread * _SPREAD


def _around(usual: UsualTime, now: datetime) -> tuple[datetime | None, datetime | None]:
    """Return the usual instants before and after now, `None` where nobody knows the hour."""
    if usual.hour is None:
        return None, None
    every = _DAY if usual.weekday is None else 7 * _DAY
    today = datetime.combine(now.date(), usual.hour, UTC)
    since = 0 if usual.weekday is None else (now.weekday() - usual.weekday) % 7
    last = today - since * _DAY
    last = last if last <= now else last - every
    return last, last + every
