"""The subscribe command: a subscription added or changed, and what it would post."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from bot.accounts import in_words, stored_id, with_values
from bot.actor import Role
from bot.commands.handlers.channel.subscribe_form import (
    FIELDS,
    FORM,
    GIVEN,
    new_subscription,
    texts_of,
    values_of,
)
from bot.commands.handlers.channel.targets import (
    LISTED,
    SEEN,
    channels_of,
    find_channel,
    find_subscription,
)
from bot.commands.params.scalars import SUBSCRIPTION_ID
from bot.commands.parser import command_string
from bot.commands.permissions import require_manager
from bot.commands.types import Command, Context, Group, Param
from bot.domain.schedule import next_due_times
from bot.domain.zones import zone_in_words, zones_instead
from bot.errors import Choice, Suggestion, UserError
from bot.library.profile import Pick, personal_picks
from bot.posting.digest.filters import EntryVerdict, apply_filters
from bot.posting.digest.layouts import count_messages
from bot.posting.digest.paper_list import without_line
from bot.posting.digest.personal import lay_out_personal
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Fields,
    Level,
    Moments,
    Notice,
    PaperList,
    Reply,
    Text,
    Title,
    Undo,
)
from bot.replies.deliveries import channel_name, content_text, state_text
from bot.replies.paper_actions import NO_VOTES
from bot.replies.papers import paper_lines, place_line
from bot.replies.wording import ago, capitalised, count, duration, edition_name
from store.posting import change_subscription, deliveries, editions_to_post, subscriptions
from store.posting.change_subscription import mark_of, posts_the_same
from store.records import DeliveryState, Edition, Layout, Subscription, SubscriptionState
from store.sources import list_followed

_DUES = ("Next", "Then", "After that")
PREVIEWED = 3  # sources shown
_FIRST_FEW = 3  # papers of each
_OLD_DAYS = 8  # after its last day; by then a weekly source has its next edition
_OVER = (DeliveryState.DEAD, DeliveryState.SKIPPED)  # as good as never made


async def subscribe(
    context: Context,
    change: int | None = None,
    channel: str | None = None,
    seen: str | None = None,
    **arguments: Any,  # noqa: ANN401 - what the types of parameters read; one has the name of a Python keyword
) -> Reply:
    """Add a subscription to a channel, or change one."""
    values = values_of(arguments)
    if change is not None:
        return await _change(context, change, channel, values, seen)
    target = await find_channel(context, channel)
    require_manager(context, SUBSCRIBE.name, direct=target.info.direct)
    last = await context.database.read(subscriptions.last_of_channel, target.channel)
    wanted, zone_from = await new_subscription(context, target, values, last)
    if zone_from != GIVEN and (meant := zones_instead(wanted.zone)):
        raise _which_zone(context, wanted.zone, zone_from, meant)
    await channels_of(context).enter(target.info, wanted.layout)
    done = await context.subscriptions.write(change_subscription.add_once, wanted, context.request)
    if done.is_new and last and last.id == done.subscription.id:
        # A repeated request: the first time, this subscription was not there yet.
        first, from_others = await new_subscription(context, target, values, None)
        zone_from = from_others if first.zone == done.subscription.zone else zone_from
    added = replace(done.subscription, facts=target.facts)
    where, undo = channel_name(added), None
    if done.is_new:
        gets = "a digest of what you have not seen" if added.personal else "posts"
        sentence = f"Subscription {added.id}: {where} gets {gets} {in_words(added)}."
        back = if_unchanged(f"unsubscribe {added.id}", added)
        undo = Undo(f"added subscription {added.id}", (back,), there=True)
    else:
        already = f"{capitalised(where)} has that already: subscription {added.id}."
        sentence = f"{already} Nothing was added."
    return await _subscribed_reply(context, added, zone_from, sentence, undo)


def subscribe_string(wanted: Subscription, stands: Subscription | None = None) -> str:
    """Return the command string that makes a subscription what is wanted: its form opens with it.

    Since it says all of a subscription, it is for the one that `stands`, else for the wanted one,
    and overwrites no change that came after.
    """
    channel = None if wanted.personal else wanted.channel.external_id
    place = {"channel": channel, "change": wanted.id}
    mark = None if wanted.id is None else mark_of(stands or wanted)
    return command_string(SUBSCRIBE, {**texts_of(wanted), **place, SEEN.name: mark})


def if_unchanged(line: str, subscription: Subscription) -> str:
    """Return a command string that changes a subscription only while it stands so."""
    return f"{line} {SEEN.name}:{mark_of(subscription)}"


def in_zone(subscription: Subscription, zone: str) -> str:
    """Return the command string that moves a subscription to another zone."""
    return subscribe_string(replace(subscription, zone=zone), subscription)


async def _change(
    context: Context,
    number: int,
    channel: str | None,
    values: Mapping[str, Any],
    seen: str | None,
) -> Reply:
    target, before = await find_subscription(context, number, None, "subscribe")
    if channel not in {None, before.channel.external_id}:
        raise UserError(
            f"Subscription {number} stays in {target.name}.",
            "subscribe in the other channel, and cancel this one.",
        )
    now = context.clock.now()
    await channels_of(context).enter(target.info, with_values(before, values, now).layout)
    done = await context.subscriptions.change(
        before, lambda it: with_values(it, values, now), now, context.request, seen
    )
    changed = replace(done.after, facts=target.facts)
    zone_from = GIVEN if "zone" in values else "as it was"
    if done.is_new and posts_the_same(done.before, done.after):
        sentence, undo = f"Subscription {number} is so already; nothing has changed.", None
    else:
        was = f"changed subscription {number}"
        back = subscribe_string(before, changed)
        where, undo = channel_name(changed), Undo(was, (back,), there=True)
        sentence = f"Subscription {number}: {where} gets posts {in_words(changed)}."
    return await _subscribed_reply(context, changed, zone_from, sentence, undo)


def _which_zone(context: Context, zone: str, zone_from: str, meant: Sequence[str]) -> Choice:
    """Ask for the zone where the one that is known is of those that were taken before."""
    lines = (command_string(SUBSCRIBE, {**context.arguments, "zone": each}) for each in meant)
    offered = tuple(map(Suggestion, meant, lines))
    return Choice(f"Several zones fit {zone}, {zone_from}.", "Which one?", offered)


async def _subscribed_reply(
    context: Context, subscription: Subscription, zone_from: str, sentence: str, undo: Undo | None
) -> Reply:
    """Show a subscription, its next due times and what it would post.

    `zone_from` says where the zone came from.
    """
    waits = duration(subscription.patience) if subscription.patience else "not at all"
    facts = [
        ("Posts", content_text(subscription)),
        ("Zone", f"{zone_in_words(subscription.zone)}, {zone_from}"),
    ]
    if not subscription.personal:
        facts.append(("Waits", f"{waits} for an edition that is late"))
    blocks: list[Block] = [Notice(Level.INFO, sentence), Fields(tuple(facts))]
    if subscription.state is not SubscriptionState.ACTIVE:
        blocks.append(Text(f"It is {state_text(subscription)}."))
    else:
        dues = next_due_times(
            subscription.weekday,
            subscription.local_time,
            subscription.zone,
            context.clock.now(),
            len(_DUES),
        )
        blocks.append(Moments(tuple(zip(_DUES, dues, strict=False)), subscription.zone))
    blocks += await _previews(context, subscription)
    buttons = (
        Button("Preview", f"preview {subscription.id}"),
        Button("Post it now", f"deliver {subscription.id}"),
        Button("Change", subscribe_string(subscription), form=True),
        *thread_instead(subscription),
        *((Button("Undo", undo.commands[0]),) if undo else ()),
    )
    return Reply((*blocks, Actions(buttons)), command=LISTED, undo=undo)


def thread_instead(subscription: Subscription) -> tuple[Button, ...]:
    """Return the button that puts a post of many messages into a thread."""
    if subscription.layout is not Layout.FULL:
        return ()
    threaded = replace(subscription, layout=Layout.THREAD)
    return (Button("In a thread instead", subscribe_string(threaded, subscription)),)


async def _previews(context: Context, subscription: Subscription) -> list[Block]:
    """Show the first papers of the newest editions, and which were posted already."""
    if subscription.personal:
        return await short_preview_of_digest(context, subscription)
    editions = await context.content.read(
        editions_to_post.read_newest, subscription.sources, context.day
    )
    made = await context.database.read(deliveries.of_subscriptions, [stored_id(subscription)])
    posted = {(each.source, each.first_day) for each in made if each.state not in _OVER}
    blocks: list[Block] = []
    for edition in editions[:PREVIEWED]:
        if (edition.source, edition.first_day) in posted:
            name = edition_name(edition)
            blocks.append(Text(f"{name} was posted already; the next post is of a newer one."))
        else:
            votes = await context.count_votes({entry.ref for entry in edition.entries})
            blocks += short_preview(subscription, edition, context.today, votes)
    return blocks or [await nothing_to_post(context, subscription)]


async def nothing_to_post(context: Context, subscription: Subscription) -> Notice:
    """Say that nothing is stored of what a subscription follows."""
    sources = await context.database.read(list_followed)
    off = {each.source.slug for each in sources if not each.enabled}
    if disabled := [slug for slug in subscription.sources if slug in off]:
        return Notice(
            Level.WARNING,
            f"Nothing that it follows is stored yet, and {', '.join(disabled)} is not fetched.",
            f"An operator can change that: broadsheet sources enable {disabled[0]}.",
        )
    return Notice(
        Level.INFO,
        "Nothing that it follows is stored yet; it posts what comes.",
        "Samples and weeks that are not over are never posted.",
    )


def short_preview(
    subscription: Subscription, edition: Edition, today: date, votes: Mapping[str, int] = NO_VOTES
) -> tuple[Block, ...]:
    """Say how many papers of an edition a subscription would post, and list the first ones."""
    verdicts = apply_filters(edition, subscription)
    words = would_post(edition, subscription, verdicts, today)
    lines = paper_lines([each.entry for each in verdicts if each.reason is None], votes)
    if not lines:
        return (Text(words),)
    first = PaperList(tuple(map(without_line, lines[:_FIRST_FEW])))
    return Text(f"{words} The first of them:" if len(lines) > _FIRST_FEW else words), first


def would_post(
    edition: Edition, subscription: Subscription, verdicts: Sequence[EntryVerdict], today: date
) -> str:
    """Say how much of an edition a subscription would post, and in which layout."""
    name = edition_name(edition)
    if (today - edition.last_day).days > _OLD_DAYS:
        name += f" ({ago(edition.last_day, today).removesuffix(' ago')} old)"
    posted = sum(verdict.reason is None for verdict in verdicts)
    if not posted:
        return f"Would post nothing of {name}: the filters keep no paper."
    papers = share(posted, len(verdicts))
    return f"Would post {papers} of {name}, {in_layout(edition, subscription)}."


def share(posted: int, of: int) -> str:
    """Word how many papers are posted: `3 of 10 papers`, `all 10 papers`."""
    if posted < of:
        return f"{posted} of {count(of, 'paper')}"
    return "the one paper" if of == 1 else f"all {count(of, 'paper')}"


def in_layout(edition: Edition, subscription: Subscription) -> str:
    """Describe the post of an edition: `as thread: one message and 10 replies …`."""
    if subscription.layout is Layout.COMPACT:
        return "as compact: one message, a line on the first three"
    messages = count_messages(edition, subscription)
    match subscription.layout:
        case Layout.FULL:
            over = f"over about {messages} messages" if messages > 1 else "in one message"
            return f"as full: summaries and highlights, {over}"
        case _:
            return f"as thread: one message and {count(messages - 1, 'reply')} in its thread"


SUBSCRIBE = Command(
    name="subscribe",
    group=Group.CHANNEL,
    summary="Have a channel get a post every week",
    handler=subscribe,
    params=(
        *FIELDS,
        Param("change", "The subscription to change", SUBSCRIPTION_ID, "change", buttons=True),
        SEEN,
    ),
    role=Role.MANAGER,
    of_place=True,
    examples=("subscribe", "subscribe tuesday 17:30 Europe/Berlin", "subscribe topic:agents,rag"),
    form=FORM,
)


async def next_picks(context: Context, subscription: Subscription) -> tuple[Pick, ...]:
    """Return the papers that a personal subscription would list now."""
    return await context.database.read(personal_picks, subscription, context.clock.now())


async def short_preview_of_digest(context: Context, subscription: Subscription) -> list[Block]:
    """Say how many papers the digest would list now, and name the first with their reasons."""
    picks = await next_picks(context, subscription)
    if not picks:
        return [nothing_unseen()]
    lines = (
        replace(place_line(each.mention), topics=(), reason=each.reason)
        for each in picks[:_FIRST_FEW]
    )
    words = f"Would list {count(len(picks), 'paper')} that you have not seen, best for you first."
    return [Text(f"{words} The first of them:"), PaperList(tuple(lines))]


async def whole_preview(context: Context, subscription: Subscription) -> list[Block]:
    """Show the message of a personal digest as it would be now, without its buttons."""
    picks = await next_picks(context, subscription)
    post = lay_out_personal(picks, context.today, lambda _: True)
    if post is None:
        return [nothing_unseen()]
    blocks = post.messages[0].reply.blocks
    return [each for each in blocks if not isinstance(each, Actions | Title)]


def nothing_unseen() -> Notice:
    """Say that there is nothing to list."""
    return Notice(
        Level.INFO,
        "There is no paper of the last weeks that you have not seen.",
        "The digest comes again once there is one; samples are never in it.",
    )
