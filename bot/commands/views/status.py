"""The state of everything, as a Reply: what is wrong, what is posted next, what was, what is there.

It answers at one look why a channel did not get its post.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from bot.commands.views.overviews import failing_notices, state_line
from bot.commands.views.subscriptions import WAYS_IN
from bot.replies.blocks import Actions, Block, Fields, Level, Moments, Notice, Reply, Text, Title
from bot.replies.deliveries import (
    Standing,
    channel_name,
    edition_of,
    outcome,
    problems,
    state,
    waiting,
)
from bot.replies.wording import count
from store.library.editions import SourceState
from store.records import Delivery, Subscription, SubscriptionState
from store.sources import CONSENSUS, FollowedSource

_SHOWN = 5  # of each kind


@dataclass(frozen=True, slots=True)
class Posts:
    """The orders that an asker may know of.

    `zone` is the asker's; `everywhere` where they are of all platforms and workspaces.
    """

    standing: Sequence[Standing]
    zone: str
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Stored:
    """What is stored of each source, how many papers, and when something came last.

    `known` are the sources that are followed; `reasons` tells that the asker is an operator, who
    learns why some of them fail.
    """

    states: Sequence[SourceState]
    known: Sequence[FollowedSource]
    papers: int
    imported: Moments | None
    reasons: bool = False


def status_reply(posts: Posts, stored: Stored, today: date) -> Reply:
    """Say what is wrong, what is posted next, what was posted last, and what is stored."""
    states, papers = stored.states, stored.papers
    editions = sum(each.editions for each in states if each.source.slug != CONSENSUS)
    blocks: list[Block] = [Title("Status"), *_posts(posts)]
    blocks.append(Text(f"Stored: {count(editions, 'edition')} with {count(papers, 'paper')}."))
    if states:
        blocks.append(Fields(tuple((s.source.slug, state_line(s, today)) for s in states)))
    blocks += failing_notices(stored.known, today, reasons=stored.reasons)
    if stored.imported:
        blocks.append(stored.imported)
    return Reply(tuple(blocks))


def _posts(posts: Posts) -> Iterator[Block]:
    if not posts.standing:
        how = "subscribe, asked in a channel, makes it get one every week."
        yield Notice(Level.INFO, "No channel gets posts yet.", how)
        if not posts.everywhere:
            yield Actions(WAYS_IN)
        return
    yield from _problems(posts)
    yield from _next(posts)
    yield from _idle(posts)
    yield from _last(posts)


def _problems(posts: Posts) -> Iterator[Block]:
    found = [(each.order, problem) for each in posts.standing for problem in problems(each)]
    for order, problem in found[:_SHOWN]:
        notice = problem.notice
        yield Notice(notice.level, f"{_name(order, posts)}: {notice.text}", notice.remedy)
        if problem.buttons and not posts.everywhere:
            yield Actions(problem.buttons)
    if len(found) > _SHOWN:
        more = count(len(found) - _SHOWN, "problem")
        yield Text(f"{more} more: subscriptions, asked in a channel, tells its own.")


def _next(posts: Posts) -> Iterator[Block]:
    coming = sorted(
        (each.order.next_due_at, each.order.id or 0, each.order)
        for each in posts.standing
        if each.order.state is SubscriptionState.ACTIVE and each.order.next_due_at
    )
    if coming:
        yield Text("Next posts:")
        pairs = tuple((_name(order, posts), at) for at, _, order in coming[:_SHOWN])
        yield Moments(pairs, posts.zone)
        yield from _more(len(coming), "post")


def _idle(posts: Posts) -> Iterator[Block]:
    """Say which orders are paused, or still wait for an edition."""
    rows = [
        (_name(each.order, posts), waiting(each.order) or state(each.order))
        for each in posts.standing
        if each.order.state is SubscriptionState.PAUSED or waiting(each.order)
    ]
    if rows:
        yield Fields(tuple(rows[:_SHOWN]))
        yield from _more(len(rows), "subscription")


def _last(posts: Posts) -> Iterator[Block]:
    made = [(each.order, delivery) for each in posts.standing for delivery in each.deliveries]
    made.sort(key=lambda pair: (pair[1].sent_at or pair[1].due_at, pair[1].id), reverse=True)
    if made:
        yield Text("Last posts:")
        yield Fields(tuple(_row(order, each, posts) for order, each in made[:_SHOWN]))


def _row(order: Subscription, delivery: Delivery, posts: Posts) -> tuple[str, str]:
    became = outcome(delivery, posts.zone)
    return _name(order, posts), f"{edition_of(delivery)}: {became}"


def _more(number: int, noun: str) -> Iterator[Block]:
    if number > _SHOWN:
        yield Text(f"{count(number - _SHOWN, noun)} more.")


def _name(order: Subscription, posts: Posts) -> str:
    name = f"{channel_name(order)} ({order.id})"
    platform = order.channel.workspace
    return f"{platform.platform} {platform.external_id} {name}" if posts.everywhere else name
