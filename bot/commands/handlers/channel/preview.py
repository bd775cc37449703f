"""The commands preview and deliver: what a subscription would post, and posting it now."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from bot.accounts.change_subscription import reactivate
from bot.accounts.subscriptions import stored_id
from bot.actor import Role
from bot.commands.handlers.channel.subscribe import subscribe_string
from bot.commands.handlers.channel.targets import (
    ID,
    IN,
    cancelled,
    channels_of,
    find_subscription,
    today_utc,
)
from bot.commands.params.scalars import count
from bot.commands.permissions import for_actor
from bot.commands.types import Command, Context, Group, Param
from bot.commands.views.preview import WEEKS_TRIED, Outlook, preview_reply
from bot.commands.views.subscriptions import nothing_to_post_reply, posting_reply
from bot.errors import Suggestion, UserError
from bot.posting.digest import selected_entries
from bot.replies.blocks import Reply
from store.posting import change_subscription, deliveries, editions_to_post
from store.records import Delivery, DeliveryState, Edition, Subscription, SubscriptionState

_LARGEST_ID = 999_999_999


async def preview(
    context: Context,
    id: int | None = None,  # noqa: A002 - the argument's name in every chat
    channel: str | None = None,
) -> Reply:
    """Show the user what a subscription would post now, and why not the rest."""
    target, found = await find_subscription(context, id, channel, "preview")
    if found.cancelled_at is not None:
        raise cancelled(found)
    today = today_utc(context)
    newest = await context.content.read(editions_to_post.read_newest, found.sources, today)
    since = today - timedelta(weeks=WEEKS_TRIED)
    past = await context.content.read(editions_to_post.read_past, found.sources, since, today)
    made = await context.database.read(deliveries.of_subscriptions, [stored_id(found)])
    votes = await context.count_votes({entry.ref for each in newest for entry in each.entries})
    reply = preview_reply(
        replace(found, facts=target.facts),
        _outlooks(found, newest, made),
        past,
        context.today,
        subscribe_string(found),
        votes=votes,
    )
    return for_actor(context, reply)


async def deliver(
    context: Context,
    id: int | None = None,  # noqa: A002 - the same
    again: int | None = None,
    channel: str | None = None,
) -> Reply:
    """Post the newest editions now, and show where the posted ones are."""
    target, found = await find_subscription(context, id, channel, "deliver")
    if found.cancelled_at is not None:
        raise cancelled(found)
    await channels_of(context).enter(target.info, found.layout)
    now = context.clock.now()
    if found.state is SubscriptionState.REFUSED:
        await context.subscriptions.change(found, lambda it: reactivate(it, now), now, None)
    named = replace(found, facts=target.facts)
    if again is not None:
        return await _post_again(context, named, again)
    asked = await context.subscriptions.write(
        change_subscription.post_now,
        stored_id(found),
        context.request,
        now,
        context.system_clock.now(),
    )
    if not asked:
        return nothing_to_post_reply(named)
    newest = await context.content.read(
        editions_to_post.read_newest, found.sources, today_utc(context)
    )
    empty = {(each.source, each.first_day) for each in newest if not selected_entries(each, found)}
    posting = [
        replace(each.delivery, state=DeliveryState.PENDING) if each.is_new else each.delivery
        for each in asked
    ]
    return posting_reply(named, posting, empty)


async def _post_again(context: Context, subscription: Subscription, number: int) -> Reply:
    """Post a delivery again whose outcome is unknown."""
    made = await context.database.read(deliveries.of_subscriptions, [stored_id(subscription)])
    found = next((each for each in made if each.id == number), None)
    if found is None:
        raise UserError(
            f"Subscription {subscription.id} has no delivery {number}.",
            "subscriptions shows how it stands.",
            (Suggestion("subscriptions", "subscriptions"),),
        )
    if found.state is DeliveryState.UNKNOWN:
        now = context.system_clock.now()
        await context.subscriptions.write(
            change_subscription.post_again, found.id, context.request, now
        )
        found = replace(found, state=DeliveryState.PENDING)
    return posting_reply(subscription, [found])


def _outlooks(
    subscription: Subscription, newest: Sequence[Edition], made: Sequence[Delivery]
) -> list[Outlook]:
    by_edition = {(each.source, each.first_day): each for each in made}
    outlooks = [
        Outlook(each.source, each, by_edition.get((each.source, each.first_day))) for each in newest
    ]
    found = {each.source for each in newest} | {editions_to_post.EVERY_SOURCE}
    missing = (source for source in subscription.sources if source not in found)
    return [*outlooks, *map(Outlook, missing)]


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
