"""Changes to subscriptions, decided without a store."""

from dataclasses import replace
from datetime import time, timedelta

from bot.accounts.subscriptions import with_values
from tests.bot.posting.delivery.setup import DUE, ORDER

_MINUTE = timedelta(minutes=1)


def test_a_change_reckons_the_next_time_anew() -> None:
    """Whether that is earlier or later than what was ordered."""
    later = with_values(ORDER, {"local_time": time(10)}, DUE - _MINUTE)
    assert later.next_due_at == DUE + timedelta(hours=1)
    earlier = with_values(ORDER, {"local_time": time(8)}, DUE - _MINUTE)
    assert earlier.next_due_at == DUE + timedelta(days=7, hours=-1)


def test_a_change_loses_no_time_that_has_come() -> None:
    """At a minute past nine, before any tick, nine o'clock is still owed."""
    altered = with_values(ORDER, {"local_time": time(10), "size": 3}, DUE + _MINUTE)
    assert altered == replace(ORDER, local_time=time(10), size=3)
