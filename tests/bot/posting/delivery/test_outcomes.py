"""What an error means for a delivery, decided without a store."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.errors import (
    Gone,
    NotAllowed,
    OutcomeUnknown,
    QueueFull,
    Rejected,
    RetryLater,
    SendError,
    TokenRevoked,
)
from bot.posting.delivery.outcomes import (
    FailedAttempt,
    after_edit_error,
    after_find_error,
    after_send_error,
)
from bot.posting.delivery.timing import Timing
from store.posting.claim import Outcome
from store.records import DeliveryState
from tests.bot.posting.delivery.setup import DUE

TIMING = Timing()
FIRST = FailedAttempt(now=DUE, enqueued_at=DUE, attempts=1)
# Queued days ago, and tried often or hardly ever.
LAST = replace(FIRST, enqueued_at=DUE - TIMING.give_up, attempts=TIMING.tries)
LATE = replace(LAST, attempts=1)
BUSY = RetryLater("Not now.")
LOST = OutcomeUnknown("Nobody knows.")


@pytest.mark.parametrize("error", [BUSY, TokenRevoked("No token.")])
def test_what_was_tried_long_and_often_is_given_up(error: SendError) -> None:
    """After so many days and attempts it is dead, and its subscription stands."""
    outcome, refusal = after_send_error(error, LAST, TIMING)
    assert (outcome.state, outcome.ready_at, refusal) == (DeliveryState.DEAD, None, None)


@pytest.mark.parametrize("at", [FIRST, LATE])
def test_what_was_hardly_tried_is_not_given_up(at: FailedAttempt) -> None:
    """Days in which nobody worked, or over which a clock jumped, are not held against it."""
    outcome, _ = after_send_error(BUSY, at, TIMING)
    assert outcome.state is DeliveryState.RETRY
    assert outcome.ready_at == DUE + timedelta(seconds=TIMING.first_wait)
    found = after_find_error(BUSY, at, TIMING)
    assert found is not None
    assert (found.state, found.part) == (DeliveryState.RETRY, DeliveryState.UNKNOWN)


def test_what_is_lost_again_and_again_is_left_to_people() -> None:
    """It is looked for after the lease; after days and many attempts people decide."""
    outcome, _ = after_send_error(LOST, LATE, TIMING)
    assert (outcome.state, outcome.ready_at, outcome.stays_claimed) == (
        DeliveryState.RETRY,
        None,
        True,
    )
    outcome, _ = after_send_error(LOST, LAST, TIMING)
    assert (outcome.state, outcome.ready_at) == (DeliveryState.UNKNOWN, None)


def test_what_the_platform_asks_is_waited() -> None:
    """Not longer than an hour, for that would be believed of a clock that jumped."""
    for asked, waited in ((7.5, 7.5), (86_400.0, 3600.0)):
        outcome, _ = after_send_error(RetryLater("Not now.", after=asked), FIRST, TIMING)
        assert outcome.ready_at == DUE + timedelta(seconds=waited)


@pytest.mark.parametrize("error", [QueueFull("Too much.", after=9.0), RetryLater("No.", after=9.0)])
@pytest.mark.parametrize("at", [FIRST, LAST])
def test_what_is_put_off_is_no_attempt(error: SendError, at: FailedAttempt) -> None:
    """By our own limits or the platform's word: it waits that long, and is never given up."""
    later = DUE + timedelta(seconds=9)
    put_off = Outcome(DeliveryState.RETRY, DeliveryState.PENDING, later, counts=False)
    assert after_send_error(error, at, TIMING) == (put_off, None)
    assert after_find_error(error, at, TIMING) == replace(put_off, part=DeliveryState.UNKNOWN)
    unbegun = after_send_error(error, replace(at, begun=False), TIMING)[0]
    assert unbegun.state is DeliveryState.PENDING


def test_only_the_channel_itself_ends_an_order() -> None:
    """Neither a form that is refused nor a thread that is gone does; what may not be said does."""
    reply = replace(FIRST, is_reply=True)
    assert after_send_error(Gone("Gone."), FIRST, TIMING)[1] is not None
    assert after_send_error(Gone("Gone."), reply, TIMING)[1] is None
    for failed in (FIRST, reply):
        assert after_send_error(NotAllowed("No."), failed, TIMING)[1] is not None
    assert after_send_error(Rejected("No form."), FIRST, TIMING)[1] is None


def test_a_correction_waits_twice_as_long_each_time() -> None:
    """As long as it waited until now, or as the platform asks, and for days."""
    for passed, waits in ((0, 5), (5, 5), (40, 40), (3600, 600)):
        at = replace(FIRST, enqueued_at=DUE - timedelta(seconds=passed))
        assert after_edit_error(BUSY, at, TIMING) == DUE + timedelta(seconds=waits)
    asked = RetryLater("Not now.", after=30.0)
    assert after_edit_error(asked, FIRST, TIMING) == DUE + timedelta(seconds=30)
    assert after_edit_error(BUSY, LATE, TIMING) is None
    assert after_edit_error(Rejected("No form."), FIRST, TIMING) is None
