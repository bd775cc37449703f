"""The commands preview and deliver: what a subscription would post, and posting it now."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from bot.accounts import reactivate, stored_id
from bot.actor import Role
from bot.commands.handlers.channel.subscribe import (
    PREVIEWED,
    SUBSCRIBE,
    in_layout,
    next_picks,
    nothing_to_post,
    nothing_unseen,
    share,
    subscribe_string,
    thread_instead,
    whole_preview,
    would_post,
)
from bot.commands.handlers.channel.subscribe_form import FIELDS, new_subscription, values_of
from bot.commands.handlers.channel.targets import (
    ID,
    IN,
    LISTED,
    Target,
    channels_of,
    find_channel,
    find_subscription,
    nowhere,
    only_of,
)
from bot.commands.params import scalars
from bot.commands.parser import command_string
from bot.commands.permissions import for_actor
from bot.commands.types import Command, Context, Group, Param
from bot.errors import Suggestion, UserError
from bot.posting.digest.filters import (
    EntryVerdict,
    Reason,
    apply_filters,
    describe_filters,
    selected_entries,
)
from bot.posting.digest.layouts import lay_out_post
from bot.posting.digest.paper_list import numbered_title
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Fields,
    Level,
    Notice,
    PaperList,
    Reply,
    Text,
    Title,
    Undo,
)
from bot.replies.deliveries import (
    channel_name,
    content_text,
    delivery_label,
    outcome_text,
    post_url,
)
from bot.replies.paper_actions import NO_VOTES
from bot.replies.papers import paper_line, paper_lines
from bot.replies.wording import capitalised, count, day, edition_name
from store.library import editions
from store.posting import change_subscription, deliveries, editions_to_post, subscriptions
from store.records import Delivery, DeliveryState, Edition, Subscription, SubscriptionState

SET_UP = "Set up a weekly post"
_WANTED = tuple(
    replace(each, key=each.key or each.name, hidden=True) for each in FIELDS if each is not IN
)
_SAMPLE_LOOKS = "With a bundled sample the post would look like this:"
_WEEKS_TRIED = 8
_LARGEST_ID = 999_999_999
_REVIVED = (DeliveryState.DEAD, DeliveryState.SKIPPED)  # what posting now posts all the same
_BEING_POSTED = frozenset({
    DeliveryState.PENDING, DeliveryState.CLAIMED, DeliveryState.SENDING, DeliveryState.RETRY,
})  # fmt: skip
_POSTED = "people may have seen it. Whoever may delete messages there can delete it."


@dataclass(frozen=True, slots=True)
class Outlook:
    """The newest edition of a source, and its delivery to the subscription if there is one."""

    source: str
    edition: Edition | None = None
    delivery: Delivery | None = None


async def preview(
    context: Context,
    id: int | None = None,  # noqa: A002 - the argument's name in every chat
    channel: str | None = None,
    **wanted: Any,  # noqa: ANN401 - as `subscribe` has them
) -> Reply:
    """Show the user what a subscription would post now, and why not the rest.

    What is `wanted` of it otherwise, and a subscription that is not made yet, is shown as a post.
    """
    values = values_of(wanted)
    if id is None:
        target = await find_channel(context, channel)
        if values or not target.subscriptions:
            return for_actor(context, await _draft_preview(context, target, values))
        _, found = only_of(target, "preview")
    else:
        _, found = await find_subscription(context, id, channel, "preview")
        if values:
            return for_actor(context, await _looks(context, replace(found, **values), found))
    if found.personal:
        return for_actor(context, await _personal_preview(context, found))
    today = context.day
    newest = await context.content.read(editions_to_post.read_newest, found.sources, today)
    since = today - timedelta(weeks=_WEEKS_TRIED)
    past = await context.content.read(editions_to_post.read_past, found.sources, since, today)
    made = await context.database.read(deliveries.of_subscriptions, [stored_id(found)])
    by_edition = {(each.source, each.first_day): each for each in made}
    stored = {each.source for each in newest} | {editions_to_post.EVERY_SOURCE}
    outlooks = [
        *(
            Outlook(each.source, each, by_edition.get((each.source, each.first_day)))
            for each in newest
        ),
        *(Outlook(source) for source in found.sources if source not in stored),
    ]
    votes = await context.count_votes({entry.ref for each in newest for entry in each.entries})
    change = subscribe_string(found)
    reply = preview_reply(found, outlooks, past, context.today, change, votes=votes)
    return for_actor(context, reply)


async def deliver(
    context: Context,
    id: int | None = None,  # noqa: A002 - the same
    again: int | None = None,
    channel: str | None = None,
) -> Reply:
    """Post the newest editions now, and show where the posted ones are."""
    target, found = await find_subscription(context, id, channel, "deliver")
    await channels_of(context).enter(target.info, found.layout)
    now = context.clock.now()
    if found.state is SubscriptionState.REFUSED:
        await context.subscriptions.change(found, lambda it: reactivate(it, now), now, None)
    if again is not None:
        return await _post_again(context, found, again)
    if found.personal and not await next_picks(context, found):
        return Reply((nothing_unseen(),), command=LISTED)
    asked = await context.subscriptions.write(
        change_subscription.post_now,
        stored_id(found),
        context.request,
        now,
        context.system_clock.now(),
    )
    if not asked:
        follows = f"no edition that subscription {found.id} follows is stored"
        notice = Notice(
            Level.INFO,
            f"There is nothing to post: {follows}.",
            f"It follows {content_text(found)}."
            " Samples and weeks that are not over are never posted.",
        )
        return Reply((notice,), command=LISTED)
    newest = await context.content.read(editions_to_post.read_newest, found.sources, context.day)
    empty = {(each.source, each.first_day) for each in newest if not selected_entries(each, found)}
    posting = [
        replace(each.delivery, state=DeliveryState.PENDING) if each.is_new else each.delivery
        for each in asked
    ]
    return _posting_reply(found, posting, empty)


async def _personal_preview(context: Context, subscription: Subscription) -> Reply:
    blocks, number = await whole_preview(context, subscription), subscription.id
    changes = Button("Change", subscribe_string(subscription), form=True)
    buttons = Actions((Button("Post it now", f"deliver {number}"), changes))
    title = Title(f"Preview of subscription {number}")
    return Reply((title, *blocks, buttons), command=f"preview {number}")


async def _draft_preview(context: Context, target: Target, values: Mapping[str, Any]) -> Reply:
    """Show the post of a subscription that is not made yet; a layout is one of a channel's."""
    if target.info.direct and "layout" in values:
        target = nowhere(context)
    last = await context.database.read(subscriptions.last_of_channel, target.channel)
    draft, _ = await new_subscription(context, target, values, last)
    return await _looks(context, draft)


async def _looks(
    context: Context, subscription: Subscription, stands: Subscription | None = None
) -> Reply:
    """Show a post as a subscription would make it, and open the form that makes or changes that."""
    texts = {name: text for name, text in context.arguments.items() if name != "id"}
    makes = Button(SET_UP, command_string(SUBSCRIBE, texts), form=True)
    changes = Button("Change", subscribe_string(subscription, stands), form=True)
    blocks = await post_as_it_looks(context, subscription)
    return Reply((*blocks, Actions((makes if subscription.id is None else changes,))))


async def post_as_it_looks(context: Context, subscription: Subscription) -> list[Block]:
    """Return the first message of what a subscription would post now, without its buttons.

    While nothing but samples is stored, it is one of these as it would look.
    """
    if subscription.personal:
        return await whole_preview(context, subscription)
    newest = await context.content.read(
        editions_to_post.read_newest, subscription.sources, context.day
    )
    blocks: list[Block] = []
    for edition in newest[:PREVIEWED]:
        verdicts = apply_filters(edition, subscription)
        blocks.append(Text(would_post(edition, subscription, verdicts, context.today)))
        blocks += _first_message(edition, subscription)
    if blocks:
        return blocks
    sample = await context.content.read(editions.newest_edition, None, context.day)
    post = _first_message(sample, subscription) if sample and sample.sample else []
    nothing = await nothing_to_post(context, subscription)
    return [nothing, *([Text(_SAMPLE_LOOKS), *post] if post else [])]


def _first_message(edition: Edition, subscription: Subscription) -> list[Block]:
    post = lay_out_post(edition, subscription, lambda _: True)
    blocks = post.messages[0].reply.blocks if post else ()
    return [each for each in blocks if not isinstance(each, Actions)]


async def _post_again(context: Context, subscription: Subscription, number: int) -> Reply:
    """Post a delivery again whose outcome is unknown."""
    made = await context.database.read(deliveries.of_subscriptions, [stored_id(subscription)])
    found = next((each for each in made if each.id == number), None)
    if found is None:
        raise UserError(
            f"Subscription {subscription.id} has no delivery {number}.",
            "subscriptions shows how it stands.",
            (Suggestion(LISTED, LISTED),),
        )
    if found.state is DeliveryState.UNKNOWN:
        now = context.system_clock.now()
        await context.subscriptions.write(
            change_subscription.post_again, found.id, context.request, now
        )
        found = replace(found, state=DeliveryState.PENDING)
    return _posting_reply(subscription, [found])


PREVIEW = Command(
    name="preview",
    group=Group.CHANNEL,
    summary="What a subscription would post, and why not the rest",
    handler=preview,
    params=(ID, IN, *_WANTED),
    of_place=True,
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
            scalars.count("DELIVERY", 1, _LARGEST_ID),
            "again",
            buttons=True,
        ),
    ),
    role=Role.MANAGER,
    of_place=True,
    examples=("deliver",),
)


def preview_reply(  # noqa: PLR0913 - each is a part of the answer
    subscription: Subscription,
    outlooks: Sequence[Outlook],
    past: Sequence[Edition],
    today: date,
    change: str,
    *,
    votes: Mapping[str, int] = NO_VOTES,
) -> Reply:
    """Show what a subscription would post of each source now, and why not the rest.

    `past` are the editions of these sources in the last eight weeks, `change` is the command string
    that changes the subscription, `votes` are those of the newest papers, by ref.
    """
    blocks: list[Block] = [Title(f"Preview of subscription {subscription.id}")]
    if not outlooks:
        blocks.append(Notice(Level.INFO, "None of its sources has anything to post yet."))
    for outlook in outlooks:
        blocks += _outlook(outlook, subscription, today, votes)
    blocks += _tried(past, subscription)
    buttons = [Button("Change", change, form=True), *thread_instead(subscription)]
    if any(_may_post(outlook, subscription) for outlook in outlooks):
        buttons.insert(0, Button("Post it now", f"deliver {subscription.id}"))
    return Reply((*blocks, Actions(tuple(buttons))), command=f"preview {subscription.id}")


def why_not(verdict: EntryVerdict, subscription: Subscription) -> str:
    """Say why a subscription does not post a paper."""
    decided, topics = verdict.topics, verdict.entry.topics
    match verdict.reason:
        case Reason.UNWANTED:
            return f"{', '.join(decided)} {'is' if len(decided) == 1 else 'are'} unwanted"
        case Reason.NOT_WANTED if topics:
            return f"its {'topic is' if len(topics) == 1 else 'topics are'} {', '.join(topics)}"
        case Reason.NOT_WANTED:
            return "it has no topic"
        case Reason.BEYOND:
            return f"beyond the size of {subscription.size}"
        case None:
            return "posted"


def _outlook(
    outlook: Outlook, subscription: Subscription, today: date, votes: Mapping[str, int]
) -> Iterator[Block]:
    if outlook.edition is None:
        yield Text(f"{outlook.source} has no edition to post yet.")
        return
    verdicts = apply_filters(outlook.edition, subscription)
    if outlook.delivery:
        yield _outcome(outlook.delivery, subscription)
    if outlook.delivery and outlook.delivery.state not in _REVIVED:
        yield Text(_as_it_is(outlook.edition, subscription, verdicts))
    else:
        yield Text(would_post(outlook.edition, subscription, verdicts, today))
    if lines := paper_lines([each.entry for each in verdicts if each.reason is None], votes):
        yield PaperList(tuple(lines))
    if dropped := [verdict for verdict in verdicts if verdict.reason is not None]:
        topics = ", ".join(subscription.topics)
        yield Text(f"Not posted (wanted: {topics}):" if topics else "Not posted:")
        yield Fields(
            tuple((numbered_title(paper_line(v.entry)), why_not(v, subscription)) for v in dropped)
        )


def _as_it_is(
    edition: Edition, subscription: Subscription, verdicts: Sequence[EntryVerdict]
) -> str:
    posted = sum(verdict.reason is None for verdict in verdicts)
    if not posted:
        return "As the subscription is now, its filters keep no paper of that."
    papers = share(posted, len(verdicts))
    return f"As the subscription is now, that is {papers}, {in_layout(edition, subscription)}."


def _outcome(delivery: Delivery, subscription: Subscription) -> Notice:
    edition, at = delivery_label(delivery), delivery.sent_at
    match delivery.state:
        case DeliveryState.SENT:
            when = f" on {day(at.astimezone(ZoneInfo(subscription.zone)).date())}" if at else ""
            sentence = f"{edition} was posted already{when}."
            return Notice(Level.INFO, sentence, post_url(delivery) or "")
        case DeliveryState.UNKNOWN:
            sentence = f"{edition} was sent, and nobody knows whether it arrived."
            return Notice(Level.WARNING, sentence)
        case DeliveryState.DEAD:
            return Notice(Level.WARNING, f"{edition} could not be posted.", delivery.error or "")
        case DeliveryState.SKIPPED:
            return Notice(Level.INFO, f"{edition} was skipped.", delivery.error or "")
        case _:
            return Notice(Level.INFO, f"{edition} is being posted.")


def _may_post(outlook: Outlook, subscription: Subscription) -> bool:
    if outlook.edition is None or not selected_entries(outlook.edition, subscription):
        return False
    return outlook.delivery is None or outlook.delivery.state in _REVIVED


def _tried(past: Sequence[Edition], subscription: Subscription) -> Iterator[Block]:
    """Say how many papers of past editions the subscription would have posted."""
    over = f"Over the last {_WEEKS_TRIED} weeks"
    if not past:
        yield Text(f"{over} nothing came to try it on.")
        return
    kept = [len(selected_entries(edition, subscription)) for edition in past]
    papers = sum(len(edition.entries) for edition in past)
    filters = describe_filters(subscription)
    if sum(kept) == papers and not filters:
        yield Text(f"{over} it would have posted all {count(papers, 'paper')}: it has no filters.")
        return
    keeps = "these filters keep" if filters else "its size keeps"
    yield Text(f"{over} {keeps} {sum(kept)} of {count(papers, 'paper')}.")
    yield Fields(
        tuple(
            (edition_name(edition), f"{number} of {len(edition.entries)}")
            for edition, number in zip(past, kept, strict=True)
        )
    )


def _posting_reply(
    subscription: Subscription,
    made: Sequence[Delivery],
    empty: Collection[tuple[str, date]] = (),
) -> Reply:
    """Say what is being posted now, and where the posted ones are.

    Of the editions in `empty`, by source and first day, the filters keep no paper.
    """
    notices = [
        _posting(subscription, each, is_empty=(each.source, each.first_day) in empty)
        for each in made
    ]
    buttons = tuple(
        Button("Post again", f"deliver {subscription.id} again:{each.id}")
        for each in made
        if each.state is DeliveryState.UNKNOWN
    )
    is_posting = any(each.state in _BEING_POSTED for each in made)
    undo = Undo(f"had subscription {subscription.id} post", (), _POSTED, there=True)
    return Reply(
        (*notices, *((Actions(buttons),) if buttons else ())),
        command=LISTED,
        undo=undo if is_posting else None,
    )


def _posting(subscription: Subscription, delivery: Delivery, *, is_empty: bool) -> Notice:
    edition, where = delivery_label(delivery), channel_name(subscription)
    outcome = outcome_text(delivery, subscription.zone)
    if delivery.state in _BEING_POSTED:
        if is_empty:
            sentence = f"The filters keep nothing of {edition}, so nothing is posted."
            return Notice(Level.INFO, sentence, f"preview {subscription.id} says why.")
        return Notice(Level.INFO, f"Posting {edition} in {where} now.")
    if delivery.state is DeliveryState.SENT:
        sentence = f"{edition} was posted in {where} already; nothing is posted again."
        return Notice(Level.INFO, sentence, capitalised(outcome))
    return Notice(Level.WARNING, f"{edition} in {where}: {outcome}", post_url(delivery) or "")
