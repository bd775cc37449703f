"""Writes to subscriptions, after which posting is notified."""

from collections.abc import Callable
from datetime import datetime
from typing import Concatenate, ParamSpec, TypeVar

from bot.clock import Clock
from bot.errors import UserError
from store.coordination.request_claims import Claim
from store.database import Database, Session
from store.posting import change_subscription
from store.posting.change_subscription import ChangedSubscription
from store.records import Subscription

P = ParamSpec("P")
T = TypeVar("T")


class Subscriptions:
    """Writes to the subscriptions of channels.

    Args:
        database: the store.
        notify: tells posting that something may be due.
        clock: the system clock, by which deliveries wait.
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
