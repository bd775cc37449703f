"""The state of everything, as a Reply: what is wrong, what is posted next, what was, what is there.

It answers at one look why a channel did not get its post.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from bot.commands.views.subscriptions import WAYS_IN
from bot.domain.addresses import discreet, replacing
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
    Standing,
    channel_name,
    edition_of,
    outcome,
    problems,
    state,
    waiting,
)
from bot.replies.wording import ago, count, day
from store.library.editions import SourceState
from store.library.topics import TopicCount
from store.records import Delivery, Source, Subscription, SubscriptionState
from store.sources import CONSENSUS, Followed

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
    known: Sequence[Followed]
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


_OFFERED = 6


def topics_reply(counts: Sequence[TopicCount], summaries: Mapping[str, str]) -> Reply:
    """List the topics with their counts, the most frequent first, and offer these."""
    pairs = tuple(
        (f"{each.topic} · {count(each.papers, 'paper')}", summaries.get(each.topic, ""))
        for each in counts
    )
    buttons = tuple(Button(each.topic, f"topic {each.topic}") for each in counts[:_OFFERED])
    return Reply((Title("Topics"), Fields(pairs), Actions(buttons)))


def sources_reply(
    states: Sequence[SourceState], known: Sequence[Followed], today: date, *, reasons: bool = False
) -> Reply:
    """List what is stored and followed, how fresh it is, and what can't be fetched.

    `reasons` as for `failing_notices`.
    """
    by_slug = {each.source.slug: each for each in known}
    stored = [(each.source.slug, state_line(each, today)) for each in states]
    awaited = by_slug.keys() - {slug for slug, _ in stored}
    pairs = [
        *((slug, line + _unless_fetched(by_slug.get(slug))) for slug, line in stored),
        *((slug, _awaited_line(by_slug[slug])) for slug in sorted(awaited)),
    ]
    buttons = tuple(
        Button(f"Newest of {each.source.slug}", f"latest from:{each.source.slug}")
        for each in states[:_OFFERED]
    )
    offered: tuple[Block, ...] = (Actions(buttons),) if buttons else ()
    notices = (
        *failing_notices(known, today, reasons=reasons),
        *refused_notices(known, reasons=reasons),
    )
    return Reply((Title("Sources"), Fields(tuple(pairs)), *notices, *offered))


def failing_notices(known: Sequence[Followed], today: date, *, reasons: bool) -> Iterator[Notice]:
    """Say of each source that is fetched and fails since when, and with `reasons` why.

    Reasons are for operators: they may name hosts and paths that are nobody else's business.
    """
    for each in known:
        since = min((a.failing_since for a in each.failing if a.failing_since), default=None)
        if each.enabled and since:
            began = since.date()
            part = "" if len(each.failing) == len(each.addresses) else " in part"
            sentence = (
                f"{each.source.slug} has failed{part} since {day(began)} ({ago(began, today)})."
            )
            why = _reasons(each) if reasons else []
            stays = any(address.fetched_at for address in each.addresses)
            calming = ["What was fetched before stays."] if stays else []
            yield Notice(Level.WARNING, sentence, " ".join([*why, *calming]))


def refused_notices(known: Sequence[Followed], *, reasons: bool) -> Iterator[Notice]:
    """Say which weeks were left as they are stored, and with `reasons` what replaces them.

    The command holds an address, which is for operators.
    """
    for each in known:
        for address in each.addresses:
            if each.enabled and address.left:
                command = discreet(replacing(each.source.slug, address))
                how = f"To replace what is stored: {command}" if reasons else ""
                yield Notice(Level.WARNING, f"{each.source.slug}: {address.left}", how)


def _reasons(source: Followed) -> list[str]:
    """Return why addresses of a source fail, each reason once."""
    return list(dict.fromkeys(each.error for each in source.failing if each.error))


def _unless_fetched(source: Followed | None) -> str:
    return " · not fetched" if source and not source.enabled else ""


def _awaited_line(source: Followed) -> str:
    what = "nothing fetched yet" if source.enabled else "not fetched, an operator can enable it"
    return f"{_title(source.source)}{what}"


def state_line(state: SourceState, today: date) -> str:
    """Word what is stored of a source, and how fresh it is."""
    return (
        f"{_title(state.source)}newest to {day(state.last_day)}"
        f" ({ago(state.last_day, today)}) · {count(state.editions, 'edition')}"
        f" with {count(state.entries, 'entry')}"
    )


def _title(source: Source) -> str:
    """Return what begins a line beside a source's slug, where its title says more than that."""
    return f"{source.title} · " if source.title != source.slug else ""
