"""The brief command: unread papers, fitted to the reader's minutes, or a recap of several weeks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from bot.commands.params.filters import FILTERS, PERIOD_FILTER, filters_of, in_words
from bot.commands.params.scalars import EARLIER_BRIEF, MINUTES
from bot.commands.parser import command_string
from bot.commands.permissions import in_status, is_inside
from bot.commands.types import Command, Context, Group, Param
from bot.domain.weeks import Week
from bot.errors import Suggestion, UserError
from bot.library.brief import (
    MOST_PAPERS,
    Read,
    fitted,
    fitted_again,
    is_over_weeks,
    minutes_for,
    reading_minutes,
    sources_here,
)
from bot.library.paper_lookup import nothing_stored
from bot.posting.digest.cards import Cut, cut_card, details_button
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Level,
    Moments,
    Notice,
    PaperList,
    Reply,
    Text,
    Title,
)
from bot.replies.naming import line_about
from bot.replies.paper_actions import ANSWER_MENUS, listed_card_actions
from bot.replies.papers import paper_card, place_line
from bot.replies.wording import MORE, NEXT, count, day, days, edition_name
from bot.sources.followed import next_edition_time
from store import sources as followed
from store.consensus.queries import NearestDays, nearest_days
from store.library import editions
from store.posting import subscriptions
from store.readers import seen
from store.readers.seen import Brief, BriefRequest, FeedScope, UnseenSummary
from store.records import Edition

_MINUTES = 5
_OF_A_RECAP = 10  # papers
_NEWS = 3  # sources whose next editions are shown


async def brief(
    context: Context,
    minutes: int = _MINUTES,
    of: int | None = None,
    **given: Any,  # noqa: ANN401 - as `filters_of` has them
) -> Reply:
    """Show the papers that the user has not seen, fitted to their time, or an earlier brief.

    Over several weeks, without minutes, they are the best of all of these weeks. An earlier brief
    with minutes has its first papers, as many as fit.
    """
    actor = context.actor
    await context.background.wait_for(actor.person)  # that a paper was opened just now is noted
    subscribed = await context.database.read(subscriptions.of_workspace, context.workspace)
    filters = filters_of(**given)
    known = [
        each
        for each in subscribed
        if in_status(
            actor,
            each,
            here=is_inside(actor, each.channel.external_id),
            public=not (each.facts.private or actor.is_stranger),
        )
    ]
    sources = sources_here(known, actor)
    if filters.source:
        sources = None
    scope = FeedScope(sources, context.day, filters)
    earlier = None if of is None else await _earlier(context, of)
    if earlier and "minutes" in context.arguments:
        kept = tuple(each.paper for each in fitted(earlier.papers, minutes))
        earlier = replace(earlier, minutes=minutes, papers=kept)
    is_fitted = "minutes" in context.arguments or not is_over_weeks(filters, context.today)
    if not (earlier.minutes if earlier else is_fitted):
        return await _recap(context, scope, earlier)
    found = earlier or await _next(context, minutes, scope)
    left = await context.database.read(seen.unseen_summary, actor.person, scope)
    if found:
        votes = await context.count_votes({each.entry.ref for each in found.papers})
        return _brief_reply(context, found, left, scope, votes)
    if left.papers:
        # A repeated request, whose brief was deleted by `forget` meanwhile.
        again = _line(context, minutes=str(minutes))
        raise UserError("This was asked and answered before.", "", (Suggestion(again, again),))
    return await _nothing_left(context, scope)


async def _recap(context: Context, scope: FeedScope, earlier: Brief | None) -> Reply:
    """Show the best unseen papers of all weeks of a scope, or an earlier recap, a line each."""
    ranked = await context.content.read(seen.best_of_weeks, scope)
    person, found = context.actor.person, earlier
    if found is None:
        wish = BriefRequest(0, scope, context.system_clock.now(), context.request)
        most = min(_OF_A_RECAP, context.actor.page_size)
        found = await context.database.write_locking_rows(
            seen.create_recap, person, wish, ranked, most
        )
    left = await context.database.read(seen.count_unseen, person, ranked)
    if found:
        votes = await context.count_votes({each.entry.ref for each in found.papers})
        return _recap_reply(context, found, ranked.weeks, scope, left=left, votes=votes)
    return await _nothing_left(context, scope)


async def _nothing_left(context: Context, scope: FeedScope) -> Reply:
    """Say that no paper is left, or that there is none in the time that is asked for."""
    if await context.content.read(editions.newest_edition, None, context.day) is None:
        raise nothing_stored()
    if scope.filters.since or scope.filters.until:
        ranked = await context.content.read(seen.best_of_weeks, scope)
        if not ranked.papers:
            return await _since_visit(context, scope) or await _empty_period(context, scope)
    news = await _news(context, scope.sources)
    return _nothing_left_reply(scope, news, context.actor.zone or context.zone)


async def _since_visit(context: Context, scope: FeedScope) -> Reply | None:
    """Say that nothing is new since the user's last visit, `None` if no visit began the period."""
    asked, person = scope.filters, context.actor.person
    at = await context.database.read(seen.last_visit, person, context.clock.now())
    day_of = at.astimezone(ZoneInfo(context.actor.zone or context.zone)).date() if at else None
    newest = await context.content.read(editions.newest_edition, asked.source, context.day)
    if asked.until or newest is None or day_of is None or asked.since != day_of:
        return None
    visit = "today" if day_of == context.today else day(day_of)
    return _nothing_new_reply(scope, visit, newest, _line(context, since="last 7 days"))


async def _empty_period(context: Context, scope: FeedScope) -> Reply:
    """Say that no paper is of a period, and offer the nearest months with such papers."""
    asked = scope.filters
    others = replace(asked, since=None, until=None)
    period = asked.since or date.min, asked.until or date.max
    near = await context.content.read(nearest_days, period, context.day, others)
    return _empty_period_reply(context, scope, near)


def _line(context: Context, **arguments: str | None) -> str:
    """Return the command string of a brief with the filters of a request."""
    given = {name: text for name, text in context.arguments.items() if name not in _OWN}
    return command_string(BRIEF, {**given, **arguments})


async def _next(context: Context, minutes: int, scope: FeedScope) -> Brief | None:
    wish = BriefRequest(minutes, scope, context.system_clock.now(), context.request)
    return await context.database.write_locking_rows(
        seen.create_brief,
        context.actor.person,
        wish,
        lambda papers: [each.paper for each in fitted(papers, minutes)],
    )


async def _earlier(context: Context, brief_id: int) -> Brief:
    """Return an earlier brief of the user.

    Raises:
        UserError: if there is none, or it is another user's.
    """
    found = await context.database.read(seen.find_brief, context.actor.person, brief_id)
    if found is None:
        raise UserError(
            "You have no such brief.",
            "Each reader has their own; yours begins with what you haven't seen.",
            (Suggestion("Your next brief", "brief"),),
        )
    return found


async def _news(context: Context, sources: tuple[str, ...] | None) -> list[tuple[str, datetime]]:
    """Return when the sources usually have their next edition, the soonest first."""
    now, known = context.clock.now(), await context.database.read(followed.list_followed)
    ours = [
        each for each in known if each.enabled and (sources is None or each.source.slug in sources)
    ]
    expected = [
        (at, each.source.slug) for each in ours if (at := next_edition_time(each.usual, now))
    ]
    return [(slug, at) for at, slug in sorted(expected)[:_NEWS]]


BRIEF = Command(
    name="brief",
    group=Group.LOOKUP,
    summary="The papers that you haven't seen, best first, as many as you have time for",
    handler=brief,
    params=(
        Param("minutes", f"How many minutes you have; else {_MINUTES}", MINUTES),
        PERIOD_FILTER,
        *FILTERS,
        Param("of", "A brief that was given before", EARLIER_BRIEF, key="of", hidden=True),
    ),
    examples=("brief", "brief 10", "brief 10 agents", "brief since:last month"),
    private=True,
)


_OWN = ("minutes", "of")  # arguments that are no filters


def _brief_reply(
    context: Context, brief: Brief, left: UnseenSummary, scope: FeedScope, votes: Mapping[str, int]
) -> Reply:
    """Show a brief, and how many papers of its sources are left."""
    papers = fitted_again(brief.papers, brief.minutes)
    minutes = minutes_for(sum(each.words for each in papers))
    length = f"{count(minutes, 'minute')}, {count(len(papers), 'paper')}"
    new = f"New to you{_named(scope)}: the newest week first, in each the best first."
    blocks: list[Block] = [Title(f"Your brief: {length}"), Text(new)]
    if len(papers) == MOST_PAPERS:
        blocks.append(Text(f"{MOST_PAPERS} papers at most at once."))
    if brief.gone:
        gone = f"{count(brief.gone, 'paper')} of it can't be found any more."
        blocks.append(Notice(Level.INFO, gone))
    for place, each in enumerate(papers, start=1):
        blocks += _paper(each, place, votes)
    blocks.append(Text(_left(left)))
    if left.papers:
        following = _line(context, minutes=str(brief.minutes))
        next_one = Button(f"{NEXT}{count(brief.minutes, 'minute')}", following)
        blocks.append(Actions((next_one,)))
    asked = context.arguments.get("minutes") if "of" in context.arguments else None
    return Reply(tuple(blocks), command=_line(context, of=str(brief.id), minutes=asked))


def _recap_reply(  # noqa: PLR0913 - each is a part of the answer
    context: Context,
    brief: Brief,
    weeks: Sequence[str],
    scope: FeedScope,
    *,
    left: int,
    votes: Mapping[str, int],
) -> Reply:
    """List the papers of a recap of some ISO weeks, and say how many are left."""
    span = days(Week.named(weeks[0]).first_day, Week.named(weeks[-1]).last_day) if weeks else ""
    title = " · ".join(filter(None, (f"Your recap: {count(len(weeks), 'week')}", span)))
    of_any_time = replace(scope, filters=replace(scope.filters, since=None, until=None))
    blocks: list[Block] = [
        Title(title),
        Text(f"New to you{_named(of_any_time)}: the best of all these weeks first."),
    ]
    lines = (replace(place_line(each, votes), line=line_about(each.entry)) for each in brief.papers)
    blocks.append(PaperList(tuple(lines), menus=ANSWER_MENUS))
    if brief.gone:
        gone = f"{count(brief.gone, 'paper')} of it can't be found any more."
        blocks.append(Notice(Level.INFO, gone))
    if left:
        blocks += [
            Text(f"{count(left, 'paper')} left."),
            Actions((Button(MORE, _line(context)),)),
        ]
    return Reply(tuple(blocks), command=_line(context, of=str(brief.id)))


def _empty_period_reply(context: Context, scope: FeedScope, near: NearestDays) -> Reply:
    """Say that a scope has no paper, and offer the months around its period."""
    found = {"Last one before": near.before, "First one after": near.after}
    buttons = [
        Button(
            f"{label}: {ends:%b %Y}",
            _line(context, period=None, since=f"{ends:%Y-%m}-01", until=ends.isoformat()),
        )
        for label, ends in found.items()
        if ends
    ]
    buttons.append(Button("Brief of all papers", "brief"))
    sentence = f"No paper{in_words(scope.filters)} is stored."
    more = "The nearest months with papers are below." if near != NearestDays(None, None) else ""
    return Reply((Notice(Level.INFO, sentence, more), Actions(tuple(buttons))))


def _nothing_new_reply(scope: FeedScope, visit: str, newest: Edition, week: str) -> Reply:
    """Say that a scope has nothing new since a visit, and offer what was last and what was missed.

    `week` is the command string of a brief of the days before.
    """
    of_any_time = replace(scope.filters, since=None)
    sentence = f"Nothing new{in_words(of_any_time)} since you were last here, {visit}."
    notice = Notice(Level.INFO, sentence, f"The newest edition is {edition_name(newest)}.")
    last = f"latest from:{scope.filters.source}" if scope.filters.source else "latest"
    buttons = (
        Button("Newest edition", last),
        Button("The last 7 days", week),
        Button("Brief of all papers", "brief"),
    )
    return Reply((notice, Actions(buttons)))


def _nothing_left_reply(scope: FeedScope, news: Sequence[tuple[str, datetime]], zone: str) -> Reply:
    """Say that no paper is left, and when the next editions usually come, in a zone."""
    seen_all = Text(f"You have seen all there is{_named(scope)}.")
    blocks: list[Block] = [Title("Your brief: you are up to date"), seen_all]
    if news:
        blocks += [Text("New editions usually come:"), Moments(tuple(news), zone)]
    buttons = [Button("Newest edition", "latest"), Button("Sources", "sources")]
    if scope.filters:
        buttons.insert(0, Button("Brief of all papers", "brief"))
    return Reply((*blocks, Actions(tuple(buttons))))


def _named(scope: FeedScope) -> str:
    """Word what a brief is of: ` on agents from dair and paperdive`."""
    if scope.filters.source:
        return in_words(scope.filters)
    *others, last = scope.sources or ("all sources",)
    named = f"{', '.join(others)} and {last}" if others else last
    return f"{in_words(scope.filters)} from {named}"


def _paper(read: Read, place: int, votes: Mapping[str, int]) -> Iterator[Block]:
    """Show the part of a paper that is read; links and topics are behind Details."""
    entry = read.paper.entry
    details = details_button(entry, place)
    card = paper_card(read.paper.edition, entry, votes)
    card = replace(card, links=(), topics=(), number=str(place))
    yield from cut_card(card, details, Cut(highlights=read.highlights))
    yield listed_card_actions(card, details)


def _left(left: UnseenSummary) -> str:
    """Say how many papers are left, in all and of the newest."""
    if not left.papers:
        return "Nothing is left: you are up to date."
    papers, newest = count(left.papers, "paper"), len(left.recent)
    take = "takes" if newest == 1 else "take"
    minutes = reading_minutes(each.entry for each in left.recent)
    time = f"{take} about {count(minutes, 'minute')}"
    if not left.older:
        return f"{papers} left, which {time}."
    named = "one" if newest == 1 else f"{newest:,}"
    return f"{papers} left; the newest {named}, since {day(left.since)}, {time}."
