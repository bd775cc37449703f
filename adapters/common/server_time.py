"""The time of a platform's servers, independent of this machine's clock."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from bot.clock import Clock, SystemClock


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
        try:
            server_time = parsedate_to_datetime(date or "")
        except ValueError:
            return
        self._last = server_time.astimezone(UTC), self._seconds()

    def now(self) -> datetime:
        """Return the time in UTC, to about a second."""
        if self._last is None:
            return self._system_clock.now()
        server_time, at = self._last
        return server_time + timedelta(seconds=self._seconds() - at)
