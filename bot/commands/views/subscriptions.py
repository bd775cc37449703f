"""Standing orders as Replies: given, listed, paused, resumed, taken back, and posted now."""

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
class Told:
    """What an answer to `subscribe` tells beside the order itself.

    `zone_from` says where the zone came from; `dues` are the next instants; `change` is the line
    that its form opens with; `preview` says what it would post.
    """

    zone_from: str
    dues: Sequence[datetime]
    change: str
    preview: tuple[Block, ...] = ()


def subscribed_reply(order: Subscription, told: Told, *, is_new: bool) -> Reply:
    """Say what was ordered, when it posts, and what; `is_new` where it was not ordered before."""
    where = channel_name(order)
    if is_new:
        said = f"Subscription {order.id}: {where} gets posts {in_words(order)}."
    else:
        said = f"{capitalised(where)} has that already: subscription {order.id}. Nothing was added."
    undo = [Button("Undo", f"unsubscribe {order.id}")] if is_new else []
    return _ordered(order, told, said, undo)


def changed_reply(order: Subscription, told: Told, undo: str | None) -> Reply:
    """Say how an order stands since it was changed; `undo` is the line that restores it."""
    if undo is None:
        said = f"Subscription {order.id} is so already; nothing has changed."
    else:
        said = f"Subscription {order.id}: {channel_name(order)} gets posts {in_words(order)}."
    return _ordered(order, told, said, [Button("Undo", undo)] if undo else [])


def subscriptions_reply(where: str, standing: Sequence[SubscriptionStatus]) -> Reply:
    """Say what a channel gets and when, what became of the last posts, and what is wrong."""
    blocks: list[Block] = [Title(f"Posts in {where}")]
    for each in standing:
        blocks += _listed(each, alone=len(standing) == 1)
    more = (Button("Subscribe to more…", "subscribe", form=True),)
    return Reply((*blocks, Actions(more)), command=LISTED)


def none_reply(where: str) -> Reply:
    """Say that a channel gets no posts, and offer some."""
    said = f"{capitalised(where)} gets no posts yet."
    notice = Notice(Level.INFO, said, "subscribe makes it get one every week.")
    return Reply((notice, Actions(WAYS_IN)), command=LISTED)


WAYS_IN = (
    Button("Subscribe", "subscribe"),
    Button("Choose when and what…", "subscribe", form=True),
)


def posted_already(edition: str) -> Text:
    """Say that an order posts nothing more of an edition."""
    return Text(f"{edition} was posted already; the next post is of a newer one.")


def nothing_stored(disabled: Sequence[str] = ()) -> tuple[Block, ...]:
    """Say that there is nothing yet that an order could post.

    `disabled` are those of its sources that are not fetched.
    """
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


def ended_reply(order: Subscription, *, undo: bool = True) -> Reply:
    """Say that an order was taken back; `undo` where the asker may resume it."""
    said = f"Subscription {order.id} is taken back: {channel_name(order)} gets no more of it."
    return _stopped(order, Notice(Level.INFO, said, "What was posted stays."), undo=undo)


def paused_reply(order: Subscription, *, undo: bool = True) -> Reply:
    """Say that an order posts nothing for a while; `undo` where the asker may resume it."""
    notice = Notice(
        Level.INFO,
        f"Subscription {order.id} is paused {pause_text(order)}.",
        "It posts again by itself then." if order.paused_until else "Until then it posts nothing.",
    )
    return _stopped(order, notice, undo=undo)


def _stopped(order: Subscription, notice: Notice, *, undo: bool) -> Reply:
    buttons = (Actions((Button("Undo", f"resume {order.id}"),)),) if undo else ()
    return Reply((notice, *buttons), command=LISTED)


def resumed_reply(order: Subscription, *, was_so: bool) -> Reply:
    """Say that an order is carried out again; `was_so` where it was all the time."""
    already = " already; nothing has changed." if was_so else "."
    said = f"Subscription {order.id} posts in {channel_name(order)} {in_words(order)}{already}"
    blocks: list[Block] = [Notice(Level.INFO, said)]
    if order.next_due_at is not None:
        blocks.append(Moments((("Next", order.next_due_at),), order.zone))
    buttons = (Button("Preview", f"preview {order.id}"), Button("Pause", f"pause {order.id}"))
    return Reply((*blocks, Actions(buttons)), command=LISTED)


def posting_reply(
    order: Subscription, asked: Sequence[Delivery], empty: Collection[tuple[str, date]] = ()
) -> Reply:
    """Say what is being posted now, and where what was posted already stands.

    Of the editions in `empty`, by source and first day, the filters keep nothing.
    """
    blocks: list[Block] = []
    buttons: list[Button] = []
    for delivery in asked:
        if delivery.state in _BEING_POSTED and (delivery.source, delivery.first_day) in empty:
            blocks.append(_nothing_kept(order, delivery))
            continue
        blocks.append(_posting(order, delivery))
        if delivery.state is DeliveryState.UNKNOWN:
            again = f"deliver {order.id} again:{delivery.id}"
            buttons.append(Button("Post again", again))
    actions = [Actions(tuple(buttons))] if buttons else []
    return Reply((*blocks, *actions), command=LISTED)


def nothing_to_post_reply(order: Subscription) -> Reply:
    """Say that no edition is stored that an order could post."""
    notice = Notice(
        Level.INFO,
        f"There is nothing to post: no edition that subscription {order.id} follows is stored.",
        f"It follows {content_text(order)}. Samples and weeks that are not over are never posted.",
    )
    return Reply((notice,), command=LISTED)


def _ordered(order: Subscription, told: Told, said: str, undo: Sequence[Button]) -> Reply:
    facts = (
        ("Posts", content_text(order)),
        ("Zone", f"{order.zone}, {told.zone_from}"),
        ("Waits", _patience(order)),
    )
    blocks: list[Block] = [Notice(Level.INFO, said), Fields(facts)]
    if order.state is not SubscriptionState.ACTIVE:
        blocks.append(Text(f"It is {state_text(order)}."))
    else:
        blocks.append(Moments(tuple(zip(_PLACES, told.dues, strict=False)), order.zone))
    buttons = (
        Button("Preview", f"preview {order.id}"),
        Button("Post it now", f"deliver {order.id}"),
        Button("Change", told.change, form=True),
        *undo,
    )
    return Reply((*blocks, *told.preview, Actions(buttons)), command=LISTED)


def _patience(order: Subscription) -> str:
    if not order.patience:
        return "not at all for an edition that is late"
    return f"{wording.duration(order.patience)} for an edition that is late"


def _listed(standing: SubscriptionStatus, *, alone: bool) -> Iterator[Block]:
    order = standing.subscription
    yield Fields(tuple(_facts(standing)))
    if order.next_due_at is not None and order.state is SubscriptionState.ACTIVE:
        yield Moments((("Next", order.next_due_at),), order.zone)
    for problem in problems_of(standing):
        yield problem.notice
        if problem.buttons:
            yield Actions(problem.buttons)
    yield Actions(tuple(_buttons(standing, "" if alone else f" {order.id}")))


def _facts(standing: SubscriptionStatus) -> Iterator[tuple[str, str]]:
    order, last, sent = standing.subscription, standing.last, standing.last_sent
    yield f"Subscription {order.id}", in_words(order)
    yield "Posts", content_text(order)
    yield "State", waiting_text(order) or state_text(order)
    if last is not None and last is not sent:
        yield "Now", f"{edition_label(last)}: {outcome_text(last, order.zone)}"
    if sent is not None:
        yield "Last post", f"{edition_label(sent)}: {outcome_text(sent, order.zone)}"


def _buttons(standing: SubscriptionStatus, which: str) -> Iterator[Button]:
    order = standing.subscription
    yield Button(f"Preview{which}", f"preview {order.id}")
    if order.state is SubscriptionState.ACTIVE:
        yield Button(f"Pause{which}", f"pause {order.id}")
    elif order.state is SubscriptionState.PAUSED:
        yield Button(f"Resume{which}", f"resume {order.id}")
    yield Button(f"Change{which}", standing.form_command, form=True)
    yield Button(f"Unsubscribe{which}", f"unsubscribe {order.id}")


def _nothing_kept(order: Subscription, delivery: Delivery) -> Notice:
    return Notice(
        Level.INFO,
        f"The filters keep nothing of {edition_label(delivery)}, so nothing is posted.",
        f"preview {order.id} says why.",
    )


def _posting(order: Subscription, delivery: Delivery) -> Notice:
    edition, where = edition_label(delivery), channel_name(order)
    if delivery.state is DeliveryState.SENT:
        said = f"{edition} was posted in {where} already; nothing is posted again."
        return Notice(Level.INFO, said, capitalised(outcome_text(delivery, order.zone)))
    if delivery.state in _BEING_POSTED:
        return Notice(Level.INFO, f"Posting {edition} in {where} now.")
    said = f"{edition} in {where}: {outcome_text(delivery, order.zone)}"
    return Notice(Level.WARNING, said, post_url(delivery) or "")
