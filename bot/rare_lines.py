"""Log lines that a stranger can cause: as few as an operator needs, however often it happens."""

import logging
import time
from collections.abc import Callable

_MINUTE = 60.0


class RareLines:
    """Writes a few warnings a minute, and counts the others.

    Args:
        log: where the lines go.
        most: how many are written in one minute.
        seconds: a clock that only goes forward, in seconds.
    """

    def __init__(
        self, log: logging.Logger, most: int = 1, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._log = log
        self._most = most
        self._seconds = seconds
        self._begun = float("-inf")
        self._written = 0
        self._unwritten = 0

    def warning(self, event: str, **facts: object) -> None:
        """Write a line, with how many were left out since the last one as `unwritten`."""
        if self._seconds() - self._begun >= _MINUTE:
            self._begun, self._written = self._seconds(), 0
        if self._written >= self._most:
            self._unwritten += 1
            return
        self._written += 1
        unwritten = {"unwritten": self._unwritten} if self._unwritten else {}
        self._unwritten = 0
        self._log.warning(event, extra={**facts, **unwritten})
