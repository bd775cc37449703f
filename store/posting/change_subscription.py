"""Adds, changes and cancels subscriptions, and adapts their deliveries to that."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from hashlib import blake2b
from zoneinfo import ZoneInfo

from sqlmodel import Session

from store.coordination.request_claims import Claim, claim, claimed_at, is_claimed
from store.posting import subscriptions
from store.posting.deliveries import of_subscriptions
from store.posting.editions_to_post import followed_editions, newest_editions
from store.posting.notices import add_notice, delete_notices_of
from store.posting.personal_deliveries import enqueue_digest
from store.posting.queue import RequestedDelivery, enqueue_newest, retry, retry_newest, skip_unsent
from store.records import DeliveryState, Refusal, Subscription, SubscriptionState, Workspace

# The code of the refusal of a subscription in a workspace that the bot left.
REMOVED = "removed"

_POSTING_FIELDS = (
    "weekday", "local_time", "zone", "sources", "topics", "not_topics", "size", "layout",
    "patience", "personal",
)  # fmt: skip
_FAILED = frozenset({DeliveryState.DEAD, DeliveryState.SKIPPED, DeliveryState.UNKNOWN})
_MARK_BYTES = 4


class ChangedSince(Exception):
    """A subscription is not as whoever wants to change it has seen it; nothing was written."""


@dataclass(frozen=True, slots=True)
class AddedSubscription:
    """A stored subscription, and whether this request added it."""

    subscription: Subscription
    is_new: bool


@dataclass(frozen=True, slots=True)
class ChangedSubscription:
    """A subscription before and after; not `is_new` where the request came before."""

    before: Subscription
    after: Subscription
    is_new: bool


def add_once(
    session: Session, subscription: Subscription, request: Claim | None = None
) -> AddedSubscription:
    """Add a subscription to its channel, unless the channel has the same already.

    A repeated request adds nothing and gets the same answer.

    Raises:
        LookupError: where the request is repeated and what it added has changed since.
    """
    existing = subscriptions.of_channel(session, subscription.channel)
    same = next((each for each in existing if posts_the_same(each, subscription)), None)
    if same is not None:
        return AddedSubscription(same, is_new=request is not None and is_claimed(session, request))
    if request is not None and not claim(session, request):
        raise LookupError(request.key)
    added = subscriptions.add_subscription(session, subscription)
    subscriptions.save_channel_facts(session, subscription.channel, subscription.facts)
    return AddedSubscription(replace(subscription, id=added), is_new=True)


def posts_the_same(one: Subscription, other: Subscription) -> bool:
    """Tell whether two subscriptions post the same at the same times."""
    return all(getattr(one, field) == getattr(other, field) for field in _POSTING_FIELDS)


def is_active(subscription: Subscription) -> bool:
    """Tell whether a subscription posts when it is due."""
    return subscription.state is SubscriptionState.ACTIVE and subscription.cancelled_at is None


def mark_of(subscription: Subscription) -> str:
    """Return a mark that subscriptions share which people have set alike. Pure.

    A pause is marked by the day that it can be made anew by.
    """
    stands = (
        *(str(getattr(subscription, field)) for field in _POSTING_FIELDS),
        subscription.state.value,
        str(pause_ends_on(subscription)),
        str(subscription.cancelled_at is not None),
    )
    return blake2b(repr(stands).encode(), digest_size=_MARK_BYTES).hexdigest()


def pause_ends_on(subscription: Subscription) -> date | None:
    """Return the first whole day after a pause, `None` without one or where it has no end. Pure."""
    if subscription.state is not SubscriptionState.PAUSED or subscription.paused_until is None:
        return None
    end = subscription.paused_until.astimezone(ZoneInfo(subscription.zone))
    return end.date() if end.time() == time() else end.date() + timedelta(days=1)


def change(  # noqa: PLR0913 - the clocks, the claim and the mark come beside what is changed
    session: Session,
    subscription_id: int,
    changed: Callable[[Subscription], Subscription],
    request: Claim | None,
    *,
    at: datetime,
    now: datetime,
    seen: str | None = None,
) -> ChangedSubscription:
    """Change a subscription.

    Unsent deliveries are skipped where it is active no longer; those of the newest editions are
    retried where it is active again.

    Args:
        session: a session.
        subscription_id: its id, which is known to exist.
        changed: returns the changed subscription; pure, for it may be called again.
        request: is claimed, so that a repeated request changes nothing.
        at: the time, by the clock that a setting may move.
        now: the time, by the system clock.
        seen: the mark of the subscription as the user has seen it, if that matters.

    Raises:
        ChangedSince: if it is not so any more.
    """
    before = _read(session, subscription_id)
    if request is not None and not claim(session, request):
        return ChangedSubscription(before, before, is_new=False)
    if seen not in {None, mark_of(before)}:
        raise ChangedSince
    after = changed(before)
    if after != before:
        subscriptions.update_subscription(session, after)
    if after.state is not SubscriptionState.REFUSED or after.cancelled_at is not None:
        delete_notices_of(session, subscription_id)
    if is_active(before) and not is_active(after):
        is_cancelled = after.cancelled_at is not None
        ended = "cancelled" if is_cancelled else "paused"
        skip_unsent(session, subscription_id, f"The subscription was {ended}.")
    if is_active(after) and not is_active(before):
        retry_newest(session, after, at.date(), now)
    return ChangedSubscription(before, after, is_new=True)


def post_now(
    session: Session,
    subscription_id: int,
    request: Claim | None,
    at: datetime,
    now: datetime,
) -> list[RequestedDelivery]:
    """Enqueue the newest edition of each source of a subscription, as `enqueue_newest`.

    A repeated request enqueues nothing and gets the same answer: its deliveries are due since the
    instant of its claim. Only those that have failed by now are reported as not new.
    """
    subscription = _read(session, subscription_id)
    if subscription.personal:
        due_at = request.at if request else at
        is_new = enqueue_digest(session, [subscription_id], due_at, now) == 1
        made = of_subscriptions(session, [subscription_id])
        return [RequestedDelivery(each, is_new) for each in made if each.due_at == due_at]
    if request is None or claim(session, request):
        return enqueue_newest(session, subscription, request.at if request else at, now)
    newest = newest_editions(session, at.date())
    wanted = {
        (edition.source, edition.first_day)
        for edition in followed_editions(subscription.sources, newest)
    }
    requested_at = claimed_at(session, request)
    return [
        RequestedDelivery(
            delivery, is_new=delivery.due_at == requested_at and delivery.state not in _FAILED
        )
        for delivery in of_subscriptions(session, [subscription_id])
        if (delivery.source, delivery.first_day) in wanted
    ]


def post_again(session: Session, delivery_id: int, request: Claim | None, now: datetime) -> bool:
    """Retry an unknown delivery; return whether it is enqueued.

    Raises:
        LookupError: if there is no such delivery.
    """
    if request is not None and not claim(session, request):
        return True
    return retry(session, delivery_id, now)


def refuse_workspace(
    session: Session, workspace: Workspace, refusal: Refusal, now: datetime
) -> None:
    """Refuse the active subscriptions of a workspace that the bot left; add notices to the owners.

    Paused ones stay paused, also once the bot is back.
    """
    for subscription in subscriptions.of_workspace(session, workspace):
        if subscription.state is SubscriptionState.ACTIVE and subscription.id is not None:
            # Its due times stay, so that a bot that is back in time catches up.
            refused = replace(subscription, state=SubscriptionState.REFUSED, refusal=refusal)
            subscriptions.update_subscription(session, refused)
            skip_unsent(session, subscription.id, refusal.sentence)
            key = f"n{subscription.id}-{int(now.timestamp())}"
            add_notice(session, subscription.id, refusal, key, now)


def restore_workspace(session: Session, workspace: Workspace, at: datetime, now: datetime) -> None:
    """Activate the subscriptions of a workspace that were refused while the bot was not there.

    `at` and `now` are as of `change`.
    """
    for subscription in subscriptions.of_workspace(session, workspace):
        if subscription.refusal is not None and subscription.refusal.code == REMOVED:
            active = replace(subscription, state=SubscriptionState.ACTIVE, refusal=None)
            subscriptions.update_subscription(session, active)
            delete_notices_of(session, subscription.id or 0)
            retry_newest(session, active, at.date(), now)


def _read(session: Session, subscription_id: int) -> Subscription:
    subscription = subscriptions.by_id(session, subscription_id)
    if subscription is None:  # its workspace was deleted a moment ago
        raise LookupError(subscription_id)
    return subscription
