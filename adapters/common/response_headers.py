"""The headers of servers: their time, whatever this machine says, and how long they ask to wait."""

import re
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from bot.clock import Clock, SystemClock

# A server that asks for years should still be asked tomorrow.
_LONGEST_WAIT = 86_400.0
# Discord gives fractions. Thousands of digits would take long to parse; no date is longer.
_SECONDS, _MOST_LETTERS = re.compile(r"\d+(\.\d+)?", re.ASCII), 40


class ServerTime:
    """A clock that continues from the last `Date` header of a server; before, the system clock.

    Posted messages are searched for by the time of the platform. With a system clock that is hours
    ahead the search would begin after the message, miss it, and the message would be posted again.

    Args:
        system_clock: the machine's clock.
        seconds: a monotonic clock.
    """

    def __init__(
        self, system_clock: Clock | None = None, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._system_clock = system_clock or SystemClock()
        self._seconds = seconds
        self._last: tuple[datetime, float] | None = None

    def update(self, date: str | None) -> None:
        """Set the time from the `Date` header of a response, if that can be parsed.

        https://www.rfc-editor.org/rfc/rfc9110#name-date
        """
        if server_time := _parsed(date or ""):
            self._last = server_time, self._seconds()

    def now(self) -> datetime:
        """Return the time in UTC, to about a second."""
        if self._last is None:
            return self._system_clock.now()
        server_time, at = self._last
        return server_time + timedelta(seconds=self._seconds() - at)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of a `Retry-After` header, a day at most; `None` if it has none.

    A date is compared with the server's own clock, since ours may be offset.
    https://www.rfc-editor.org/rfc/rfc9110#name-retry-after
    """
    value = headers.get("Retry-After", "").strip()[:_MOST_LETTERS]
    if _SECONDS.fullmatch(value):
        return min(float(value), _LONGEST_WAIT)
    until, now = _parsed(value), _parsed(headers.get("Date", ""))
    if until is None or now is None:
        return None
    return min(max((until - now).total_seconds(), 0.0), _LONGEST_WAIT)


def _parsed(date: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, OverflowError):
        return None
    # "-0000" parses as a date without a zone; those of HTTP are all in UTC.
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
