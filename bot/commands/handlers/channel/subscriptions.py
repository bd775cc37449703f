"""What a channel gets and when."""

from dataclasses import replace
from datetime import date, datetime

from bot.actor import Role
from bot.commands.handlers.channel.subscribe import line_of
from bot.commands.handlers.channel.targets import (
    ID,
    IN,
    Place,
    channels_of,
    order_asked,
    place_asked,
    taken_back,
    workspace,
)
from bot.commands.params.durations import UNTIL, begins
from bot.commands.permissions import for_actor
from bot.commands.types import Command, Context, Group, Param
from bot.commands.views.subscriptions import (
    ended_reply,
    none_reply,
    paused_reply,
    resumed_reply,
    subscriptions_reply,
)
from bot.errors import UserError
from bot.replies.blocks import Reply
from bot.replies.deliveries import standing_of
from store.coordination.request_claims import Claim
from store.posting.change_subscription import is_carried_out
from store.records import Channel, Subscription


async def subscriptions(context: Context, channel: str | None = None) -> Reply:
    """List what a channel gets and when, and what became of the last posts."""
    place = await place_asked(context, channel)
    where = place.name
    if not place.orders:
        return for_actor(context, none_reply(where))
    deliveries = await context.subscriptions.standing_of(place.orders)
    standing = standing_of(place.orders, deliveries, line_of, ahead=context.ahead)
    return for_actor(context, subscriptions_reply(where, standing))


SUBSCRIPTIONS = Command(
    name="subscriptions",
    group=Group.CHANNEL,
    summary="What this channel gets, and when",
    handler=subscriptions,
    params=(IN,),
    examples=("subscriptions",),
)


async def unsubscribe(
    context: Context,
    id: int | None = None,  # noqa: A002 - the argument's name in every chat
    channel: str | None = None,
) -> Reply:
    """Take an order back."""
    request = context.request
    if id is None and (before := await _ended_before(context, request, channel)):
        return ended_reply(before)
    place, order = await order_asked(context, id, channel, "unsubscribe", stops=True)
    # The same request knows by this what it did, should it come again.
    now = request.at if request else context.clock.now()
    done = await context.subscriptions.end(order, now, request)
    return ended_reply(_there(done.after, place), undo=place.inside)


async def pause(
    context: Context,
    id: int | None = None,  # noqa: A002 - the same
    until: date | datetime | None = None,
    channel: str | None = None,
) -> Reply:
    """Let an order post nothing for a while."""
    place, order = await order_asked(context, id, channel, "pause", stops=True)
    if order.cancelled_at is not None:
        raise taken_back(order)
    now = context.clock.now()
    ends_at = None if until is None else begins(until, order.zone)
    if ends_at and ends_at <= now:
        raise _begun(order)
    done = await context.subscriptions.pause(order, ends_at, now, context.request)
    return paused_reply(_there(done.after, place), undo=place.inside)


async def resume(
    context: Context,
    id: int | None = None,  # noqa: A002 - the same
    channel: str | None = None,
) -> Reply:
    """Carry an order out again, whatever kept it."""
    place, order = await order_asked(context, id, channel, "resume")
    await channels_of(context).enter(place.info, order.layout)
    done = await context.subscriptions.resume(order, context.clock.now(), context.request)
    was_so = done.fresh and is_carried_out(done.before)
    return resumed_reply(_there(done.after, place), was_so=was_so)


async def _ended_before(
    context: Context, request: Claim | None, channel: str | None
) -> Subscription | None:
    """Return what a request took back that comes again, and finds it among no channel's orders."""
    places = (channel,) if channel else (context.actor.channel, context.actor.parent)
    for place in filter(None, places):
        there = Channel(workspace(context), place)
        if order := await context.subscriptions.ended_by(request, there):
            return order
    return None


def _begun(order: Subscription) -> UserError:
    return UserError(
        f"That day has begun where subscription {order.id} posts ({order.zone}).",
        "Name a later one.",
    )


def _there(order: Subscription, place: Place) -> Subscription:
    """Return an order with its channel's name of now."""
    return replace(order, facts=place.facts)


UNSUBSCRIBE = Command(
    name="unsubscribe",
    group=Group.CHANNEL,
    summary="Take a subscription back",
    handler=unsubscribe,
    params=(ID, IN),
    role=Role.MANAGER,
    examples=("unsubscribe", "unsubscribe 7"),
)
PAUSE = Command(
    name="pause",
    group=Group.CHANNEL,
    summary="Post nothing for a while",
    handler=pause,
    params=(ID, Param("until", "When it ends; else when somebody resumes it", UNTIL, "until"), IN),
    role=Role.MANAGER,
    examples=("pause", "pause until:2w"),
)
RESUME = Command(
    name="resume",
    group=Group.CHANNEL,
    summary="Post again, after a pause, a mistake, or what kept the bot out",
    handler=resume,
    params=(ID, IN),
    role=Role.MANAGER,
    examples=("resume",),
)
