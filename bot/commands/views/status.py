"""The state of everything as a Reply: problems, the next and last posts, what is stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from bot.commands.views.subscriptions import WAYS_IN
from bot.domain.addresses import replace_command, without_keys
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
    edition_label,
    outcome_text,
    problems_of,
    state_text,
    waiting_text,
)
from bot.replies.wording import ago, count, day
from store.library.editions import SourceState
from store.records import Delivery, Source, Subscription, SubscriptionState
from store.sources import CONSENSUS, FollowedSource

_SHOWN = 5  # of each kind


@dataclass(frozen=True, slots=True)
class Posts:
    """The subscriptions that a user may know of.

    `zone` is the user's; `everywhere` tells that they are of all platforms and workspaces.
    """

    states: Sequence[SubscriptionStatus]
    zone: str
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class Stored:
    """The stored sources, the number of papers, and the time of the last import.

    `known` are the followed sources; `reasons` tells that the user is an operator, who learns why
    some of them fail.
    """

    states: Sequence[SourceState]
    known: Sequence[FollowedSource]
    papers: int
    imported: Moments | None
    reasons: bool = False


def status_reply(posts: Posts, stored: Stored, today: date) -> Reply:
    """Show problems, the next and last posts, and what is stored."""
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
    if not posts.states:
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
    found = [(each.subscription, problem) for each in posts.states for problem in problems_of(each)]
    for subscription, problem in found[:_SHOWN]:
        notice = problem.notice
        yield Notice(notice.level, f"{_name(subscription, posts)}: {notice.text}", notice.remedy)
        if problem.buttons and not posts.everywhere:
            yield Actions(problem.buttons)
    if len(found) > _SHOWN:
        more = count(len(found) - _SHOWN, "problem")
        yield Text(f"{more} more: subscriptions, asked in a channel, tells its own.")


def _next(posts: Posts) -> Iterator[Block]:
    coming = sorted(
        (each.subscription.next_due_at, each.subscription.id or 0, each.subscription)
        for each in posts.states
        if each.subscription.state is SubscriptionState.ACTIVE and each.subscription.next_due_at
    )
    if coming:
        yield Text("Next posts:")
        pairs = tuple((_name(subscription, posts), at) for at, _, subscription in coming[:_SHOWN])
        yield Moments(pairs, posts.zone)
        yield from _more(len(coming), "post")


def _idle(posts: Posts) -> Iterator[Block]:
    """List the subscriptions that are paused or wait for an edition."""
    rows = [
        (
            _name(each.subscription, posts),
            waiting_text(each.subscription) or state_text(each.subscription),
        )
        for each in posts.states
        if each.subscription.state is SubscriptionState.PAUSED or waiting_text(each.subscription)
    ]
    if rows:
        yield Fields(tuple(rows[:_SHOWN]))
        yield from _more(len(rows), "subscription")


def _last(posts: Posts) -> Iterator[Block]:
    made = [(each.subscription, delivery) for each in posts.states for delivery in each.deliveries]
    made.sort(key=lambda pair: (pair[1].sent_at or pair[1].due_at, pair[1].id), reverse=True)
    if made:
        yield Text("Last posts:")
        yield Fields(tuple(_row(subscription, each, posts) for subscription, each in made[:_SHOWN]))


def _row(subscription: Subscription, delivery: Delivery, posts: Posts) -> tuple[str, str]:
    became = outcome_text(delivery, posts.zone)
    return _name(subscription, posts), f"{edition_label(delivery)}: {became}"


def _more(number: int, noun: str) -> Iterator[Block]:
    if number > _SHOWN:
        yield Text(f"{count(number - _SHOWN, noun)} more.")


def _name(subscription: Subscription, posts: Posts) -> str:
    name = f"{channel_name(subscription)} ({subscription.id})"
    platform = subscription.channel.workspace
    return f"{platform.platform} {platform.external_id} {name}" if posts.everywhere else name


_OFFERED = 6


def sources_reply(
    states: Sequence[SourceState],
    known: Sequence[FollowedSource],
    today: date,
    *,
    reasons: bool = False,
) -> Reply:
    """List the stored and followed sources, how fresh they are, and which can't be fetched.

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


def failing_notices(
    known: Sequence[FollowedSource], today: date, *, reasons: bool
) -> Iterator[Notice]:
    """Say since when sources fail, and with `reasons` why.

    Reasons are for operators: they may name hosts and paths.
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


def refused_notices(known: Sequence[FollowedSource], *, reasons: bool) -> Iterator[Notice]:
    """Say which weeks an import was refused for, and with `reasons` the command that replaces them.

    The command has an address, which is for operators.
    """
    for each in known:
        for address in each.addresses:
            if each.enabled and address.left:
                command = without_keys(replace_command(each.source.slug, address))
                how = f"To replace what is stored: {command}" if reasons else ""
                yield Notice(Level.WARNING, f"{each.source.slug}: {address.left}", how)


def _reasons(source: FollowedSource) -> list[str]:
    """Return why addresses of a source fail, each reason once."""
    return list(dict.fromkeys(each.error for each in source.failing if each.error))


def _unless_fetched(source: FollowedSource | None) -> str:
    return " · not fetched" if source and not source.enabled else ""


def _awaited_line(source: FollowedSource) -> str:
    what = "nothing fetched yet" if source.enabled else "not fetched, an operator can enable it"
    return f"{_title(source.source)}{what}"


def state_line(state: SourceState, today: date) -> str:
    """Word the state of a source, and how fresh it is."""
    return (
        f"{_title(state.source)}newest to {day(state.last_day)}"
        f" ({ago(state.last_day, today)}) · {count(state.editions, 'edition')}"
        f" with {count(state.entries, 'entry')}"
    )


def _title(source: Source) -> str:
    """Return the title of a source, unless it is its slug."""
    return f"{source.title} · " if source.title != source.slug else ""
