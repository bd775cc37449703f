"""Standing orders given, changed and taken back, and what that means for what they are owed."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session

from store.coordination.request_claims import Claim, claim, claimed_at, is_claimed
from store.posting import editions_to_post, subscriptions
from store.posting.deliveries import of_subscriptions
from store.posting.notices import add_notice, drop_notices
from store.posting.queue import Asked, deliver_now, drop_unsent, retry, revive
from store.records import DeliveryState, Refusal, Subscription, SubscriptionState, Workspace

# The code of the refusal of an order in a workspace that the bot is no longer in.
REMOVED = "removed"

_ORDERED = (
    "weekday", "local_time", "zone", "sources", "topics", "not_topics", "size", "layout",
    "patience",
)  # fmt: skip
_FAILED = frozenset({DeliveryState.DEAD, DeliveryState.SKIPPED, DeliveryState.UNKNOWN})


@dataclass(frozen=True, slots=True)
class Given:
    """A standing order as it is stored, and whether it was added for the one who asks."""

    order: Subscription
    is_new: bool


@dataclass(frozen=True, slots=True)
class Altered:
    """A standing order before and after; not `fresh` where the request had been carried out."""

    before: Subscription
    after: Subscription
    fresh: bool


def give(session: Session, order: Subscription, request: Claim | None = None) -> Given:
    """Add a standing order to its channel, unless that has the same already.

    A request that comes again adds nothing and is told the same.

    Raises:
        LookupError: where a request comes again and what it added has changed since.
    """
    standing = subscriptions.of_channel(session, order.channel)
    known = next((each for each in standing if is_same(each, order)), None)
    if known is not None:
        return Given(known, is_new=request is not None and is_claimed(session, request))
    if request is not None and not claim(session, request):
        raise LookupError(request.key)
    added = subscriptions.add_subscription(session, order)
    subscriptions.note_channel(session, order.channel, order.facts)
    return Given(replace(order, id=added), is_new=True)


def is_same(one: Subscription, other: Subscription) -> bool:
    """Tell whether two orders post the same at the same times."""
    return all(getattr(one, field) == getattr(other, field) for field in _ORDERED)


def alter(  # noqa: PLR0913 - the two clocks and the claim come beside what is altered
    session: Session,
    subscription_id: int,
    altered: Callable[[Subscription], Subscription],
    request: Claim | None,
    *,
    at: datetime,
    now: datetime,
) -> Altered:
    """Alter a standing order; what it is owed and nothing was sent of waits for as long.

    One that is carried out no longer has its unsent deliveries skipped, one that is again has
    those of the newest editions sent.

    Args:
        session: where it is stored.
        subscription_id: its id, which is known to exist.
        altered: returns the order as it shall be; pure, for it may be called again.
        request: is claimed, so that a request that comes again alters nothing.
        at: the time, by the clock that a setting may move.
        now: the same, by one that nothing moves.
    """
    before = _by_id(session, subscription_id)
    after = altered(before)
    if request is not None and not claim(session, request):
        return Altered(before, before, fresh=False)
    if after != before:
        _save(session, after)
    if after.state is not SubscriptionState.REFUSED or after.cancelled_at is not None:
        drop_notices(session, subscription_id)
    if is_carried_out(before) and not is_carried_out(after):
        drop_unsent(session, subscription_id, _why(after))
    if is_carried_out(after) and not is_carried_out(before):
        revive(session, after, at.date(), now)
    return Altered(before, after, fresh=True)


def is_carried_out(order: Subscription) -> bool:
    """Tell whether what an order is owed is posted when it is due."""
    return order.state is SubscriptionState.ACTIVE and order.cancelled_at is None


def deliver(
    session: Session,
    subscription_id: int,
    request: Claim | None,
    at: datetime,
    now: datetime,
) -> list[Asked]:
    """Owe an order the newest edition of each source that it follows, as `deliver_now`.

    A request that comes again is told the same and sends nothing again: what it put into the
    queue is due since it was claimed. Only what has failed by now is told as that.
    """
    order = _by_id(session, subscription_id)
    if request is None or claim(session, request):
        return deliver_now(session, order, request.at if request else at, now)
    owed = {
        (each.source, each.first_day)
        for each in editions_to_post.wanted(
            order.sources, editions_to_post.newest(session, at.date())
        )
    }
    made = of_subscriptions(session, [subscription_id])
    asked_at = claimed_at(session, request)
    return [
        Asked(each, is_new=each.due_at == asked_at and each.state not in _FAILED)
        for each in made
        if (each.source, each.first_day) in owed
    ]


def post_again(session: Session, delivery_id: int, request: Claim | None, now: datetime) -> bool:
    """Have a delivery sent that nobody knows of whether it arrived; return whether it was put so.

    Raises:
        LookupError: if there is no such delivery.
    """
    if request is not None and not claim(session, request):
        return True
    return retry(session, delivery_id, now)


def refuse_workspace(
    session: Session, workspace: Workspace, refusal: Refusal, now: datetime
) -> None:
    """Refuse the orders of a workspace that the bot is no longer in, and note to tell their owners.

    What was paused stays paused: it will be, too, once the bot is back.
    """
    for order in subscriptions.of_workspace(session, workspace):
        if order.state is SubscriptionState.ACTIVE and order.id is not None:
            # It stays due as it was, so that a bot that is back in time catches up.
            _save(session, replace(order, state=SubscriptionState.REFUSED, refusal=refusal))
            drop_unsent(session, order.id, refusal.sentence)
            key = f"n{order.id}-{int(now.timestamp())}"
            add_notice(session, order.id, refusal, key, now)


def restore_workspace(session: Session, workspace: Workspace, at: datetime, now: datetime) -> None:
    """Carry out the orders of a workspace again that were refused while the bot was not there.

    `at` and `now` are as of `alter`.
    """
    for order in subscriptions.of_workspace(session, workspace):
        if order.refusal is not None and order.refusal.code == REMOVED:
            active = replace(order, state=SubscriptionState.ACTIVE, refusal=None)
            _save(session, active)
            drop_notices(session, order.id or 0)
            revive(session, active, at.date(), now)


def _why(order: Subscription) -> str:
    if order.cancelled_at is not None:
        return "The subscription was taken back."
    return "The subscription was paused."


def _save(session: Session, order: Subscription) -> None:
    until = order.open_due_at + order.patience if order.open_due_at else None
    editions_to_post.save(session, order, until)


def _by_id(session: Session, subscription_id: int) -> Subscription:
    order = subscriptions.by_id(session, subscription_id)
    if order is None:  # the workspace was forgotten a moment ago
        raise LookupError(subscription_id)
    return order
