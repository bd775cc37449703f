"""What an error means for a delivery. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.errors import Gone, NotAllowed, OutcomeUnknown, RetryLater, SendError, TokenRevoked
from bot.operations.health import unforeseen
from bot.posting.delivery.timing import Pace
from store.posting.claim import Outcome, Work
from store.posting.queue import LONGEST_WAIT
from store.records import DeliveryState, Refusal


@dataclass(frozen=True, slots=True)
class Situation:
    """What is known when an attempt fails.

    `attempts` counts the attempts at the delivery with this one, from 1, `enqueued_at` is since
    when. `begun` tells whether its messages were noted, `replies` whether the message belongs to
    one that stands already, and `send_anyway` whether somebody wants it sent though it may have
    arrived.
    """

    now: datetime
    enqueued_at: datetime
    attempts: int
    begun: bool = True
    replies: bool = False
    send_anyway: bool = False


def after_sending(error: SendError, at: Situation, pace: Pace) -> tuple[Outcome, Refusal | None]:
    """Return what becomes of a delivery of which a message was not sent, or nobody knows.

    Where its order can no longer be carried out, the refusal says why.
    """
    said = _said(error)
    if isinstance(error, OutcomeUnknown):
        if _is_over(at, pace):
            return Outcome(DeliveryState.UNKNOWN, DeliveryState.UNKNOWN, error=said), None
        # It may still arrive: this process keeps it, until that is certain or its lease ended.
        return Outcome(DeliveryState.RETRY, DeliveryState.UNKNOWN, error=said, kept=True), None
    if (waits := _asked(error)) is not None:
        return put_off(waits, at), None
    if isinstance(error, RetryLater | TokenRevoked):
        return _later(at, pace, DeliveryState.PENDING, said), None
    dead = Outcome(DeliveryState.DEAD, error=said)
    # A thread that is gone says nothing of the channel.
    if isinstance(error, NotAllowed) or (isinstance(error, Gone) and not at.replies):
        return dead, Refusal(error.sentence, error.remedy, error.code)
    return dead, None


def after_looking(error: SendError, at: Situation, pace: Pace) -> Outcome | None:
    """Return what becomes of a delivery where nobody can tell whether a message arrived.

    Returns:
        `None` where it is to be sent all the same.
    """
    said = _said(error)
    if (waits := _asked(error)) is not None:
        return put_off(waits, at, DeliveryState.UNKNOWN)
    if isinstance(error, RetryLater | TokenRevoked) and not _is_over(at, pace):
        return _later(at, pace, DeliveryState.UNKNOWN, said)
    if at.send_anyway:
        return None
    return Outcome(DeliveryState.UNKNOWN, DeliveryState.UNKNOWN, error=said)


def put_off(wait: timedelta, at: Situation, part: DeliveryState = DeliveryState.PENDING) -> Outcome:
    """Return that a delivery waits: for a slot of its own rate limits, or as the platform asks.

    Nothing was tried, so that no attempt is counted. However often it is put off it is not given
    up: each wait is an hour at most, and a newer edition overtakes what was not begun.
    """
    state = DeliveryState.RETRY if at.begun else DeliveryState.PENDING
    return Outcome(state, part, at.now + wait, tried=False)


def after_editing(error: SendError, at: Situation, pace: Pace) -> datetime | None:
    """Return when to try a correction again, `None` where it is left as it is."""
    passed = at.now - at.enqueued_at
    if not isinstance(error, RetryLater | OutcomeUnknown | TokenRevoked) or passed >= pace.give_up:
        return None
    if (asked := _asked(error)) is not None:
        return at.now + asked
    # Attempts are not counted. To wait as long as was waited is to wait twice as long each time.
    least, most = timedelta(seconds=pace.first_wait), timedelta(seconds=pace.longest_wait)
    return at.now + min(max(passed, least), most)


def after_mishap(error: Exception, work: Work, now: datetime, pace: Pace) -> Outcome:
    """Return what becomes of a delivery in which something happened that nobody foresaw.

    What it was doing then may have been done, so that it is gone on with after the lease only.
    """
    at = Situation(now, work.enqueued_at, work.delivery.attempts + 1)
    if work.is_correction:
        again = after_editing(OutcomeUnknown(unforeseen(error)), at, pace)
        return Outcome(DeliveryState.SENT, ready_at=again)
    if _is_over(at, pace):
        return Outcome(DeliveryState.UNKNOWN, error=unforeseen(error))
    return Outcome(DeliveryState.RETRY, error=unforeseen(error), kept=True)


def wait(error: SendError, attempts: int, pace: Pace) -> timedelta:
    """Return how long to wait after a failure: as asked, else twice as long each time."""
    asked = _asked(error)
    return _doubled(attempts, pace) if asked is None else asked


def _asked(error: SendError) -> timedelta | None:
    """Return how long the platform asks to wait, where it does, within what is believed."""
    after = getattr(error, "after", None)
    return None if after is None else min(timedelta(seconds=max(after, 0.0)), LONGEST_WAIT)


def _doubled(attempts: int, pace: Pace) -> timedelta:
    doubled = pace.first_wait * 2.0 ** min(max(attempts - 1, 0), 16)
    return timedelta(seconds=min(doubled, pace.longest_wait))


def _is_over(at: Situation, pace: Pace) -> bool:
    return at.attempts >= pace.tries and at.now >= at.enqueued_at + pace.give_up


def _later(at: Situation, pace: Pace, part: DeliveryState, said: str) -> Outcome:
    if _is_over(at, pace):
        return Outcome(DeliveryState.DEAD, part, error=said)
    return Outcome(DeliveryState.RETRY, part, at.now + _doubled(at.attempts, pace), said)


def _said(error: SendError) -> str:
    return f"{error.sentence} {error.remedy}".strip()
