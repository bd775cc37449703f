"""What an error means for a delivery. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.errors import Gone, NotAllowed, RetryLater, SendError, TokenLost, Unclear
from bot.outbox.pace import Pace
from store.ledger import Outcome
from store.queue import LONGEST_WAIT
from store.records import DeliveryState, Refusal


@dataclass(frozen=True, slots=True)
class Situation:
    """What is known when an attempt fails.

    `attempts` counts from 1 how often the delivery was taken up, `enqueued_at` is since when.
    `replies` tells whether the message belongs to one that stands already; `repeatable` whether
    sending it again with its key can't double it, and `insist` whether somebody wants that.
    """

    now: datetime
    enqueued_at: datetime
    attempts: int
    replies: bool = False
    repeatable: bool = False
    insist: bool = False


def after_sending(error: SendError, at: Situation, pace: Pace) -> tuple[Outcome, Refusal | None]:
    """Return what becomes of a delivery of which a message was not sent, or nobody knows.

    Where its order can no longer be carried out, the refusal says why.
    """
    said = _said(error)
    if isinstance(error, Unclear):
        # It may still arrive, so that nobody looks for it before the lease has run out.
        later = at.now + timedelta(seconds=pace.lease)
        return Outcome(DeliveryState.RETRY, DeliveryState.UNKNOWN, later, said), None
    if isinstance(error, RetryLater | TokenLost):
        return _later(error, at, pace, DeliveryState.PENDING), None
    dead = Outcome(DeliveryState.DEAD, error=said)
    # A thread that is gone, or closed, says nothing of the channel.
    if isinstance(error, NotAllowed | Gone) and not at.replies:
        return dead, Refusal(error.sentence, error.remedy, error.code)
    return dead, None


def after_looking(error: SendError, at: Situation, pace: Pace) -> Outcome | None:
    """Return what becomes of a delivery where nobody can tell whether a message arrived.

    Returns:
        `None` where it is to be sent all the same.
    """
    if isinstance(error, RetryLater | TokenLost) and at.now < at.enqueued_at + pace.give_up:
        return _later(error, at, pace, DeliveryState.UNKNOWN)
    if at.repeatable or at.insist:
        return None
    return Outcome(DeliveryState.UNKNOWN, DeliveryState.UNKNOWN, error=_said(error))


def after_editing(error: SendError, at: Situation, pace: Pace) -> datetime | None:
    """Return when to try a correction again, `None` where it is left as it is."""
    if isinstance(error, RetryLater | Unclear | TokenLost):
        outcome = _later(error, at, pace, DeliveryState.SENT)
        return outcome.ready_at
    return None


def wait(error: SendError, attempts: int, pace: Pace) -> timedelta:
    """Return how long to wait after a failure: as asked, else twice as long each time."""
    asked = getattr(error, "after", None)
    if asked is not None:
        return min(timedelta(seconds=max(asked, 0.0)), LONGEST_WAIT)
    doubled = pace.first_wait * 2.0 ** min(max(attempts - 1, 0), 16)
    return timedelta(seconds=min(doubled, pace.longest_wait))


def _later(error: SendError, at: Situation, pace: Pace, part: DeliveryState) -> Outcome:
    if at.now >= at.enqueued_at + pace.give_up:
        return Outcome(DeliveryState.DEAD, part, error=_said(error))
    return Outcome(DeliveryState.RETRY, part, at.now + wait(error, at.attempts, pace), _said(error))


def _said(error: SendError) -> str:
    return f"{error.sentence} {error.remedy}".strip()
