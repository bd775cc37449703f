"""Standing orders given and changed."""

from dataclasses import replace
from typing import Any

from bot.accounts.change_subscription import MONDAY, MORNING, Wishes, changed, chosen_zone
from bot.actor import Role
from bot.commands.handlers.channel.places import (
    IN,
    Place,
    channels_of,
    day_of,
    order_asked,
    place_asked,
    taken_back,
    workspace,
)
from bot.commands.params.choices import LAYOUT
from bot.commands.params.counts import SIZE, SUBSCRIPTION_ID
from bot.commands.params.lists import NO_TOPICS, SOURCES, TOPICS
from bot.commands.params.times import clock_times, durations
from bot.commands.params.times.clock_times import TIME_OF_DAY
from bot.commands.params.times.durations import PATIENCE
from bot.commands.params.times.weekdays import WEEKDAY
from bot.commands.params.times.zones import ZONE
from bot.commands.parser import write
from bot.commands.types import Command, Context, Group, Param
from bot.commands.views.preview import short_preview
from bot.commands.views.subscriptions import (
    Told,
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
from store.posting import editions_to_post
from store.posting.change_subscription import is_same
from store.records import DeliveryState, Layout, Subscription
from store.sources import list_followed

_DUES = 3  # instants that are told
_PREVIEWED = 3  # sources that are told of
_FALLBACK = "dair"  # followed until there is an edition of any source
_OVER = (DeliveryState.DEAD, DeliveryState.SKIPPED)  # as good as never made
_ALL = (editions_to_post.EVERY_SOURCE,)


async def subscribe(context: Context, change: int | None = None, **given_values: Any) -> Reply:  # noqa: ANN401 - what the arguments' types read; one is named as a word of Python's
    """Order posts for a channel, or change an order."""
    channel = given_values.pop("channel", None)
    wishes = _wishes(given_values)
    if change is not None:
        return await _change(context, change, channel, wishes)
    place = await place_asked(context, channel)
    last = await context.subscriptions.last_of(place.channel)
    order, zone_from = await _ordered(context, place, wishes, last)
    await channels_of(context).enter(place.info, order.layout)
    done = await context.subscriptions.give(order, context.request)
    if done.is_new and last and last.id == done.order.id:
        # It was asked before, when that order was not there yet.
        first, without = await _ordered(context, place, wishes, None)
        zone_from = without if first.zone == done.order.zone else zone_from
    stored = replace(done.order, facts=place.facts)
    return subscribed_reply(stored, await _told(context, stored, zone_from), is_new=done.is_new)


def line_of(order: Subscription) -> str:
    """Return the line that makes an order what it is: what its form opens with."""
    values = {
        "day": WEEKDAYS[order.weekday],
        "time": clock_times.in_digits(order.local_time),
        "zone": order.zone,
        "channel": order.channel.external_id,
        "source": ",".join(order.sources) or None,
        "topic": ",".join(order.topics) or NO_TOPICS,
        "not": ",".join(order.not_topics) or NO_TOPICS,
        "size": order.size,
        "layout": order.layout.value,
        "patience": durations.in_short(order.patience),
        "change": order.id,
    }
    return write(SUBSCRIBE, values)


async def _change(context: Context, number: int, channel: str | None, wishes: Wishes) -> Reply:
    place, order = await order_asked(context, number, None, "subscribe")
    if order.cancelled_at is not None:
        raise taken_back(order)
    if channel not in {None, order.channel.external_id}:
        raise UserError(
            f"Subscription {number} stays in {place.name}.",
            "subscribe in the other channel, and take this one back.",
        )
    now = context.clock.now()
    await channels_of(context).enter(place.info, changed(order, wishes, now).layout)
    done = await context.subscriptions.change(order, wishes, now, context.request)
    stored = replace(done.after, facts=place.facts)
    undo = None if done.fresh and is_same(done.before, done.after) else line_of(order)
    zone_from = "as given" if wishes.zone else "as it was"
    return changed_reply(stored, await _told(context, stored, zone_from), undo)


async def _ordered(
    context: Context, place: Place, wishes: Wishes, last: Subscription | None
) -> tuple[Subscription, str]:
    """Return the order as it would be stored, and where its zone came from."""
    settled = await context.workspaces.settings(workspace(context))
    zone, zone_from = chosen_zone(wishes.zone, last, context.actor.zone, settled.zone, context.zone)
    by_place = Layout.THREAD if place.info.forum else Layout.COMPACT
    plain = Subscription(
        channel=place.channel,
        weekday=MONDAY,
        local_time=MORNING,
        zone=zone,
        next_due_at=None,
        sources=(await _newest_source(context),),
        layout=settled.layout or by_place,
        owner=context.actor.user,
        facts=place.facts,
    )
    return changed(plain, wishes, context.clock.now()), zone_from


async def _newest_source(context: Context) -> str:
    """Return the source of the newest edition that is neither a sample nor still growing."""
    found = await context.content.read(editions_to_post.newest_of, _ALL, day_of(context))
    return min(found, key=newest_first).source if found else _FALLBACK


async def _told(context: Context, order: Subscription, zone_from: str) -> Told:
    dues = next_due_times(order.weekday, order.local_time, order.zone, context.clock.now(), _DUES)
    editions = await context.content.read(
        editions_to_post.newest_of, order.sources, day_of(context)
    )
    made = await context.subscriptions.deliveries_of([order])
    known = {(each.source, each.first_day) for each in made if each.state not in _OVER}
    previews: list[Block] = []
    for edition in editions[:_PREVIEWED]:
        if (edition.source, edition.first_day) in known:
            previews.append(posted_already(edition_name(edition)))
        else:
            previews += short_preview(order, edition, context.today)
    if not previews:
        sources = await context.content.read_now(list_followed)
        disabled = {each.source.slug for each in sources if not each.enabled}
        previews += nothing_stored([slug for slug in order.sources if slug in disabled])
    return Told(zone_from, dues, line_of(order), tuple(previews))


def _wishes(values: dict[str, Any]) -> Wishes:
    return Wishes(
        weekday=values.get("day"),
        local_time=values.get("time"),
        zone=values.get("zone"),
        sources=values.get("source"),
        topics=values.get("topic"),
        not_topics=values.get("not"),
        size=values.get("size"),
        layout=values.get("layout"),
        patience=values.get("patience"),
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
