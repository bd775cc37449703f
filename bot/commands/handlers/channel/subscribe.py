"""The subscribe command: a subscription added or changed."""

from dataclasses import replace
from typing import Any

from bot.accounts.change_subscription import MONDAY, MORNING, Wishes, chosen_zone, with_wishes
from bot.accounts.subscriptions import stored_id
from bot.actor import Role
from bot.commands.handlers.channel.targets import (
    IN,
    Target,
    cancelled,
    channels_of,
    find_channel,
    find_subscription,
    today_utc,
)
from bot.commands.params.scalars import LAYOUT, SIZE, SUBSCRIPTION_ID
from bot.commands.params.times import PATIENCE, TIME_OF_DAY, WEEKDAY, ZONE, in_digits, in_short
from bot.commands.params.topics_and_sources import NO_TOPICS, SOURCES, TOPICS
from bot.commands.parser import command_string
from bot.commands.types import Command, Context, Group, Param
from bot.commands.views.preview import short_preview
from bot.commands.views.subscriptions import (
    Beside,
    changed_reply,
    nothing_stored,
    posted_already,
    subscribed_reply,
)
from bot.domain.schedule import WEEKDAYS, next_due_times
from bot.errors import UserError
from bot.replies.blocks import Block, Reply
from bot.replies.wording import edition_name
from store.library.editions import newest_first
from store.posting import change_subscription, deliveries, editions_to_post, subscriptions
from store.posting.change_subscription import posts_the_same
from store.records import DeliveryState, Layout, Subscription
from store.sources import list_followed

_DUES = 3  # instants shown
_PREVIEWED = 3  # sources shown
_FALLBACK = "dair"  # followed until there is an edition of any source
_OVER = (DeliveryState.DEAD, DeliveryState.SKIPPED)  # as good as never made
_ALL = (editions_to_post.EVERY_SOURCE,)


async def subscribe(context: Context, change: int | None = None, **arguments: Any) -> Reply:  # noqa: ANN401 - what the types of parameters read; one has the name of a Python keyword
    """Add a subscription to a channel, or change one."""
    channel = arguments.pop("channel", None)
    wishes = _wishes(arguments)
    if change is not None:
        return await _change(context, change, channel, wishes)
    target = await find_channel(context, channel)
    last = await context.database.read(subscriptions.last_of_channel, target.channel)
    wanted, zone_from = await _wanted(context, target, wishes, last)
    await channels_of(context).enter(target.info, wanted.layout)
    done = await context.subscriptions.write(change_subscription.add_once, wanted, context.request)
    if done.is_new and last and last.id == done.subscription.id:
        # A repeated request: the first time, this subscription was not there yet.
        first, from_others = await _wanted(context, target, wishes, None)
        zone_from = from_others if first.zone == done.subscription.zone else zone_from
    stored = replace(done.subscription, facts=target.facts)
    return subscribed_reply(stored, await _beside(context, stored, zone_from), is_new=done.is_new)


def subscribe_string(subscription: Subscription) -> str:
    """Return the command string that makes a subscription what it is: its form opens with it."""
    values = {
        "day": WEEKDAYS[subscription.weekday],
        "time": in_digits(subscription.local_time),
        "zone": subscription.zone,
        "channel": subscription.channel.external_id,
        "source": ",".join(subscription.sources) or None,
        "topic": ",".join(subscription.topics) or NO_TOPICS,
        "not": ",".join(subscription.not_topics) or NO_TOPICS,
        "size": subscription.size,
        "layout": subscription.layout.value,
        "patience": in_short(subscription.patience),
        "change": subscription.id,
    }
    return command_string(SUBSCRIBE, values)


async def _change(context: Context, number: int, channel: str | None, wishes: Wishes) -> Reply:
    target, before = await find_subscription(context, number, None, "subscribe")
    if before.cancelled_at is not None:
        raise cancelled(before)
    if channel not in {None, before.channel.external_id}:
        raise UserError(
            f"Subscription {number} stays in {target.name}.",
            "subscribe in the other channel, and take this one back.",
        )
    now = context.clock.now()
    await channels_of(context).enter(target.info, with_wishes(before, wishes, now).layout)
    done = await context.subscriptions.change(
        before, lambda it: with_wishes(it, wishes, now), now, context.request
    )
    stored = replace(done.after, facts=target.facts)
    undo = (
        None
        if done.is_new and posts_the_same(done.before, done.after)
        else subscribe_string(before)
    )
    zone_from = "as given" if wishes.zone else "as it was"
    return changed_reply(stored, await _beside(context, stored, zone_from), undo)


async def _wanted(
    context: Context, target: Target, wishes: Wishes, last: Subscription | None
) -> tuple[Subscription, str]:
    """Return the subscription that is to be stored, and where its zone came from."""
    settings = await context.workspaces.settings(context.workspace)
    zone, zone_from = chosen_zone(
        wishes.zone, last, context.actor.zone, settings.zone, context.zone
    )
    default_layout = Layout.THREAD if target.info.forum else Layout.COMPACT
    plain = Subscription(
        channel=target.channel,
        weekday=MONDAY,
        local_time=MORNING,
        zone=zone,
        next_due_at=None,
        sources=(await _newest_source(context),),
        layout=settings.layout or default_layout,
        owner=context.actor.user,
        facts=target.facts,
    )
    return with_wishes(plain, wishes, context.clock.now()), zone_from


async def _newest_source(context: Context) -> str:
    """Return the source of the newest edition that is neither a sample nor open."""
    found = await context.content.read(editions_to_post.read_newest, _ALL, today_utc(context))
    return min(found, key=newest_first).source if found else _FALLBACK


async def _beside(context: Context, subscription: Subscription, zone_from: str) -> Beside:
    dues = next_due_times(
        subscription.weekday,
        subscription.local_time,
        subscription.zone,
        context.clock.now(),
        _DUES,
    )
    editions = await context.content.read(
        editions_to_post.read_newest, subscription.sources, today_utc(context)
    )
    made = await context.database.read(deliveries.of_subscriptions, [stored_id(subscription)])
    posted = {(each.source, each.first_day) for each in made if each.state not in _OVER}
    previews: list[Block] = []
    for edition in editions[:_PREVIEWED]:
        if (edition.source, edition.first_day) in posted:
            previews.append(posted_already(edition_name(edition)))
        else:
            votes = await context.count_votes({entry.ref for entry in edition.entries})
            previews += short_preview(subscription, edition, context.today, votes)
    if not previews:
        sources = await context.database.read(list_followed)
        disabled = {each.source.slug for each in sources if not each.enabled}
        previews += nothing_stored([slug for slug in subscription.sources if slug in disabled])
    return Beside(zone_from, dues, subscribe_string(subscription), tuple(previews))


def _wishes(arguments: dict[str, Any]) -> Wishes:
    return Wishes(
        weekday=arguments.get("day"),
        local_time=arguments.get("time"),
        zone=arguments.get("zone"),
        sources=arguments.get("source"),
        topics=arguments.get("topic"),
        not_topics=arguments.get("not"),
        size=arguments.get("size"),
        layout=arguments.get("layout"),
        patience=arguments.get("patience"),
    )


SUBSCRIBE = Command(
    name="subscribe",
    group=Group.CHANNEL,
    summary="Have a channel get a post every week",
    handler=subscribe,
    params=(
        Param("day", "The day of the week; else Monday", WEEKDAY),
        Param("time", "The time of day; else 09:00", TIME_OF_DAY),
        Param("zone", "The time zone; else the channel's or yours", ZONE),
        IN,
        Param("source", "Whose editions; several by commas, or all", SOURCES, "from"),
        Param("topic", "Only papers on one of these topics", TOPICS, "topic"),
        Param("not", "No papers on any of these topics", TOPICS, "not"),
        Param("size", "The most papers of a post; else 10", SIZE, "size"),
        Param("layout", "How it is laid out; else compact", LAYOUT, "layout"),
        Param("patience", "How long it waits for a late edition; else 3d", PATIENCE, "patience"),
        Param("change", "The subscription to change", SUBSCRIPTION_ID, "change", hidden=True),
    ),
    role=Role.MANAGER,
    examples=("subscribe", "subscribe tuesday 17:30 Europe/Berlin", "subscribe topic:agents,rag"),
    form=("day", "time", "zone", "topic", "layout"),
)
