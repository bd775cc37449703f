"""Changes to subscriptions, and writes of them after which posting is notified."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Concatenate, ParamSpec, TypeVar

from bot.clock import Clock
from bot.domain.schedule import WEEKDAYS, next_due
from bot.domain.zones import zone_name
from bot.errors import UserError
from store.coordination.request_claims import Claim
from store.database import Database, Session
from store.posting import change_subscription
from store.posting.change_subscription import ChangedSubscription
from store.records import Subscription, SubscriptionState

P = ParamSpec("P")
T = TypeVar("T")


class Subscriptions:
    """Writes to the subscriptions of channels.

    `notify` tells posting that something may be due; deliveries wait by the system `clock`.
    """

    def __init__(self, database: Database, notify: Callable[[], None], clock: Clock) -> None:
        self._database = database
        self._notify = notify
        self._clock = clock

    async def change(
        self,
        subscription: Subscription,
        change: Callable[[Subscription], Subscription],
        now: datetime,
        request: Claim | None,
    ) -> ChangedSubscription:
        """Change a stored subscription by a pure function.

        Raises:
            UserError: if the request was carried out before and the subscription changed since.
            StoreError: as `Database.write`.
        """
        done = await self.write(
            change_subscription.change,
            stored_id(subscription),
            change,
            request,
            at=now,
            now=self._clock.now(),
        )
        if not done.is_new and change(done.after) != done.after:
            raise _changed_since(f"subscription {subscription.id}")
        return done

    async def write(
        self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Write in one transaction, and notify posting.

        Raises:
            UserError: if the subscription was deleted since.
            StoreError: as `Database.write`.
        """
        try:
            return await self._database.write(fn, *args, **kwargs)
        except LookupError:
            raise _changed_since("the subscription") from None
        finally:
            self._notify()


def stored_id(subscription: Subscription) -> int:
    """Return the id of a subscription that was read from the store."""
    if subscription.id is None:
        raise AssertionError("a stored subscription has an id")
    return subscription.id


def _changed_since(which: str) -> UserError:
    return UserError(
        f"This was asked and done before, and {which} has changed since.",
        "subscriptions shows how it stands.",
    )


def with_values(
    subscription: Subscription, values: Mapping[str, Any], now: datetime
) -> Subscription:
    """Return a subscription with other values of its fields, scheduled anew.

    A due time that has come, and that no tick has looked at yet, stays: its edition is due.
    """
    changed = replace(subscription, **values)
    is_due = subscription.next_due_at is not None and subscription.next_due_at <= now
    if subscription.state is not SubscriptionState.ACTIVE or is_due:
        return changed
    return _scheduled(changed, now)


def pause_until(subscription: Subscription, until: datetime | None) -> Subscription:
    """Return a subscription that is paused until an instant, or until it is resumed."""
    return replace(
        subscription,
        state=SubscriptionState.PAUSED,
        paused_until=until,
        next_due_at=None,
        open_due_at=None,
        refusal=None,
    )


def stop_until(subscription: Subscription, until: datetime | None) -> Subscription:
    """Return a subscription as `pause_until` does, but that posts no sooner than it would have.

    That is the pause of somebody who may stop it, and not start it.
    """
    ends, is_active = subscription.paused_until, subscription.state is SubscriptionState.ACTIVE
    is_longer = until is None or (ends is not None and until > ends)
    return pause_until(subscription, until) if is_active or is_longer else subscription


def reactivate(subscription: Subscription, now: datetime) -> Subscription:
    """Return a subscription that is active again, after any pause, refusal or cancellation."""
    if subscription.state is SubscriptionState.ACTIVE and subscription.cancelled_at is None:
        return subscription
    active = replace(
        subscription,
        state=SubscriptionState.ACTIVE,
        paused_until=None,
        open_due_at=None,
        refusal=None,
        cancelled_at=None,
    )
    return _scheduled(active, now)


def cancel(subscription: Subscription, now: datetime) -> Subscription:
    """Return a subscription that is cancelled."""
    return replace(subscription, cancelled_at=subscription.cancelled_at or now, open_due_at=None)


def _scheduled(subscription: Subscription, now: datetime) -> Subscription:
    following = next_due(subscription.weekday, subscription.local_time, subscription.zone, now)
    return replace(subscription, next_due_at=following)


def in_words(subscription: Subscription) -> str:
    """Word when a subscription posts: `every Monday at 09:00 (Europe/Berlin)`."""
    day = WEEKDAYS[subscription.weekday].capitalize()
    return f"every {day} at {subscription.local_time:%H:%M} ({zone_name(subscription.zone)})"
