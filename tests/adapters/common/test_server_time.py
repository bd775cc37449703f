"""Server time, independent of the machine's clock."""

from datetime import UTC, datetime, timedelta

import pytest

from adapters.common.server_time import ServerTime
from tests.bot.conftest import FixedClock

AHEAD = datetime(2026, 1, 12, 11, tzinfo=UTC)


def test_it_goes_on_from_what_was_told_last() -> None:
    """The time continues from the last header, whatever the machine's clock shows."""
    passed = [100.0]
    server = ServerTime(FixedClock(AHEAD), lambda: passed[0])
    assert server.now() == AHEAD
    server.update("Mon, 12 Jan 2026 09:00:00 GMT")
    passed[0] += 90
    assert server.now() == datetime(2026, 1, 12, 9, 1, 30, tzinfo=UTC)
    server.update("Mon, 12 Jan 2026 10:00:00 GMT")
    assert server.now() == AHEAD - timedelta(hours=1)


@pytest.mark.parametrize("date", [None, "", "yesterday", "Mon, 12 Jan"])
def test_what_is_no_time_tells_none(date: str | None) -> None:
    """A response without a valid date changes nothing."""
    server = ServerTime(FixedClock(AHEAD), lambda: 0.0)
    server.update(date)
    assert server.now() == AHEAD
