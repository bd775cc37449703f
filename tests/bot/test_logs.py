"""Log lines: for programs an object each, for people one line."""

import json
import logging
import sys

from bot.logs import JsonLines, TextLines


def _record(**fields: object) -> logging.LogRecord:
    record = logging.LogRecord("bot", logging.ERROR, __file__, 1, "it_happened", (), None)
    record.__dict__.update(fields)
    return record


def test_a_program_gets_an_object() -> None:
    """Event, level, instant and the fields under their own names."""
    line = json.loads(JsonLines().format(_record(ref="7f3a", count=3)))
    assert line.pop("at").endswith("+00:00")
    assert line == {"level": "error", "event": "it_happened", "ref": "7f3a", "count": 3}


def test_a_person_gets_a_line() -> None:
    """Level, event and fields in one line."""
    assert TextLines().format(_record(ref="7f3a")) == "error: it_happened ref=7f3a"


def test_a_traceback_is_kept_in_either() -> None:
    """What was raised is told in both formats."""
    record = _record()
    try:
        int("on purpose")
    except ValueError:
        record.exc_info = sys.exc_info()
    assert "ValueError: invalid literal" in json.loads(JsonLines().format(record))["traceback"]
    assert "ValueError: invalid literal" in TextLines().format(record)
