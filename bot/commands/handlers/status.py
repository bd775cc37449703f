"""The commands sources and status: the state of everything."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import compress

from bot.commands.handlers.channel.targets import WAYS_IN, statuses_of
from bot.commands.permissions import for_actor, operates
from bot.commands.places import shown_in_status
from bot.commands.types import Command, Context, Group
from bot.domain.addresses import replace_command, without_keys
from bot.library.paper_lookup import nothing_stored
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Fields,
    Level,
    Moments,
    Notice,
    Reply,
    Table,
    Text,
    Title,
)
from bot.replies.deliveries import (
    SubscriptionStatus,
    channel_name,
    delivery_label,
    outcome_text,
    problems_of,
    state_text,
    waiting_text,
)
from bot.replies.wording import ago, count, day
from store import content_version
from store import sources as followed
from store.library import editions, statistics
from store.library.editions import SourceState
from store.posting import subscriptions
from store.records import Source, Subscription, SubscriptionState
from store.sources import CONSENSUS, FollowedSource

_SHOWN = 5  # of each kind
_OFFERED = 6
_COLUMNS = ("Source", "Title", "Newest", "Stored", "State")


async def sources(context: Context) -> Reply:
    """List the sources and how fresh they are."""
    states = await context.content.read(editions.source_states, context.day)
    known = await context.database.read(followed.list_followed)
    if not states and not known:
        raise nothing_stored()
    return sources_reply(states, known, context.today, reasons=operates(context.actor))


async def status(context: Context) -> Reply:
    """Show problems, the next and last posts, and what is stored."""
    actor, database, content = context.actor, context.database, context.content
    states = await content.read(editions.source_states, context.day)
    papers = await content.read(statistics.count_papers)
    changed = await content.read(content_version.changed_at)
    known = await database.read(followed.list_followed)
    zone, sees_all = actor.zone or context.zone, operates(actor)
    seen = await (
        database.read(subscriptions.list_subscriptions)
        if sees_all
        else database.read(subscriptions.of_workspace, context.workspace)
    )
    if not sees_all:
        seen = await shown_in_status(actor, seen)
    posts = _posts(await statuses_of(context, seen), zone, everywhere=sees_all)
    number = sum(each.editions for each in states if each.source.slug != CONSENSUS)
    blocks: list[Block] = [Title("Status"), *posts]
    blocks.append(Text(f"Stored: {count(number, 'edition')} with {count(papers, 'paper')}."))
    if states:
        lines = ((each.source.slug, _state_line(each, context.today)) for each in states)
        blocks.append(Fields(tuple(lines)))
    blocks += failing_notices(known, context.today, reasons=sees_all)
    if changed:
        blocks.append(Moments((("Newest import", changed),), zone))
    return for_actor(context, Reply(tuple(blocks)))


SOURCES = Command(
    name="sources",
    group=Group.LOOKUP,
    summary="What is followed, and how fresh it is",
    handler=sources,
    examples=("sources",),
)
STATUS = Command(
    name="status",
    group=Group.LOOKUP,
    summary="What is stored, how old it is, and what is posted",
    handler=status,
    examples=("status",),
)


def _posts(
    statuses: Sequence[SubscriptionStatus], zone: str, *, everywhere: bool
) -> Iterator[Block]:
    """Show the posts of subscriptions; `everywhere`: they are of all platforms and workspaces."""
    if not statuses:
        how = "subscribe, asked in a channel, makes it get one every week."
        yield Notice(Level.INFO, "No channel gets posts yet.", how)
        if not everywhere:
            yield Actions(WAYS_IN)
        return
    names = {
        each.subscription: _name(each.subscription, everywhere=everywhere) for each in statuses
    }
    yield from _next([each.subscription for each in statuses], names, zone)
    problems = [(each.subscription, found) for each in statuses for found in problems_of(each)]
    for subscription, problem in problems[:_SHOWN]:
        notice = problem.notice
        yield Notice(notice.level, f"{names[subscription]}: {notice.text}", notice.remedy)
        if problem.buttons and not everywhere:
            yield Actions(problem.buttons)
    if len(problems) > _SHOWN:
        more = count(len(problems) - _SHOWN, "problem")
        yield Text(f"{more} more: subscriptions, asked in a channel, tells its own.")
    # Those that are paused or wait for an edition.
    idle = [
        (names[each], waiting_text(each) or state_text(each))
        for each in names
        if each.state is SubscriptionState.PAUSED or waiting_text(each)
    ]
    if idle:
        yield Fields(tuple(idle[:_SHOWN]))
        yield from _more(len(idle), "subscription")
    made = [(each.subscription, delivery) for each in statuses for delivery in each.deliveries]
    made.sort(key=lambda pair: (pair[1].sent_at or pair[1].due_at, pair[1].id), reverse=True)
    if made:
        yield Text("Last posts:")
        yield Fields(
            tuple(
                (names[subscription], f"{delivery_label(each)}: {outcome_text(each, zone)}")
                for subscription, each in made[:_SHOWN]
            )
        )


def _next(
    found: Sequence[Subscription], names: Mapping[Subscription, str], zone: str
) -> Iterator[Block]:
    coming = sorted(
        (each.next_due_at, each.id or 0, names[each])
        for each in found
        if each.state is SubscriptionState.ACTIVE and each.next_due_at
    )
    if coming:
        yield Text("Next posts:")
        yield Moments(tuple((name, at) for at, _, name in coming[:_SHOWN]), zone)
        yield from _more(len(coming), "post")


def _more(number: int, noun: str) -> Iterator[Block]:
    if number > _SHOWN:
        yield Text(f"{count(number - _SHOWN, noun)} more.")


def _name(subscription: Subscription, *, everywhere: bool) -> str:
    name = f"{channel_name(subscription)} ({subscription.id})"
    workspace = subscription.channel.workspace
    return f"{workspace.platform} {workspace.external_id} {name}" if everywhere else name


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
    disabled = {slug for slug, each in by_slug.items() if not each.enabled}
    rows = [
        (*_row(each, today), "not fetched" if each.source.slug in disabled else "")
        for each in states
    ]
    for slug in sorted(by_slug.keys() - {each.source.slug for each in states}):
        off = "not fetched, an operator can enable it"
        what = off if slug in disabled else "nothing fetched yet"
        rows.append((slug, _own_title(by_slug[slug].source), "", "", what))
    blocks: list[Block] = [Title("Sources"), _table(rows)]
    blocks += failing_notices(known, today, reasons=reasons)
    blocks += _refused_notices(known, reasons=reasons)
    slugs = [each.source.slug for each in states if each.last_day][:_OFFERED]
    if slugs:
        buttons = (Button(f"Newest of {slug}", f"latest from:{slug}") for slug in slugs)
        blocks.append(Actions(tuple(buttons)))
    return Reply(tuple(blocks))


def failing_notices(
    known: Sequence[FollowedSource], today: date, *, reasons: bool
) -> Iterator[Notice]:
    """Say since when sources fail, and with `reasons` why.

    Reasons are for operators: they may name hosts and paths.
    """
    for each in known:
        since = min((a.failing_since for a in each.failing if a.failing_since), default=None)
        if not (each.enabled and since):
            continue
        began = since.date()
        part = "" if len(each.failing) == len(each.addresses) else " in part"
        sentence = f"{each.source.slug} has failed{part} since {day(began)} ({ago(began, today)})."
        why = list(dict.fromkeys(a.error for a in each.failing if a.error)) if reasons else []
        if any(address.fetched_at for address in each.addresses):
            why.append("What was fetched before stays.")
        yield Notice(Level.WARNING, sentence, " ".join(why))


def _refused_notices(known: Sequence[FollowedSource], *, reasons: bool) -> Iterator[Notice]:
    """Say which weeks an import was refused for, and with `reasons` the command that replaces them.

    The command has an address, which is for operators.
    """
    for each in known:
        for address in each.addresses:
            if each.enabled and address.left:
                command = without_keys(replace_command(each.source.slug, address))
                how = f"To replace what is stored: {command}" if reasons else ""
                yield Notice(Level.WARNING, f"{each.source.slug}: {address.left}", how)


def _state_line(state: SourceState, today: date) -> str:
    newest = f"newest to {_newest(state, today)} · " if state.last_day else ""
    return (
        f"{_title(state.source)}{newest}{count(state.editions, 'edition')}"
        f" with {count(state.entries, 'entry')}"
    )


def _newest(state: SourceState, today: date) -> str:
    return f"{day(state.last_day)} ({ago(state.last_day, today)})" if state.last_day else ""


def _table(rows: Sequence[tuple[str, ...]]) -> Table:
    """Return the rows with their names, their titles, and other columns that any of them fills."""
    told = [place in {0, 1} or any(row[place] for row in rows) for place in range(len(_COLUMNS))]
    return Table(tuple(compress(_COLUMNS, told)), tuple(tuple(compress(row, told)) for row in rows))


def _row(state: SourceState, today: date) -> tuple[str, str, str, str]:
    source, newest = state.source, _newest(state, today)
    stored = f"{count(state.editions, 'edition')}, {count(state.entries, 'entry')}"
    return source.slug, _own_title(source), newest, stored


def _title(source: Source) -> str:
    return f"{title} · " if (title := _own_title(source)) else ""


def _own_title(source: Source) -> str:
    """Return the title of a source, unless it is its slug."""
    return source.title if source.title != source.slug else ""
