"""Subscriptions as Replies: added, listed, paused, resumed, cancelled, and posted now."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from bot.accounts.change_subscription import in_words
from bot.replies import wording
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Fields,
    Level,
    Moments,
    Notice,
    Reply,
    Text,
    Title,
)
from bot.replies.deliveries import (
    SubscriptionStatus,
    channel_name,
    content_text,
    edition_label,
    outcome_text,
    pause_text,
    post_url,
    problems_of,
    state_text,
    waiting_text,
)
from bot.replies.wording import capitalised
from store.records import Delivery, DeliveryState, Subscription, SubscriptionState

LISTED = "subscriptions"
_PLACES = ("Next", "Then", "After that")
_BEING_POSTED = frozenset({
    DeliveryState.PENDING, DeliveryState.CLAIMED, DeliveryState.SENDING, DeliveryState.RETRY,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Beside:
    """The facts that an answer to `subscribe` shows beside the subscription.

    `zone_from` says where the zone came from; `dues` are the next instants; `change` is the command
    string that its form opens with; `preview` says what it would post.
    """

    zone_from: str
    dues: Sequence[datetime]
    change: str
    preview: tuple[Block, ...] = ()


def subscribed_reply(subscription: Subscription, beside: Beside, *, is_new: bool) -> Reply:
    """Show a subscription; `is_new` tells that it was added and not there before."""
    where = channel_name(subscription)
    if is_new:
        sentence = f"Subscription {subscription.id}: {where} gets posts {in_words(subscription)}."
    else:
        already = f"{capitalised(where)} has that already: subscription {subscription.id}."
        sentence = f"{already} Nothing was added."
    undo = [Button("Undo", f"unsubscribe {subscription.id}")] if is_new else []
    return _ordered(subscription, beside, sentence, undo)


def changed_reply(subscription: Subscription, beside: Beside, undo: str | None) -> Reply:
    """Show a changed subscription; `undo` is the command string that restores it."""
    if undo is None:
        sentence = f"Subscription {subscription.id} is so already; nothing has changed."
    else:
        where, when = channel_name(subscription), in_words(subscription)
        sentence = f"Subscription {subscription.id}: {where} gets posts {when}."
    return _ordered(subscription, beside, sentence, [Button("Undo", undo)] if undo else [])


def subscriptions_reply(where: str, states: Sequence[SubscriptionStatus]) -> Reply:
    """Show the subscriptions of a channel, their last posts and problems."""
    blocks: list[Block] = [Title(f"Posts in {where}")]
    for each in states:
        blocks += _listed(each, alone=len(states) == 1)
    more = (Button("Subscribe to more…", "subscribe", form=True),)
    return Reply((*blocks, Actions(more)), command=LISTED)


def none_reply(where: str) -> Reply:
    """Say that a channel gets no posts, and offer to subscribe."""
    sentence = f"{capitalised(where)} gets no posts yet."
    notice = Notice(Level.INFO, sentence, "subscribe makes it get one every week.")
    return Reply((notice, Actions(WAYS_IN)), command=LISTED)


WAYS_IN = (
    Button("Subscribe", "subscribe"),
    Button("Choose when and what…", "subscribe", form=True),
)


def posted_already(edition: str) -> Text:
    """Say that an edition was posted already."""
    return Text(f"{edition} was posted already; the next post is of a newer one.")


def nothing_stored(disabled: Sequence[str] = ()) -> tuple[Block, ...]:
    """Say that there is nothing to post yet; `disabled` are the sources that are not fetched."""
    if disabled:
        notice = Notice(
            Level.WARNING,
            f"Nothing that it follows is stored yet, and {', '.join(disabled)} is not fetched.",
            f"An operator can change that: broadsheet sources enable {disabled[0]}.",
        )
    else:
        notice = Notice(
            Level.INFO,
            "Nothing that it follows is stored yet; it posts what comes.",
            "Samples and weeks that are not over are never posted.",
        )
    return (notice,)


def cancelled_reply(subscription: Subscription, *, undo: bool = True) -> Reply:
    """Say that a subscription was cancelled; `undo` tells that the user may resume it."""
    where = channel_name(subscription)
    sentence = f"Subscription {subscription.id} is taken back: {where} gets no more of it."
    return _stopped(subscription, Notice(Level.INFO, sentence, "What was posted stays."), undo=undo)


def paused_reply(subscription: Subscription, *, undo: bool = True) -> Reply:
    """Say that a subscription was paused; `undo` tells that the user may resume it."""
    notice = Notice(
        Level.INFO,
        f"Subscription {subscription.id} is paused {pause_text(subscription)}.",
        "It posts again by itself then."
        if subscription.paused_until
        else "Until then it posts nothing.",
    )
    return _stopped(subscription, notice, undo=undo)


def _stopped(subscription: Subscription, notice: Notice, *, undo: bool) -> Reply:
    buttons = (Actions((Button("Undo", f"resume {subscription.id}"),)),) if undo else ()
    return Reply((notice, *buttons), command=LISTED)


def resumed_reply(subscription: Subscription, *, was_active: bool) -> Reply:
    """Say that a subscription is active; `was_active` tells that it was before."""
    already = " already; nothing has changed." if was_active else "."
    where, when = channel_name(subscription), in_words(subscription)
    sentence = f"Subscription {subscription.id} posts in {where} {when}{already}"
    blocks: list[Block] = [Notice(Level.INFO, sentence)]
    if subscription.next_due_at is not None:
        blocks.append(Moments((("Next", subscription.next_due_at),), subscription.zone))
    buttons = (
        Button("Preview", f"preview {subscription.id}"),
        Button("Pause", f"pause {subscription.id}"),
    )
    return Reply((*blocks, Actions(buttons)), command=LISTED)


def posting_reply(
    subscription: Subscription,
    deliveries: Sequence[Delivery],
    empty: Collection[tuple[str, date]] = (),
) -> Reply:
    """Say what is being posted now, and where the posted ones are.

    Of the editions in `empty`, by source and first day, the filters keep no paper.
    """
    blocks: list[Block] = []
    buttons: list[Button] = []
    for delivery in deliveries:
        if delivery.state in _BEING_POSTED and (delivery.source, delivery.first_day) in empty:
            blocks.append(_nothing_kept(subscription, delivery))
            continue
        blocks.append(_posting(subscription, delivery))
        if delivery.state is DeliveryState.UNKNOWN:
            again = f"deliver {subscription.id} again:{delivery.id}"
            buttons.append(Button("Post again", again))
    actions = [Actions(tuple(buttons))] if buttons else []
    return Reply((*blocks, *actions), command=LISTED)


def nothing_to_post_reply(subscription: Subscription) -> Reply:
    """Say that no edition is stored that a subscription could post."""
    follows = f"no edition that subscription {subscription.id} follows is stored"
    notice = Notice(
        Level.INFO,
        f"There is nothing to post: {follows}.",
        f"It follows {content_text(subscription)}."
        " Samples and weeks that are not over are never posted.",
    )
    return Reply((notice,), command=LISTED)


def _ordered(
    subscription: Subscription, beside: Beside, sentence: str, undo: Sequence[Button]
) -> Reply:
    facts = (
        ("Posts", content_text(subscription)),
        ("Zone", f"{subscription.zone}, {beside.zone_from}"),
        ("Waits", _patience(subscription)),
    )
    blocks: list[Block] = [Notice(Level.INFO, sentence), Fields(facts)]
    if subscription.state is not SubscriptionState.ACTIVE:
        blocks.append(Text(f"It is {state_text(subscription)}."))
    else:
        blocks.append(Moments(tuple(zip(_PLACES, beside.dues, strict=False)), subscription.zone))
    buttons = (
        Button("Preview", f"preview {subscription.id}"),
        Button("Post it now", f"deliver {subscription.id}"),
        Button("Change", beside.change, form=True),
        *undo,
    )
    return Reply((*blocks, *beside.preview, Actions(buttons)), command=LISTED)


def _patience(subscription: Subscription) -> str:
    if not subscription.patience:
        return "not at all for an edition that is late"
    return f"{wording.duration(subscription.patience)} for an edition that is late"


def _listed(status: SubscriptionStatus, *, alone: bool) -> Iterator[Block]:
    subscription = status.subscription
    yield Fields(tuple(_facts(status)))
    if subscription.next_due_at is not None and subscription.state is SubscriptionState.ACTIVE:
        yield Moments((("Next", subscription.next_due_at),), subscription.zone)
    for problem in problems_of(status):
        yield problem.notice
        if problem.buttons:
            yield Actions(problem.buttons)
    yield Actions(tuple(_buttons(status, "" if alone else f" {subscription.id}")))


def _facts(status: SubscriptionStatus) -> Iterator[tuple[str, str]]:
    subscription, last, sent = status.subscription, status.last, status.last_sent
    yield f"Subscription {subscription.id}", in_words(subscription)
    yield "Posts", content_text(subscription)
    yield "State", waiting_text(subscription) or state_text(subscription)
    if last is not None and last is not sent:
        yield "Now", f"{edition_label(last)}: {outcome_text(last, subscription.zone)}"
    if sent is not None:
        yield "Last post", f"{edition_label(sent)}: {outcome_text(sent, subscription.zone)}"


def _buttons(status: SubscriptionStatus, which: str) -> Iterator[Button]:
    subscription = status.subscription
    yield Button(f"Preview{which}", f"preview {subscription.id}")
    if subscription.state is SubscriptionState.ACTIVE:
        yield Button(f"Pause{which}", f"pause {subscription.id}")
    elif subscription.state is SubscriptionState.PAUSED:
        yield Button(f"Resume{which}", f"resume {subscription.id}")
    yield Button(f"Change{which}", status.form_command, form=True)
    yield Button(f"Unsubscribe{which}", f"unsubscribe {subscription.id}")


def _nothing_kept(subscription: Subscription, delivery: Delivery) -> Notice:
    return Notice(
        Level.INFO,
        f"The filters keep nothing of {edition_label(delivery)}, so nothing is posted.",
        f"preview {subscription.id} says why.",
    )


def _posting(subscription: Subscription, delivery: Delivery) -> Notice:
    edition, where = edition_label(delivery), channel_name(subscription)
    if delivery.state is DeliveryState.SENT:
        sentence = f"{edition} was posted in {where} already; nothing is posted again."
        return Notice(Level.INFO, sentence, capitalised(outcome_text(delivery, subscription.zone)))
    if delivery.state in _BEING_POSTED:
        return Notice(Level.INFO, f"Posting {edition} in {where} now.")
    sentence = f"{edition} in {where}: {outcome_text(delivery, subscription.zone)}"
    return Notice(Level.WARNING, sentence, post_url(delivery) or "")
