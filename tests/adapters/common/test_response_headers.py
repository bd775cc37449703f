"""Server time, independent of the machine's clock."""

from datetime import UTC, datetime, timedelta

import pytest

from adapters.common.response_headers import ServerTime, retry_after
from tests.bot.conftest import FixedClock

AHEAD = datetime(2026, 1, 12, 11, tzinfo=UTC)
_ONE, _TWO = "Mon, 01 Jan 2035 01:00:00 GMT", "Mon, 01 Jan 2035 02:00:00 GMT"


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


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "120"}, 120.0),
        ({"Retry-After": "0.25"}, 0.25),
        ({"Retry-After": "9" * 5000}, 86_400.0),
        ({"Retry-After": "1" * 5000 + "x"}, 86_400.0),
        ({"Retry-After": "٣"}, None),
        ({"Retry-After": "-1"}, None),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": _ONE}, None),
        ({"Retry-After": _TWO, "Date": _ONE}, 3600.0),
        ({"Retry-After": _ONE, "Date": _TWO}, 0.0),
        ({"Retry-After": "Mon, 01 Jan 2035 02:00:00 -0000", "Date": _ONE}, 3600.0),
        ({"Retry-After": "Mon, 01 Jan 2040 01:00:00 GMT", "Date": _ONE}, 86_400.0),
        ({"Retry-After": "Mon, 01 Jan 99999 01:00:00 GMT", "Date": _ONE}, None),
    ],
)
def test_the_rest_that_a_host_wants_is_read(headers: dict[str, str], seconds: float | None) -> None:
    """Retry-After is in seconds, or a date by the host's own clock; a day is the limit."""
    assert retry_after(headers) == seconds
