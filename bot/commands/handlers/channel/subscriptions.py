"""The commands subscriptions, unsubscribe, pause and resume."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime

from bot.accounts import cancel, in_words, pause_until, reactivate, stop_until
from bot.actor import Role
from bot.commands.handlers.channel.subscribe import if_unchanged, in_zone, subscribe_string
from bot.commands.handlers.channel.targets import (
    ID,
    IN,
    LISTED,
    SEEN,
    WAYS_IN,
    channels_of,
    find_channel,
    find_subscription,
    statuses_of,
)
from bot.commands.params.times import UNTIL, begins
from bot.commands.permissions import for_actor
from bot.commands.types import Command, Context, Group, Param
from bot.domain.zones import without_summer_time, zone_name, zones_instead
from bot.errors import UserError
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Fields,
    Level,
    Moments,
    Notice,
    Reply,
    Title,
    Undo,
)
from bot.replies.deliveries import (
    SubscriptionStatus,
    channel_name,
    content_text,
    delivery_label,
    outcome_text,
    pause_text,
    post_url,
    problems_of,
    state_text,
    waiting_text,
)
from bot.replies.wording import capitalised
from store.coordination.request_claims import claimed_at
from store.posting import subscriptions as stored
from store.posting.change_subscription import ChangedSubscription, is_active, pause_ends_on
from store.records import Channel, Subscription, SubscriptionState

_STOPPED_BEFORE = "It posted nothing before that either; resume has it post again."
_ONLY_INSIDE = "Only somebody who is in its channel can make it post sooner."
_REFUSED = "It had been stopped because the bot could not post, not by anybody."


async def subscriptions(context: Context, channel: str | None = None) -> Reply:
    """List the subscriptions of a channel and their last posts."""
    target = await find_channel(context, channel)
    if not target.subscriptions:
        sentence = f"{capitalised(target.name)} gets no posts yet."
        notice = Notice(Level.INFO, sentence, "subscribe makes it get one every week.")
        return for_actor(context, Reply((notice, Actions(WAYS_IN)), command=LISTED))
    blocks: list[Block] = [Title(f"Posts in {target.name}")]
    for each in await statuses_of(context, target.subscriptions):
        blocks += _listed(each, alone=len(target.subscriptions) == 1)
    blocks.append(Actions((Button("Subscribe to more…", "subscribe", form=True),)))
    return for_actor(context, Reply(tuple(blocks), command=LISTED))


async def unsubscribe(
    context: Context,
    id: int | None = None,  # noqa: A002 - the argument's name in every chat
    channel: str | None = None,
    seen: str | None = None,
) -> Reply:
    """Cancel a subscription."""
    request = context.request
    if id is None and (before := await _cancelled_before(context, channel)):
        return _cancelled_reply(before, before, may_resume=True)
    target, found = await find_subscription(context, id, channel, "unsubscribe")
    # A repeated request finds what it cancelled by this instant.
    now = request.at if request else context.clock.now()
    seen = seen if target.inside else None  # outside one is not told whether it changed
    done = await context.subscriptions.change(found, lambda it: cancel(it, now), now, request, seen)
    cancelled = replace(done.after, facts=target.facts)
    return _cancelled_reply(cancelled, done.before, may_resume=target.inside)


async def pause(
    context: Context,
    id: int | None = None,  # noqa: A002 - the same
    until: date | datetime | None = None,
    channel: str | None = None,
    seen: str | None = None,
) -> Reply:
    """Pause a subscription."""
    # What a button pauses anew may have been cancelled, which takes what `resume` does.
    target, found = await find_subscription(context, id, channel, "resume" if seen else "pause")
    if not target.inside:
        return await _stop(context, found, until)
    now = context.clock.now()
    ends_at = None if until is None else begins(until, found.zone)
    if ends_at and ends_at <= now:
        raise UserError(
            f"That day has begun where subscription {found.id} posts ({zone_name(found.zone)}).",
            "Name a later one.",
        )

    def paused_again(it: Subscription) -> Subscription:
        paused = pause_until(it, ends_at)
        return replace(paused, cancelled_at=None) if seen else paused

    done = await context.subscriptions.change(found, paused_again, now, context.request, seen)
    paused = done.after
    notice = Notice(
        Level.INFO,
        f"Subscription {paused.id} is paused {pause_text(paused)}.",
        "It posts again by itself then." if paused.paused_until else "Until then it posts nothing.",
    )
    return _paused_reply(done, notice, may_resume=True)


async def _stop(context: Context, found: Subscription, until: date | datetime | None) -> Reply:
    """Pause a subscription for somebody who is not in its channel, and tell nothing else of it."""
    now = context.clock.now()
    ends_at = None if until is None else begins(until, context.actor.zone or context.zone)
    if ends_at and ends_at <= now:
        raise UserError("That day has begun.", "Name a later one.")
    done = await context.subscriptions.change(
        found, lambda it: stop_until(it, ends_at), now, context.request
    )
    notice = Notice(
        Level.INFO,
        f"Subscription {found.id} is paused.",
        _ONLY_INSIDE,
    )
    return _paused_reply(done, notice, may_resume=False)


async def resume(
    context: Context,
    id: int | None = None,  # noqa: A002 - the same
    channel: str | None = None,
    seen: str | None = None,
) -> Reply:
    """Make a subscription active again, after any pause, refusal or cancellation."""
    target, found = await find_subscription(context, id, channel, "resume")
    await channels_of(context).enter(target.info, found.layout)
    now = context.clock.now()
    done = await context.subscriptions.change(
        found, lambda it: reactivate(it, now), now, context.request, seen
    )
    resumed = replace(done.after, facts=target.facts)
    already = " already; nothing has changed." if done.is_new and is_active(done.before) else "."
    where, when = channel_name(resumed), in_words(resumed)
    sentence = f"Subscription {resumed.id} posts in {where} {when}{already}"
    blocks: list[Block] = [Notice(Level.INFO, sentence)]
    if resumed.next_due_at is not None:
        blocks.append(Moments((("Next", resumed.next_due_at),), resumed.zone))
    buttons = (Button("Preview", f"preview {resumed.id}"), Button("Pause", f"pause {resumed.id}"))
    undo = None if is_active(done.before) else _undo_resuming(done)
    return Reply((*blocks, Actions(buttons)), command=LISTED, undo=undo)


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


def _cancelled_reply(
    subscription: Subscription, before: Subscription, *, may_resume: bool
) -> Reply:
    where = channel_name(subscription)
    sentence = f"Subscription {subscription.id} is cancelled: {where} gets no more of it."
    notice = Notice(Level.INFO, sentence, "What was posted stays.")
    resumes = _resume(subscription)
    ways = (resumes,) if is_active(before) else _pause_again(before, subscription)
    undo = _undo(f"cancelled subscription {before.id}", ways, may_resume=may_resume)
    reply = _stopped_reply(resumes, notice, may_resume=may_resume)
    return reply if before.cancelled_at else replace(reply, undo=undo)


def _paused_reply(done: ChangedSubscription, notice: Notice, *, may_resume: bool) -> Reply:
    before, resumes = done.before, _resume(done.after)
    ways = (resumes,) if is_active(before) else _pause_again(before, done.after)
    undo = _undo(f"paused subscription {before.id}", ways, may_resume=may_resume)
    reply = _stopped_reply(resumes, notice, may_resume=may_resume)
    return replace(reply, undo=undo) if done.after != before else reply


def _resume(stopped: Subscription) -> str:
    return if_unchanged(f"resume {stopped.id}", stopped)


def _stopped_reply(resumes: str, notice: Notice, *, may_resume: bool) -> Reply:
    undo = (Actions((Button("Undo", resumes),)),) if may_resume else ()
    return Reply((notice, *undo), command=LISTED)


def _undo(was: str, ways: tuple[str, ...], *, may_resume: bool) -> Undo:
    why = _STOPPED_BEFORE if may_resume else _ONLY_INSIDE
    return Undo(was, ways if may_resume else (), why, there=True)


def _undo_resuming(done: ChangedSubscription) -> Undo:
    """Return how a subscription is stopped again as it was before it was resumed."""
    before = done.before
    is_refused = before.state is SubscriptionState.REFUSED
    ways = _pause_again(before, done.after)
    if before.cancelled_at:  # what was paused then is not as it was resumed any more
        ends = f"unsubscribe {before.id}"
        ways = (*ways, ends) if ways else (if_unchanged(ends, done.after),)
    ways = () if is_refused else ways
    return Undo(f"resumed subscription {before.id}", ways, _REFUSED, there=True)


def _pause_again(before: Subscription, stands: Subscription) -> tuple[str, ...]:
    """Return the command string that pauses a subscription as it was paused, if it was.

    It is for the one that `stands`. A pause ends as a day begins: one that ended within a day ends
    with that.
    """
    if before.state is not SubscriptionState.PAUSED:
        return ()
    ends = pause_ends_on(before)
    until = f" until:{ends}" if ends else ""
    return (if_unchanged(f"pause {before.id}{until}", stands),)


def _listed(status: SubscriptionStatus, *, alone: bool) -> Iterator[Block]:
    subscription = status.subscription
    yield Fields(tuple(_facts(status)))
    if instants := tuple(_instants(status)):
        yield Moments(instants, subscription.zone)
    if zones := zones_instead(subscription.zone):
        sentence = without_summer_time(subscription.zone) or ""
        yield Notice(Level.WARNING, sentence, "It may be meant to post by clocks that do:")
        yield Actions(tuple(Button(f"In {zone}", in_zone(subscription, zone)) for zone in zones))
    for problem in problems_of(status):
        yield problem.notice
        if problem.buttons:
            yield Actions(problem.buttons)
    yield Actions(tuple(_buttons(subscription, "" if alone else f" {subscription.id}")))


def _facts(status: SubscriptionStatus) -> Iterator[tuple[str, str]]:
    subscription, last, sent = status.subscription, status.last, status.last_sent
    yield f"Subscription {subscription.id}", in_words(subscription)
    yield "Posts", content_text(subscription)
    ends = _pause_end(subscription)
    yield "State", "paused" if ends else waiting_text(subscription) or state_text(subscription)
    if last is not None and last is not sent:
        yield "Now", f"{delivery_label(last)}: {outcome_text(last, subscription.zone)}"
    if sent is not None:
        yield "Last post", " · ".join(filter(None, (delivery_label(sent), post_url(sent))))


def _instants(status: SubscriptionStatus) -> Iterator[tuple[str, datetime]]:
    """Yield what a reader may want in their own time."""
    subscription, sent = status.subscription, status.last_sent
    if sent is not None and sent.sent_at is not None:
        yield "Posted", sent.sent_at
    if ends := _pause_end(subscription):
        yield "Paused until", ends
    if subscription.next_due_at is not None and subscription.state is SubscriptionState.ACTIVE:
        yield "Next", subscription.next_due_at


def _pause_end(subscription: Subscription) -> datetime | None:
    is_paused = subscription.state is SubscriptionState.PAUSED
    return subscription.paused_until if is_paused else None


def _buttons(subscription: Subscription, which: str) -> Iterator[Button]:
    yield Button(f"Preview{which}", f"preview {subscription.id}")
    if subscription.state is SubscriptionState.ACTIVE:
        yield Button(f"Pause{which}", f"pause {subscription.id}")
    elif subscription.state is SubscriptionState.PAUSED:
        yield Button(f"Resume{which}", f"resume {subscription.id}")
    yield Button(f"Change{which}", subscribe_string(subscription), form=True)
    yield Button(f"Unsubscribe{which}", f"unsubscribe {subscription.id}")


SUBSCRIPTIONS = Command(
    name="subscriptions",
    group=Group.CHANNEL,
    summary="What this channel gets, and when",
    handler=subscriptions,
    params=(IN,),
    of_place=True,
    examples=("subscriptions",),
)
UNSUBSCRIBE = Command(
    name="unsubscribe",
    group=Group.CHANNEL,
    summary="Cancel a subscription",
    handler=unsubscribe,
    params=(ID, IN, SEEN),
    role=Role.MANAGER,
    of_place=True,
    examples=("unsubscribe", "unsubscribe 7"),
)
PAUSE = Command(
    name="pause",
    group=Group.CHANNEL,
    summary="Post nothing for a while",
    handler=pause,
    params=(
        ID,
        Param("until", "When it ends; else when somebody resumes it", UNTIL, "until"),
        IN,
        SEEN,
    ),
    role=Role.MANAGER,
    of_place=True,
    examples=("pause", "pause until:2w"),
)
RESUME = Command(
    name="resume",
    group=Group.CHANNEL,
    summary="Post again, after a pause, a mistake, or what kept the bot out",
    handler=resume,
    params=(ID, IN, SEEN),
    role=Role.MANAGER,
    of_place=True,
    examples=("resume",),
)
