"""The form of `subscribe`: its fields, and what stands in them for a new subscription."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import time
from typing import Any

from bot.accounts import with_values
from bot.actor import Actor, Role
from bot.commands.handlers.channel.targets import (
    IN,
    Target,
    find_channel_or_none,
)
from bot.commands.params.scalars import LAYOUT, SIZE
from bot.commands.params.times import PATIENCE, TIME_OF_DAY, WEEKDAY, ZONE, in_digits, in_short
from bot.commands.params.topics_and_sources import NO_TOPICS, SOURCES, TOPICS
from bot.commands.types import Context, Form, Param
from bot.domain.schedule import WEEKDAYS
from bot.domain.zones import zone_name
from store.library.editions import newest_first
from store.posting import editions_to_post, subscriptions
from store.records import Layout, Subscription

GIVEN = "as given"
_MONDAY, _MORNING = 0, time(9)
_FALLBACK = "dair"  # followed until there is an edition of any source
_OF_CHANNELS = ("layout", "patience")  # a digest is one message, and waits for no edition
# The fields of a subscription whose arguments have other names.
_STORED = {
    "day": "weekday",
    "time": "local_time",
    "source": "sources",
    "topic": "topics",
    "not": "not_topics",
}

FIELDS = (
    Param("day", "The day of the week; else Monday", WEEKDAY, label="Day"),
    Param("time", "The time of day; else 09:00", TIME_OF_DAY, label="Time"),
    Param(
        "zone",
        "The time zone; else the channel's or yours",
        ZONE,
        label="Time zone",
        hint="A city such as Berlin, or a zone such as Europe/Berlin.",
    ),
    IN,
    Param(
        "source",
        "Whose editions; several by commas, or all",
        SOURCES,
        "from",
        label="Sources",
        hint="Whose editions are posted.",
    ),
    Param(
        "topic",
        "Only papers on one of these topics",
        TOPICS,
        "topic",
        label="Topics",
        hint="Only papers on one of these are posted.",
        empty="Every topic",
    ),
    Param(
        "not",
        "No papers on any of these topics",
        TOPICS,
        "not",
        label="Topics left out",
        hint="No paper on one of these is posted.",
        empty="No topic",
    ),
    Param("size", "The most papers of a post; else 10", SIZE, "size", label="Papers at most"),
    Param("layout", "How it is laid out; else compact", LAYOUT, "layout", label="Layout"),
    Param(
        "patience",
        "How long it waits for a late edition; else 3d",
        PATIENCE,
        "patience",
        label="Wait for a late edition",
        hint="Such as 3d, 12h or 90m, 6d at most; 0 posts without it.",
    ),
)


def texts_of(subscription: Subscription) -> dict[str, str]:
    """Return the arguments that make a subscription what it is, wherever it is."""
    texts = {
        "day": WEEKDAYS[subscription.weekday],
        "time": in_digits(subscription.local_time),
        "zone": zone_name(subscription.zone),
        "source": ",".join(subscription.sources),
        "topic": ",".join(subscription.topics) or NO_TOPICS,
        "not": ",".join(subscription.not_topics) or NO_TOPICS,
        "size": str(subscription.size),
        "layout": subscription.layout.value,
        "patience": in_short(subscription.patience),
    }
    return {name: text for name, text in texts.items() if text}


def values_of(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the fields of a subscription by the values of arguments."""
    return {_STORED.get(name, name): value for name, value in arguments.items()}


async def new_subscription(
    context: Context, target: Target, values: Mapping[str, Any], last: Subscription | None
) -> tuple[Subscription, str]:
    """Return the subscription that is to be stored, and in words where its zone came from."""
    settings = await context.workspaces.settings(context.workspace)
    zones = (
        (last and last.zone, "from this channel's last subscription"),
        (context.actor.zone, "from your profile"),
        (settings.zone, "from this workspace's settings"),
        (context.zone, "the program's default"),
    )
    zone, zone_from = next((zone, words) for zone, words in zones if zone)
    if values.get("zone") not in {None, zone}:  # a form is filled in with the one that is known
        zone, zone_from = values["zone"], GIVEN
    newest = await context.content.read(
        editions_to_post.read_newest, (editions_to_post.EVERY_SOURCE,), context.day
    )
    default_layout = Layout.THREAD if target.info.forum else Layout.COMPACT
    personal = target.info.direct
    newest_source = min(newest, key=newest_first).source if newest else _FALLBACK
    plain = Subscription(
        channel=target.channel,
        weekday=_MONDAY,
        local_time=_MORNING,
        zone=zone,
        next_due_at=None,
        sources=(editions_to_post.EVERY_SOURCE if personal else newest_source,),
        layout=settings.layout or default_layout,
        owner=context.actor.user,
        personal=personal,
        facts=target.facts,
    )
    wanted = with_values(plain, values, context.clock.now())
    # A digest of one reader is one message.
    return replace(wanted, layout=Layout.COMPACT) if personal else wanted, zone_from


async def _form_values(context: Context) -> dict[str, str]:
    """Return what a new subscription is by default, as far as its channel is known."""
    target = await find_channel_or_none(context, None)  # the form asks which
    last = await context.database.read(subscriptions.last_of_channel, target.channel)
    texts = texts_of((await new_subscription(context, target, {}, last))[0])
    here = None if target.info.direct else context.actor.channel
    return {**texts, "channel": here} if here else texts


def _form_fields(actor: Actor, arguments: Mapping[str, str]) -> tuple[str, ...]:
    """Return what the form asks for: of a digest of one's own only what it goes by.

    In direct messages a form is about one, unless it names a channel, as there may be.
    """
    names = tuple(each.name for each in FIELDS)
    if not actor.in_direct or arguments.get(IN.name):
        return names
    left = {*_OF_CHANNELS, *(() if may_name_channel(actor) else (IN.name,))}
    return tuple(name for name in names if name not in left)


def may_name_channel(actor: Actor) -> bool:
    """Tell whether a form in direct messages may be about a channel."""
    return actor.role >= Role.MANAGER and not actor.is_alone


FORM = Form(
    first=("day", "time", "zone", "source", "layout"), values=_form_values, fields=_form_fields
)
