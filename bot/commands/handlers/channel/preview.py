"""What an order would post, and posting it now."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from bot.actor import Role
from bot.commands.handlers.channel.subscribe import line_of
from bot.commands.handlers.channel.targets import (
    ID,
    IN,
    channels_of,
    day_of,
    order_asked,
    taken_back,
    unknown_delivery,
)
from bot.commands.params.numbers import count
from bot.commands.permissions import for_actor
from bot.commands.types import Command, Context, Group, Param
from bot.commands.views.preview import WEEKS_TRIED, Outlook, preview_reply
from bot.commands.views.subscriptions import nothing_to_post_reply, posting_reply
from bot.posting.digest import kept
from bot.replies.blocks import Reply
from store.posting import editions_to_post
from store.posting.queue import Asked
from store.records import Delivery, DeliveryState, Edition, Subscription, SubscriptionState

_LARGEST_ID = 999_999_999


async def preview(
    context: Context,
    id: int | None = None,  # noqa: A002 - the argument's name in every chat
    channel: str | None = None,
) -> Reply:
    """Show the asker what an order would post now, and why not the rest."""
    place, order = await order_asked(context, id, channel, "preview")
    if order.cancelled_at is not None:
        raise taken_back(order)
    today = day_of(context)
    newest = await context.content.read(editions_to_post.newest_of, order.sources, today)
    since = today - timedelta(weeks=WEEKS_TRIED)
    past = await context.content.read(editions_to_post.past_of, order.sources, since, today)
    made = await context.subscriptions.deliveries_of([order])
    there = replace(order, facts=place.facts)
    outlooks = _outlooks(order, newest, made)
    return for_actor(context, preview_reply(there, outlooks, past, context.today, line_of(order)))


async def deliver(
    context: Context,
    id: int | None = None,  # noqa: A002 - the same
    again: int | None = None,
    channel: str | None = None,
) -> Reply:
    """Post the newest editions now, and say where what was posted already stands."""
    place, order = await order_asked(context, id, channel, "deliver")
    if order.cancelled_at is not None:
        raise taken_back(order)
    await channels_of(context).enter(place.info, order.layout)
    now = context.clock.now()
    if order.state is SubscriptionState.REFUSED:
        await context.subscriptions.resume(order, now, None)
    there = replace(order, facts=place.facts)
    if again is not None:
        return await _again(context, there, again)
    asked = await context.subscriptions.deliver(order, now, context.request)
    if not asked:
        return nothing_to_post_reply(there)
    newest = await context.content.read(editions_to_post.newest_of, order.sources, day_of(context))
    empty = {(each.source, each.first_day) for each in newest if not kept(each, order)}
    return posting_reply(there, [_as_asked(each) for each in asked], empty)


async def _again(context: Context, order: Subscription, number: int) -> Reply:
    """Post a delivery again of which nobody knows whether it arrived."""
    made = await context.subscriptions.deliveries_of([order])
    found = next((each for each in made if each.id == number), None)
    if found is None:
        raise unknown_delivery(order, number)
    if found.state is DeliveryState.UNKNOWN:
        await context.subscriptions.post_again(found, context.request)
        found = replace(found, state=DeliveryState.PENDING)
    return posting_reply(order, [found])


def _as_asked(asked: Asked) -> Delivery:
    """Return a delivery as it stands since it was asked for."""
    if not asked.is_new:
        return asked.delivery
    return replace(asked.delivery, state=DeliveryState.PENDING)


def _outlooks(
    order: Subscription, newest: Sequence[Edition], made: Sequence[Delivery]
) -> list[Outlook]:
    became = {(each.source, each.first_day): each for each in made}
    outlooks = [
        Outlook(each.source, each, became.get((each.source, each.first_day))) for each in newest
    ]
    found = {each.source for each in newest} | {editions_to_post.EVERY_SOURCE}
    return [*outlooks, *(Outlook(source) for source in order.sources if source not in found)]


PREVIEW = Command(
    name="preview",
    group=Group.CHANNEL,
    summary="What a subscription would post, and why not the rest",
    handler=preview,
    params=(ID, IN),
    examples=("preview",),
)
DELIVER = Command(
    name="deliver",
    group=Group.CHANNEL,
    summary="Post the newest edition now, unless it was posted",
    handler=deliver,
    params=(
        ID,
        IN,
        Param(
            "again",
            "What is to be posted though it may have been",
            count("DELIVERY", 1, _LARGEST_ID),
            "again",
            hidden=True,
        ),
    ),
    role=Role.MANAGER,
    examples=("deliver",),
)
