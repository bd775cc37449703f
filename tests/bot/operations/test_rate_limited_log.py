"""Log lines that a stranger can cause."""

import logging

import pytest

from bot.operations.logs import RateLimitedLog


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
