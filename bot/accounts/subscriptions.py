"""What channels ordered, and what became of it: the standing orders as commands see them."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from bot.accounts import change_subscription as deciding
from bot.accounts.change_subscription import Wishes
from bot.clock import Clock, SystemClock
from bot.errors import Option, UserError
from store.coordination.request_claims import Claim, claimed_at
from store.database import Database, Session
from store.posting import change_subscription, deliveries, subscriptions
from store.posting.change_subscription import AddedSubscription, ChangedSubscription
from store.posting.queue import RequestedDelivery
from store.records import Channel, ChannelFacts, Delivery, Subscription, Workspace

if TYPE_CHECKING:
    from bot.actor import Actor

P = ParamSpec("P")
T = TypeVar("T")


_LAST_SENT = 5  # posts of each that are told of


def _nothing() -> None:
    """Wake nobody."""


class Subscriptions:
    """The standing orders of channels, each workspace's its own.

    Args:
        database: the store.
        wake: tells whoever sends posts that there may be something to send.
        clock: tells the time by which that goes, which no setting moves.
    """

    def __init__(
        self,
        database: Database,
        wake: Callable[[], None] = _nothing,
        clock: Clock | None = None,
    ) -> None:
        self._database = database
        self._wake = wake
        self._clock = clock or SystemClock()

    async def of_channel(self, channel: Channel) -> list[Subscription]:
        """Return the orders of a channel that were not taken back.

        Raises:
            StoreError: as `Database.read`, here and below.
        """
        return await self._database.read(subscriptions.of_channel, channel)

    async def of_workspace(self, workspace: Workspace) -> list[Subscription]:
        """Return the orders of a workspace that were not taken back."""
        return await self._database.read(subscriptions.of_workspace, workspace)

    async def everywhere(self) -> list[Subscription]:
        """Return the orders of all workspaces that were not taken back."""
        return await self._database.read(subscriptions.list_subscriptions)

    async def find(self, workspace: Workspace, subscription_id: int) -> Subscription | None:
        """Return an order of a workspace, also one that was taken back."""
        return await self._database.read(subscriptions.find, workspace, subscription_id)

    async def last_of(self, channel: Channel) -> Subscription | None:
        """Return the last order of a channel, also if it was taken back."""
        return await self._database.read(subscriptions.last_of_channel, channel)

    async def deliveries_of(self, found: Sequence[Subscription]) -> list[Delivery]:
        """Return the deliveries of some orders, with their parts."""
        ids = [each.id for each in found if each.id is not None]
        return await self._database.read(deliveries.of_subscriptions, ids)

    async def standing_of(self, found: Sequence[Subscription]) -> list[Delivery]:
        """Return the deliveries that tell how some orders stand, with their parts."""
        ids = [each.id for each in found if each.id is not None]
        return await self._database.read(deliveries.list_telling, ids, _LAST_SENT)

    async def offers(self, actor: "Actor") -> list[Option]:
        """Return the ids of the orders where an actor is, and when each posts."""
        for place in (actor.channel, actor.parent):
            workspace = Workspace(actor.platform, actor.workspace)
            found = await self.of_channel(Channel(workspace, place)) if place else []
            if found:
                return [Option(str(each.id), deciding.in_words(each)) for each in found]
        return []

    async def ended_by(self, request: Claim | None, channel: Channel) -> Subscription | None:
        """Return the order of a channel that this very request took back when it came before."""
        if request is None or (at := await self._database.read(claimed_at, request)) is None:
            return None
        last = await self.last_of(channel)
        return last if last is not None and last.cancelled_at == at else None

    async def note(self, channel: Channel, facts: ChannelFacts) -> None:
        """Note what is known of a channel now.

        Raises:
            StoreError: as `Database.write`, here and below.
        """
        await self._database.write(subscriptions.save_channel_facts, channel, facts)

    async def give(self, order: Subscription, request: Claim | None) -> AddedSubscription:
        """Add an order to its channel, unless that has the same already."""
        return await self._written(change_subscription.add_once, order, request)

    async def change(
        self, order: Subscription, wishes: Wishes, now: datetime, request: Claim | None
    ) -> ChangedSubscription:
        """Alter an order as it is wished to be from now on."""
        return await self._altered(
            order, lambda it: deciding.changed(it, wishes, now), now, request
        )

    async def pause(
        self, order: Subscription, until: datetime | None, now: datetime, request: Claim | None
    ) -> ChangedSubscription:
        """Let an order post nothing until an instant, or until somebody resumes it."""
        return await self._altered(order, lambda it: deciding.paused(it, until), now, request)

    async def resume(
        self, order: Subscription, now: datetime, request: Claim | None
    ) -> ChangedSubscription:
        """Carry an order out again, whatever kept it."""
        return await self._altered(order, lambda it: deciding.resumed(it, now), now, request)

    async def end(
        self, order: Subscription, now: datetime, request: Claim | None
    ) -> ChangedSubscription:
        """Take an order back."""
        return await self._altered(order, lambda it: deciding.ended(it, now), now, request)

    async def deliver(
        self, order: Subscription, now: datetime, request: Claim | None
    ) -> list[RequestedDelivery]:
        """Owe an order the newest edition of each source that it follows, at once."""
        return await self._written(
            change_subscription.post_now, _id(order), request, now, self._clock.now()
        )

    async def post_again(self, delivery: Delivery, request: Claim | None) -> bool:
        """Have a delivery sent that nobody knows of whether it arrived."""
        return await self._written(
            change_subscription.post_again, delivery.id, request, self._clock.now()
        )

    async def _altered(
        self,
        order: Subscription,
        altered: Callable[[Subscription], Subscription],
        now: datetime,
        request: Claim | None,
    ) -> ChangedSubscription:
        done = await self._written(
            change_subscription.change, _id(order), altered, request, at=now, now=self._clock.now()
        )
        if not done.is_new and altered(done.after) != done.after:
            raise _changed_since(order)
        return done

    async def _written(
        self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        try:
            return await self._database.write(fn, *args, **kwargs)
        except LookupError:
            raise _changed_since(None) from None
        finally:
            self._wake()


def _id(order: Subscription) -> int:
    if order.id is None:
        raise AssertionError("an order that was read has its id")
    return order.id


def _changed_since(order: Subscription | None) -> UserError:
    which = f"subscription {order.id}" if order else "the subscription"
    return UserError(
        f"This was asked and done before, and {which} has changed since.",
        "subscriptions shows how it stands.",
    )
