"""The time as a platform's servers tell it, whatever a machine's own clock does meanwhile."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from bot.clock import Clock, SystemClock


class ServerTime:
    """Goes on from what servers told last; until they told anything it is the machine's time.

    What was posted is looked for by the time of the platform. Reckoned by a machine whose clock
    is hours ahead it would be looked for after it was posted, not found, and posted again.

    Args:
        wall: the machine's time.
        seconds: a clock that only goes forward.
    """

    def __init__(
        self, wall: Clock | None = None, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._wall = wall or SystemClock()
        self._seconds = seconds
        self._told: tuple[datetime, float] | None = None

    def heard(self, date: str | None) -> None:
        """Take over the time of an answer's header `Date`, where it has one that can be read.

        https://www.rfc-editor.org/rfc/rfc9110#name-date
        """
        try:
            told = parsedate_to_datetime(date or "")
        except ValueError:
            return
        self._told = told.astimezone(UTC), self._seconds()

    def now(self) -> datetime:
        """Return the time in UTC, to about a second."""
        if self._told is None:
            return self._wall.now()
        told, at = self._told
        return told + timedelta(seconds=self._seconds() - at)
