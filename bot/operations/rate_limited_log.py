"""Rate-limited logging, for events that strangers can cause as often as they like."""

import logging
import time
from collections.abc import Callable

_MINUTE = 60.0


class RateLimitedLog:
    """Writes at most some warnings a minute and counts the suppressed ones.

    Args:
        log: the logger to write to.
        per_minute: how many lines one minute may have.
        seconds: a monotonic clock, in seconds.
    """

    def __init__(
        self,
        log: logging.Logger,
        per_minute: int = 1,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._log = log
        self._per_minute = per_minute
        self._seconds = seconds
        self._minute_began = float("-inf")
        self._written = 0
        self._suppressed = 0

    def warning(self, event: str, **facts: object) -> None:
        """Write a line, with the number of lines `suppressed` since the last one, or count it."""
        now = self._seconds()
        if now - self._minute_began >= _MINUTE:
            self._minute_began, self._written = now, 0
        if self._written >= self._per_minute:
            self._suppressed += 1
            return
        self._written += 1
        suppressed = {"suppressed": self._suppressed} if self._suppressed else {}
        self._suppressed = 0
        self._log.warning(event, extra={**facts, **suppressed})
