"""Logging, configured once by the composition root: static event names, facts as fields."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Literal

from bot.domain.untrusted_text import escaped, escaped_line


def configure(log_format: Literal["text", "json"] | None, level: str) -> None:
    """Send every log line to standard error, as text on a terminal and else as JSON."""
    handler = logging.StreamHandler(sys.stderr)
    text = log_format == "text" or (log_format is None and sys.stderr.isatty())
    handler.setFormatter(TextLines() if text else JsonLines())
    logging.basicConfig(handlers=[handler], level=level, force=True)
    # A migration's steps are no news to whoever asked for something else.
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

    No value begins a line of its own, so none can be taken for another event.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Format one record."""
        fields = " ".join(f"{name}={value}" for name, value in _fields(record).items())
        told = f"{record.levelname.lower()}: {record.getMessage()} {fields}".rstrip()
        line = escaped_line(told)
        if record.exc_info:
            traceback = self.formatException(record.exc_info).split("\n")
            line = "\n  ".join([line, *map(escaped, traceback)])
        return line


_OWN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "taskName"}


def _fields(record: logging.LogRecord) -> dict[str, object]:
    return {name: value for name, value in record.__dict__.items() if name not in _OWN}
