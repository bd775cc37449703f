"""Log lines: for programs an object each, for people one line."""

import json
import logging
import sys

import pytest

from bot.operations.logs import JsonLines, RateLimitedLog, TextLines


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


_HOSTILE = "no\nerror: forged\r\x9b2J\u202eb\\n\ud800"


def test_no_field_forges_a_line() -> None:
    """Line ends and terminal controls in an event or a field are escaped."""
    record = _record(reason=_HOSTILE)
    record.msg = "odd\nevent"
    shown = r"reason=no\nerror: forged\r\u009b2J\u202eb\\n\ud800"
    assert TextLines().format(record) == rf"error: odd\nevent {shown}"


def test_no_traceback_forges_a_line() -> None:
    """The text of an exception is indented below its event, without terminal controls."""
    record = _record()
    record.exc_info = ValueError, ValueError(_HOSTILE), None
    first, *more = TextLines().format(record).split("\n")
    assert first == "error: it_happened"
    assert more
    assert all(line.startswith("  ") for line in more)
    assert not {"\r", "\x9b", "\u202e", "\ud800"} & {*"".join(more)}


def test_json_of_a_log_steers_nothing() -> None:
    """Terminal controls are escaped, and decoded again by a JSON reader."""
    line = JsonLines().format(_record(reason=_HOSTILE))
    assert not {"\n", "\r", "\x9b", "\u202e", "\ud800"} & {*line}
    assert json.loads(line)["reason"] == _HOSTILE


def test_a_traceback_is_kept_in_either() -> None:
    """Both formats have it."""
    record = _record()
    try:
        int("on purpose")
    except ValueError:
        record.exc_info = sys.exc_info()
    assert "ValueError: invalid literal" in json.loads(JsonLines().format(record))["traceback"]
    assert "ValueError: invalid literal" in TextLines().format(record)


def test_a_minute_has_as_many_lines_as_it_may(caplog: pytest.LogCaptureFixture) -> None:
    """Of many a minute the first are written, and the next minute's first tells of the others."""
    now = [0.0]
    lines = RateLimitedLog(logging.getLogger("rare"), per_minute=2, seconds=lambda: now[0])
    for second in (*range(59), 60, 61):
        now[0] = float(second)
        lines.warning("refused", at_second=second)
    written = [
        (each.__dict__["at_second"], each.__dict__.get("suppressed")) for each in caplog.records
    ]
    assert written == [(0, None), (1, None), (60, 57), (61, None)]
