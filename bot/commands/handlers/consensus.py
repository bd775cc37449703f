"""The commands consensus and top: the papers that several sources name best."""

from dataclasses import replace

from bot.commands.params.scalars import PAGE, choice
from bot.commands.params.weeks import SHARED_WEEK, WHOLE_PERIOD
from bot.commands.parser import page_string, pager
from bot.commands.types import Command, Context, Group, Param
from bot.commands.views.consensus import (
    Order,
    Ranked,
    agreed_reply,
    consensus_reply,
    no_consensus_reply,
    no_consensus_yet_reply,
    nothing_in_period_reply,
    top_reply,
)
from bot.domain.weeks import Period, Week, name_of, parse_whole_period
from bot.errors import Option, Suggestion, UserError
from bot.library.paper_lookup import nothing_stored
from bot.replies.blocks import Reply
from store.consensus import queries
from store.library import editions, mentions
from store.sources import CONSENSUS

_PAGE = 10
_DISPUTED = 3
_BY_RANK, _BY_VOTES = "rank", "votes"


async def consensus(context: Context, week: Week | None = None, page: int = 1) -> Reply:
    """Show what the sources of a week agree on; by default of the newest week."""
    name = week.name if week else await context.content.read(queries.newest_week, context.day)
    if name is None:
        return await _none_at_all(context)
    week = Week.named(name)
    found = await context.content.read(queries.of_week, name, _DISPUTED)
    beside = await context.content.read(editions.neighbours, name, CONSENSUS)
    if found is None:
        if beside.before is None and beside.after is None:
            return await _none_at_all(context)
        return no_consensus_reply(week, beside.others, beside)
    start, end = (page - 1) * _PAGE, page * _PAGE
    # A week that was not named is the newest one: the buttons name it.
    context = replace(context, arguments={**context.arguments, "week": name})
    if page > 1 and start >= len(found.agreed):
        raise _too_far("This consensus", page_string(CONSENSUS_OF, context, 1))
    more, shown = len(found.agreed) > end, slice(start, end)
    votes = await context.count_votes({each.mentions[0].entry.ref for each in found.papers})
    if page == 1:
        following = page_string(CONSENSUS_OF, context, 2) if more else None
        return consensus_reply(found, shown, following, beside, context.day, votes=votes)
    reply = agreed_reply(
        found, shown, pager(CONSENSUS_OF, context, page, more=more), context.day, votes
    )
    return replace(reply, command=page_string(CONSENSUS_OF, context, page))


async def top(
    context: Context, period: Period | None = None, by: str = _BY_RANK, page: int = 1
) -> Reply:
    """List the best papers of a period over all sources; by default of the newest month.

    By votes, the papers with the most votes of the workspace come first.
    """
    period = period or await _newest_month(context)
    days = period.first_day, period.last_day, context.day
    papers = await context.content.read(queries.best_papers, *days)
    context = replace(context, arguments={**context.arguments, "period": name_of(period)})
    line, start = page_string(TOP, context, page), (page - 1) * _PAGE
    if not papers:
        near = await context.content.read(queries.nearest_days, *days)
        if near.before is None and near.after is None:
            raise nothing_stored()
        same_order = f"by:{by}" if by != _BY_RANK else ""
        return replace(nothing_in_period_reply(period, near, same_order), command=line)
    if start >= len(papers):
        raise _too_far("This list", page_string(TOP, context, 1))
    order = Order.BY_RANK
    if by == _BY_VOTES:
        ids = [entry for paper in papers for entry in paper]
        ranks = await context.votes.of_entries(context.workspace, ids)
        order = Order.BY_VOTES if ranks else Order.WITHOUT_VOTES
        papers = queries.order_by_votes(papers, ranks)
    shown = papers[start : start + _PAGE]
    entries = tuple(entry for paper in shown for entry in paper)
    found = iter(await context.content.read(mentions.of_entries, entries))
    named = [[next(found) for _ in paper] for paper in shown]
    pages = pager(TOP, context, page, more=len(papers) > start + _PAGE)
    listed = Ranked(
        period,
        order,
        len(papers),
        start + 1,
        await context.count_votes({paper[0].entry.ref for paper in named}),
        has_voters=context.actor.has_voters,
    )
    return replace(top_reply(listed, named, pages), command=line)


async def _newest_month(context: Context) -> Period:
    """Return this month, or the last one in which an edition ends."""
    month = _period(context, "month")
    days = month.first_day, month.last_day, context.day
    if await context.content.read(queries.best_papers, *days):
        return month
    near = await context.content.read(queries.nearest_days, *days)
    return _period(context, f"{near.before:%Y-%m}") if near.before else month


def _period(context: Context, name: str) -> Period:
    period = parse_whole_period(name, context.today)
    if period is None:
        raise AssertionError(f"{name} names a period")
    return period


async def _none_at_all(context: Context) -> Reply:
    """Return the reply if no week has a consensus.

    Raises:
        UserError: if nothing is stored yet.
    """
    if await context.content.read(editions.newest_edition, None, context.day) is None:
        raise nothing_stored()
    return no_consensus_yet_reply()


def _too_far(what: str, first: str) -> UserError:
    return UserError(
        f"{what} has no page so far on.", suggestions=(Suggestion("The first page", first),)
    )


_ORDER = choice(
    "ORDER",
    "what ranks papers",
    "They are ranked by rank or by votes.",
    (
        Option(_BY_RANK, "the ranks that the sources give them"),
        Option(_BY_VOTES, "how many people here voted for them, then their ranks"),
    ),
)
_BY = replace(_ORDER, write=lambda by: None if by == _BY_RANK else str(by))
CONSENSUS_OF = Command(
    name="consensus",
    group=Group.LOOKUP,
    summary="What the sources of a week agree on, what each has alone, what they rank apart",
    handler=consensus,
    params=(
        Param("week", "The week; else the newest that several sources cover", SHARED_WEEK),
        Param("page", "The page of what they agree on", PAGE, key="page", hidden=True),
    ),
    examples=("consensus", "consensus last week", "consensus 2026-W02"),
)
TOP = Command(
    name="top",
    group=Group.LOOKUP,
    summary="The best papers of a period over all sources",
    handler=top,
    params=(
        Param("period", "The year, quarter, month or week; else this month", WHOLE_PERIOD),
        Param("by", "What ranks them: the sources alone, or first the votes here", _BY, key="by"),
        Param("page", "The page of the list", PAGE, key="page", hidden=True),
    ),
    examples=("top month", "top 2025", "top 2025-Q4", "top month by:votes"),
)
