"""The outcomes of failed attempts. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.errors import Gone, NotAllowed, OutcomeUnknown, RetryLater, SendError, TokenRevoked
from bot.operations.health import unforeseen
from bot.posting.delivery.timing import Timing
from store.posting.claim import ClaimedDelivery, Outcome
from store.posting.queue import LONGEST_WAIT
from store.records import DeliveryState, Refusal


@dataclass(frozen=True, slots=True)
class FailedAttempt:
    """A failed attempt, as far as its outcome depends on it.

    `attempts` counts the delivery's attempts, this one included; `enqueued_at` is when they began.
    `begun` tells that the delivery's messages are recorded, `is_reply` that the failed message
    follows one that is posted, `send_anyway` that a user wants it sent though it may have arrived.
    """

    now: datetime
    enqueued_at: datetime
    attempts: int
    begun: bool = True
    is_reply: bool = False
    send_anyway: bool = False


def after_send_error(
    error: SendError, failed: FailedAttempt, timing: Timing
) -> tuple[Outcome, Refusal | None]:
    """Return the outcome of an attempt whose message was not sent, or not surely.

    The refusal says why the subscription can no longer be delivered to, where it can't.
    """
    if isinstance(error, OutcomeUnknown):
        if _gives_up(failed, timing):
            return Outcome(DeliveryState.UNKNOWN, DeliveryState.UNKNOWN, error=_words(error)), None
        # It may still arrive: this process keeps the claim until it is certain or the lease ends.
        retry = DeliveryState.RETRY
        return Outcome(retry, DeliveryState.UNKNOWN, error=_words(error), stays_claimed=True), None
    if (requested := _requested_delay(error)) is not None:
        return postpone(requested, failed), None
    if isinstance(error, RetryLater | TokenRevoked):
        return _retry(error, failed, timing, DeliveryState.PENDING), None
    dead = Outcome(DeliveryState.DEAD, error=_words(error))
    # A thread that is gone does not mean that its channel is.
    if isinstance(error, NotAllowed) or (isinstance(error, Gone) and not failed.is_reply):
        return dead, Refusal(error.sentence, error.remedy, error.code)
    return dead, None


def after_find_error(error: SendError, failed: FailedAttempt, timing: Timing) -> Outcome | None:
    """Return the outcome of an attempt whose message could not be looked for.

    Returns:
        `None` if it is to be sent all the same.
    """
    if (requested := _requested_delay(error)) is not None:
        return postpone(requested, failed, DeliveryState.UNKNOWN)
    if isinstance(error, RetryLater | TokenRevoked) and not _gives_up(failed, timing):
        return _retry(error, failed, timing, DeliveryState.UNKNOWN)
    if failed.send_anyway:
        return None
    return Outcome(DeliveryState.UNKNOWN, DeliveryState.UNKNOWN, error=_words(error))


def after_edit_error(error: SendError, failed: FailedAttempt, timing: Timing) -> datetime | None:
    """Return when to retry a correction, `None` if it is given up."""
    passed = failed.now - failed.enqueued_at
    if (
        not isinstance(error, RetryLater | OutcomeUnknown | TokenRevoked)
        or passed >= timing.give_up
    ):
        return None
    if (requested := _requested_delay(error)) is not None:
        return failed.now + requested
    # Corrections count no attempts. Waiting as long as has passed doubles each wait.
    least, most = timedelta(seconds=timing.first_wait), timedelta(seconds=timing.longest_wait)
    return failed.now + min(max(passed, least), most)


def after_unhandled_error(
    error: Exception, work: ClaimedDelivery, now: datetime, timing: Timing
) -> Outcome:
    """Return the outcome of an attempt that ended with an unhandled error.

    Its last call may have succeeded, so it is retried only after the lease.
    """
    failed = FailedAttempt(now, work.enqueued_at, work.delivery.attempts + 1)
    if work.is_correction:
        ready_at = after_edit_error(OutcomeUnknown(unforeseen(error)), failed, timing)
        return Outcome(DeliveryState.SENT, ready_at=ready_at)
    if _gives_up(failed, timing):
        return Outcome(DeliveryState.UNKNOWN, error=unforeseen(error))
    return Outcome(DeliveryState.RETRY, error=unforeseen(error), stays_claimed=True)


def postpone(
    delay: timedelta, failed: FailedAttempt, part: DeliveryState = DeliveryState.PENDING
) -> Outcome:
    """Return the outcome of an attempt that waits for a slot, or as its platform requests.

    It counts as no attempt and is never given up: each wait is an hour at most, and a newer edition
    overtakes what was not begun.
    """
    state = DeliveryState.RETRY if failed.begun else DeliveryState.PENDING
    return Outcome(state, part, failed.now + delay, counts=False)


def retry_delay(error: SendError, attempts: int, timing: Timing) -> timedelta:
    """Return how long to wait after an error: as requested, else twice as long each time."""
    requested = _requested_delay(error)
    return _backoff(attempts, timing) if requested is None else requested


def _requested_delay(error: SendError) -> timedelta | None:
    """Return how long the platform asks to wait, within a limit, where it does."""
    after = getattr(error, "after", None)
    return None if after is None else min(timedelta(seconds=max(after, 0.0)), LONGEST_WAIT)


def _backoff(attempts: int, timing: Timing) -> timedelta:
    doubled = timing.first_wait * 2.0 ** min(max(attempts - 1, 0), 16)
    return timedelta(seconds=min(doubled, timing.longest_wait))


def _gives_up(failed: FailedAttempt, timing: Timing) -> bool:
    return failed.attempts >= timing.tries and failed.now >= failed.enqueued_at + timing.give_up


def _retry(error: SendError, failed: FailedAttempt, timing: Timing, part: DeliveryState) -> Outcome:
    if _gives_up(failed, timing):
        return Outcome(DeliveryState.DEAD, part, error=_words(error))
    ready_at = failed.now + _backoff(failed.attempts, timing)
    return Outcome(DeliveryState.RETRY, part, ready_at, _words(error))


def _words(error: SendError) -> str:
    return f"{error.sentence} {error.remedy}".strip()
