"""The commands subscriptions, unsubscribe, pause and resume."""

from dataclasses import replace
from datetime import date, datetime

from bot.accounts.change_subscription import cancel, pause_until, reactivate
from bot.actor import Role
from bot.commands.handlers.channel.subscribe import subscribe_string
from bot.commands.handlers.channel.targets import (
    ID,
    IN,
    Target,
    cancelled,
    channels_of,
    find_channel,
    find_subscription,
    states_of,
)
from bot.commands.params.times import UNTIL, begins
from bot.commands.permissions import for_actor
from bot.commands.types import Command, Context, Group, Param
from bot.commands.views.subscriptions import (
    cancelled_reply,
    none_reply,
    paused_reply,
    resumed_reply,
    subscriptions_reply,
)
from bot.errors import UserError
from bot.replies.blocks import Reply
from store.coordination.request_claims import claimed_at
from store.posting import subscriptions as stored
from store.posting.change_subscription import is_active
from store.records import Channel, Subscription


async def subscriptions(context: Context, channel: str | None = None) -> Reply:
    """List the subscriptions of a channel and their last posts."""
    target = await find_channel(context, channel)
    if not target.subscriptions:
        return for_actor(context, none_reply(target.name))
    states = await states_of(context, target.subscriptions, subscribe_string)
    return for_actor(context, subscriptions_reply(target.name, states))


async def unsubscribe(
    context: Context,
    id: int | None = None,  # noqa: A002 - the argument's name in every chat
    channel: str | None = None,
) -> Reply:
    """Cancel a subscription."""
    request = context.request
    if id is None and (before := await _cancelled_before(context, channel)):
        return cancelled_reply(before)
    target, found = await find_subscription(context, id, channel, "unsubscribe", stops=True)
    # A repeated request finds what it cancelled by this instant.
    now = request.at if request else context.clock.now()
    done = await context.subscriptions.change(found, lambda it: cancel(it, now), now, request)
    return cancelled_reply(_with_facts(done.after, target), undo=target.inside)


async def pause(
    context: Context,
    id: int | None = None,  # noqa: A002 - the same
    until: date | datetime | None = None,
    channel: str | None = None,
) -> Reply:
    """Pause a subscription."""
    target, found = await find_subscription(context, id, channel, "pause", stops=True)
    if found.cancelled_at is not None:
        raise cancelled(found)
    now = context.clock.now()
    ends_at = None if until is None else begins(until, found.zone)
    if ends_at and ends_at <= now:
        raise UserError(
            f"That day has begun where subscription {found.id} posts ({found.zone}).",
            "Name a later one.",
        )
    done = await context.subscriptions.change(
        found, lambda it: pause_until(it, ends_at), now, context.request
    )
    return paused_reply(_with_facts(done.after, target), undo=target.inside)


async def resume(
    context: Context,
    id: int | None = None,  # noqa: A002 - the same
    channel: str | None = None,
) -> Reply:
    """Make a subscription active again, whatever stopped it."""
    target, found = await find_subscription(context, id, channel, "resume")
    await channels_of(context).enter(target.info, found.layout)
    now = context.clock.now()
    done = await context.subscriptions.change(
        found, lambda it: reactivate(it, now), now, context.request
    )
    was_active = done.is_new and is_active(done.before)
    return resumed_reply(_with_facts(done.after, target), was_active=was_active)


async def _cancelled_before(context: Context, channel: str | None) -> Subscription | None:
    """Return what a repeated request cancelled: it is among no channel's subscriptions now."""
    request = context.request
    if request is None or (at := await context.database.read(claimed_at, request)) is None:
        return None
    places = (channel,) if channel else (context.actor.channel, context.actor.parent)
    for place in filter(None, places):
        there = Channel(context.workspace, place)
        last = await context.database.read(stored.last_of_channel, there)
        if last is not None and last.cancelled_at == at:
            return last
    return None


def _with_facts(subscription: Subscription, target: Target) -> Subscription:
    return replace(subscription, facts=target.facts)


SUBSCRIPTIONS = Command(
    name="subscriptions",
    group=Group.CHANNEL,
    summary="What this channel gets, and when",
    handler=subscriptions,
    params=(IN,),
    examples=("subscriptions",),
)
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
