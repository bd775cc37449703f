"""Logging: static event names, facts as fields. Configured once by the composition root."""

import json
import logging
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal

from bot.domain.untrusted_text import escaped, escaped_line

_MINUTE = 60.0
_STANDARD_FIELDS = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "taskName"}


def configure(log_format: Literal["text", "json"] | None, level: str) -> None:
    """Send every log line to standard error, by default as text on a terminal and else as JSON."""
    handler = logging.StreamHandler(sys.stderr)
    text = log_format == "text" or (log_format is None and sys.stderr.isatty())
    handler.setFormatter(TextLines() if text else JsonLines())
    logging.basicConfig(handlers=[handler], level=level, force=True)
    # The steps of a migration are noise to a user of another command.
    logging.getLogger("alembic").setLevel(logging.WARNING)


class JsonLines(logging.Formatter):
    """One JSON object a line: `at`, `level`, `event`, the fields, and the traceback if any."""

    def format(self, record: logging.LogRecord) -> str:
        """Format one record."""
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **_fields(record),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return escaped(json.dumps(line, ensure_ascii=False, default=str))


class TextLines(logging.Formatter):
    """One line for people: level, event, fields, then the traceback if any, indented.

    No value begins a line of its own, so a value can't look like another event.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Format one record."""
        fields = " ".join(f"{name}={value}" for name, value in _fields(record).items())
        line = f"{record.levelname.lower()}: {record.getMessage()} {fields}".rstrip()
        line = escaped_line(line)
        if record.exc_info:
            traceback = self.formatException(record.exc_info).split("\n")
            line = "\n  ".join([line, *map(escaped, traceback)])
        return line


def _fields(record: logging.LogRecord) -> dict[str, object]:
    return {name: value for name, value in vars(record).items() if name not in _STANDARD_FIELDS}


class RateLimitedLog:
    """Writes a bounded number of warnings a minute and counts the suppressed ones.

    For events that strangers can cause as often as they like.

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
