"""The commands consensus and top: the papers that several sources name best."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from bot.commands.handlers.nothing_found import alert_buttons
from bot.commands.handlers.pagination import no_page, page_of, page_string, pager
from bot.commands.params.filters import FILTERS, filters_of, in_words
from bot.commands.params.scalars import PAGE, choice
from bot.commands.params.weeks import SHARED_WEEK, WHOLE_PERIOD
from bot.commands.parser import command_string
from bot.commands.types import Command, Context, Group, Param
from bot.domain.dates.written_date import Period
from bot.domain.page_paths import consensus_path
from bot.domain.paper_ids import entry_url
from bot.domain.weeks import Week, name_of, parse_whole_period
from bot.errors import Option
from bot.library.paper_lookup import nothing_stored
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Level,
    Notice,
    Pager,
    PaperLine,
    PaperList,
    PaperTable,
    Reply,
    Text,
    Title,
    WebPage,
)
from bot.replies.naming import line_about, shown_title
from bot.replies.paper_actions import ANSWER_MENUS
from bot.replies.papers import edition_button, edition_head, nearest_week_buttons
from bot.replies.wording import NO_CONSENSUS, count, number, places, shorten
from bot.replies.wording import days as worded_days
from store.consensus import queries
from store.consensus.queries import Consensus, ConsensusPaper, NearestDays
from store.library import editions, mentions
from store.library.editions import Neighbours
from store.records import Mention
from store.search import Filters, SearchQuery
from store.sources import CONSENSUS

_DISPUTED = 3
_ENDS = ("since", "until")  # arguments that make a period
_FIRST_DAY = date(2000, 1, 1)  # before any paper
_BY_RANK, _BY_VOTES = "rank", "votes"


async def consensus(context: Context, week: Week | None = None, page: int = 1) -> Reply:
    """Show what the sources of a week agree on; by default of the newest week."""
    name = week.name if week else await context.content.read(queries.newest_week, context.day)
    if name is None:
        return await _none_at_all(context)
    week = Week.named(name)
    found = await context.content.read(queries.of_week, name, _DISPUTED)
    beside = await context.content.read(editions.neighbours, name, CONSENSUS, context.day)
    if found is None:
        if beside.before is None and beside.after is None:
            return await _none_at_all(context)
        return _no_consensus_reply(week, beside.others, beside)
    shown = page_of(context, page)
    # A week that was not named is the newest one: the buttons name it.
    context = replace(context, arguments={**context.arguments, "week": name})
    if page > 1 and shown.start >= len(found.agreed):
        raise no_page("This consensus", page_string(CONSENSUS_OF, context, 1))
    agreed = found.agreed[shown.start : shown.stop]
    votes = await context.count_votes({each.mentions[0].entry.ref for each in found.papers})
    if page == 1:
        is_cut = len(found.agreed) > shown.stop
        following = page_string(CONSENSUS_OF, context, 2) if is_cut else None
        return _consensus_reply(found, agreed, following, beside, context.day, votes=votes)
    placed = replace(_in_table(agreed, found.sources, votes), first=shown.start + 1)
    blocks: list[Block] = [*edition_head(found.edition, context.day), placed]
    if pages := pager(CONSENSUS_OF, context, shown, len(found.agreed)):
        blocks.append(pages)
    return Reply(tuple(blocks), command=page_string(CONSENSUS_OF, context, page))


async def top(
    context: Context,
    period: Period | None = None,
    by: str = _BY_RANK,
    page: int = 1,
    **given: Any,  # noqa: ANN401 - as `filters_of` has them
) -> Reply:
    """List the best papers of a period over all sources; by default of the newest month.

    By votes, the papers with the most votes of the workspace come first.
    """
    asked = filters_of(period=period, **given)
    filters = replace(asked, since=None, until=None)
    if asked.since or asked.until:
        ends = asked.since or _FIRST_DAY, asked.until or context.today
        period = Period(min(ends), max(ends))
    period = period or await _newest_month(context, filters)
    days = period.first_day, period.last_day
    papers = await context.content.read(queries.best_papers, days, context.day, filters)
    others = {name: text for name, text in context.arguments.items() if name not in _ENDS}
    context = replace(context, arguments={**others, "period": name_of(period)})
    line, shown = page_string(TOP, context, page), page_of(context, page)
    if not papers:
        near = await context.content.read(queries.nearest_days, days, context.day, filters)
        if near == NearestDays(None, None) and not filters:
            raise nothing_stored()
        return replace(_nothing_in_period_reply(period, near, context, filters), command=line)
    if shown.start >= len(papers):
        raise no_page("This list", page_string(TOP, context, 1))
    wanted = in_words(filters)
    title = f"Top papers{wanted} · {worded_days(period.first_day, period.last_day)}"
    blocks: list[Block] = [Title(title)]
    first = "the best first" if filters.source else "the best over all sources first"
    if by == _BY_VOTES:
        ids = [entry for paper in papers for entry in paper]
        ranks = await context.votes.of_entries(context.workspace, ids)
        papers = queries.order_by_votes(papers, ranks)
        if ranks:
            first = f"most votes here first, then {first.removesuffix(' first')}"
        else:
            notice = (_NO_VOTES, _HOW_TO_VOTE) if context.actor.has_voters else (_NO_VOTERS,)
            blocks.append(Notice(Level.INFO, *notice))
    blocks.append(Text(f"{count(len(papers), 'paper')}, {first}."))
    listed = papers[shown.start : shown.stop]
    entries = tuple(entry for paper in listed for entry in paper)
    found = iter(await context.content.read(mentions.of_entries, entries))
    named = [[next(found) for _ in paper] for paper in listed]
    votes = await context.count_votes({paper[0].entry.ref for paper in named})
    lines = (
        replace(
            _paper(str(number), paper, votes), line=line_about(paper[0].entry), where=_places(paper)
        )
        for number, paper in enumerate(named, start=shown.start + 1)
    )
    blocks.append(PaperList(tuple(lines), first=shown.start + 1, menus=ANSWER_MENUS))
    if pages := pager(TOP, context, shown, len(papers)):
        blocks.append(pages)
    return Reply(tuple(blocks), command=line)


async def _newest_month(context: Context, filters: Filters) -> Period:
    """Return this month, or the last one in which an edition ends that has a paper wanted."""
    month = _period(context, "month")
    wanted = (month.first_day, month.last_day), context.day, filters
    if await context.content.read(queries.best_papers, *wanted):
        return month
    near = await context.content.read(queries.nearest_days, *wanted)
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
    notice = Notice(Level.INFO, NO_CONSENSUS, "What there is:")
    buttons = (Button("Newest edition", "latest"), Button("Sources", "sources"))
    return Reply((notice, Actions(buttons)), command=CONSENSUS)


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
        *FILTERS[:3],
        *(replace(each, hidden=True) for each in FILTERS[3:]),
        Param("by", "What ranks them: the sources alone, or first the votes here", _BY, key="by"),
        Param("page", "The page of the list", PAGE, key="page", hidden=True),
    ),
    examples=("top month", "top agents 2025", "top q4 from:dair", "top last month by:votes"),
)


_EXCLUSIVES = 3  # papers shown that only one source has, of each
_PLACES = 3  # shown of a paper
_LONGEST_TITLE = 200
_NO_VOTES = "Nobody here has voted for any of these papers yet."
_HOW_TO_VOTE = "Vote stands below a paper where its Details show it; or name one: vote 3."
_NO_VOTERS = "Votes count in a server or a workspace that Broadsheet is in; there are none here."


def _consensus_reply(  # noqa: PLR0913 - each is a part of the answer
    found: Consensus,
    agreed: Sequence[ConsensusPaper],
    more: str | None,
    beside: Neighbours,
    day: date,
    *,
    votes: Mapping[str, int],
) -> Reply:
    """Show what the sources of a week agree on, what each has alone, and what they rank apart.

    `agreed` are the first papers that they agree on; `more` is the command string of the others.
    """
    week = Week.of(found.edition.first_day)
    page = WebPage(consensus_path(week.name))
    blocks = [*edition_head(found.edition, day), Text(found.edition.overview or ""), page]
    if agreed:
        blocks.append(_in_table(agreed, found.sources, votes))
    if more:
        blocks.append(Actions((Button("More that they agree on", more),)))
    for source in found.sources:
        blocks += _exclusives(source, found.only_in(source), votes)
    if found.disputed:
        blocks += [Text("Most disputed:"), _placed(found.disputed, votes)]
    whole = Button("All papers in order", f"week {week.name} from:{CONSENSUS}")
    buttons = (whole, *(edition_button(source, week) for source in found.sources))
    pages = Pager(
        f"Week {week.name}",
        beside.before and _of_week(beside.before),
        beside.after and _of_week(beside.after),
    )
    return Reply((*blocks, Actions(buttons), pages), command=_of_week(week.name))


def _no_consensus_reply(week: Week, covering: Sequence[str], beside: Neighbours) -> Reply:
    """Say that a week has no consensus, and offer the nearest weeks that have one."""
    covered = f"only {covering[0]} covers it" if covering else "no source covers it"
    notice = Notice(
        Level.INFO,
        f"Week {week.name} ({worded_days(week.first_day, week.last_day)}) has no consensus:"
        f" {covered}.",
        "A consensus takes two sources with papers. The nearest are below.",
    )
    buttons = nearest_week_buttons(beside, _of_week)
    if covering:
        buttons = (*buttons, *(edition_button(source, week) for source in covering))
    return Reply((notice, Actions(buttons)), command=_of_week(week.name))


def _nothing_in_period_reply(
    period: Period, near: NearestDays, context: Context, filters: Filters
) -> Reply:
    """Say that a period has no paper wanted, and offer the nearest months that have one.

    With filters the same period is offered without them.
    """
    when = "on" if period.first_day == period.last_day else "in"
    days = worded_days(period.first_day, period.last_day)
    what = f"No paper{in_words(filters)} stands in an edition that" if filters else "No edition"
    more = "The nearest months with papers are below." if near != NearestDays(None, None) else ""
    notice = Notice(Level.INFO, f"{what} ends {when} {days}.", more)
    found = (("First one after", near.after), ("Last one before", near.before))
    # A day or a week may have both in its own month.
    months = {f"{ends:%Y-%m}": f"{label}: {ends:%b %Y}" for label, ends in found if ends}
    buttons = [
        Button(label, command_string(TOP, {**context.arguments, "period": name, "page": None}))
        for name, label in sorted(months.items())
    ]
    if filters:
        buttons.append(Button(f"All papers of {days}", f"top {name_of(period)}"))
        buttons += alert_buttons(context, SearchQuery(filters=filters))
    return Reply((notice, Actions(tuple(buttons))))


def _of_week(week: str) -> str:
    return f"{CONSENSUS} {week}"


def _exclusives(
    source: str, papers: Sequence[ConsensusPaper], votes: Mapping[str, int]
) -> list[Block]:
    if not papers:
        return []
    some = count(len(papers), "paper")
    if len(papers) > _EXCLUSIVES:
        some += f", the first {_EXCLUSIVES} of them"
    return [Text(f"Only in {source}, {some}:"), _placed(papers[:_EXCLUSIVES], votes)]


def _placed(papers: Sequence[ConsensusPaper], votes: Mapping[str, int]) -> PaperList:
    """List papers under their numbers in the consensus, each with its places."""
    lines = (
        replace(_paper(str(each.rank), each.mentions, votes), line=_ranks(each.mentions))
        for each in papers
    )
    return PaperList(tuple(lines), menus=ANSWER_MENUS)


def _in_table(
    papers: Sequence[ConsensusPaper], sources: Sequence[str], votes: Mapping[str, int]
) -> PaperTable:
    """List papers as `_placed` does, with a column for each source."""
    listed = _placed(papers, votes)
    cells = tuple(
        tuple(", ".join(_ranks_in(each.mentions, source)) for source in sources) for each in papers
    )
    return PaperTable(listed.papers, menus=listed.menus, columns=tuple(sources), cells=cells)


def _ranks_in(mentions: Sequence[Mention], source: str) -> list[str]:
    return [_rank(each) for each in mentions if each.edition.source == source]


def _paper(name: str, mentions: Sequence[Mention], votes: Mapping[str, int]) -> PaperLine:
    best = mentions[0].entry
    title = shorten(shown_title(best), _LONGEST_TITLE)
    count_of, url = votes.get(best.ref, 0), entry_url(best)
    return PaperLine(name, title, None, best.ref, votes=count_of, url=url)


def _ranks(mentions: Sequence[Mention]) -> str:
    """Word the rank of a paper in each source: `dair #1 · hf-daily #3 · paperdive E162`."""
    return " · ".join(f"{each.edition.source} {_rank(each)}" for each in mentions)


def _rank(mention: Mention) -> str:
    return f"{'' if mention.entry.episode else '#'}{number(mention.entry)}"


def _places(mentions: Sequence[Mention]) -> str:
    """Word the first editions of a paper, and how many more there are."""
    more = f" · {len(mentions) - _PLACES} more" if len(mentions) > _PLACES else ""
    return f"{places(mentions[:_PLACES])}{more}"
