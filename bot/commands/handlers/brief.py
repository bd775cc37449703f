"""The brief command: unread papers, fitted to the reader's minutes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.commands.params.filters import FILTERS, PERIOD_FILTER, filters_of, in_words
from bot.commands.params.scalars import BRIEF_ID, MINUTES
from bot.commands.parser import command_string
from bot.commands.permissions import in_status, is_inside
from bot.commands.types import Command, Context, Group, Param
from bot.errors import Suggestion, UserError
from bot.library.brief import (
    MOST_PAPERS,
    Read,
    fitted,
    fitted_again,
    minutes_for,
    reading_minutes,
    sources_here,
)
from bot.library.paper_lookup import nothing_stored
from bot.posting.digest.cards import Cut, cut_card, details_button
from bot.replies.blocks import Actions, Block, Button, Level, Moments, Notice, Reply, Text, Title
from bot.replies.paper_actions import listed_card_actions
from bot.replies.papers import paper_card
from bot.replies.wording import count, day
from bot.sources.followed import next_edition_time
from store import sources as followed
from store.library import editions
from store.posting import subscriptions
from store.readers import seen
from store.readers.seen import Brief, BriefRequest, FeedScope, UnseenSummary

_MINUTES = 5
_NEWS = 3  # sources whose next editions are shown


async def brief(
    context: Context,
    minutes: int = _MINUTES,
    of: int | None = None,
    **given: Any,  # noqa: ANN401 - as `filters_of` has them
) -> Reply:
    """Show the papers that the user has not seen, fitted to their time, or an earlier brief."""
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
            public=not each.facts.private,
        )
    ]
    sources = sources_here(known, actor)
    if filters.source:
        sources = None
    scope = FeedScope(sources, context.day, filters)
    found = await (_next(context, minutes, scope) if of is None else _earlier(context, of))
    left = await context.database.read(seen.unseen_summary, actor.person, scope)
    if found:
        votes = await context.count_votes({each.entry.ref for each in found.papers})
        return _brief_reply(context, found, left, scope, votes)
    if left.papers:
        # A repeated request, whose brief was deleted by `forget` meanwhile.
        again = _line(context, minutes=str(minutes))
        raise UserError("This was asked and answered before.", "", (Suggestion(again, again),))
    if await context.content.read(editions.newest_edition, None, context.day) is None:
        raise nothing_stored()
    news = await _news(context, sources)
    return _nothing_left_reply(scope, news, context.actor.zone or context.zone)


def _line(context: Context, **arguments: str) -> str:
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
        Param("of", "A brief that was given before", BRIEF_ID, key="of", hidden=True),
    ),
    examples=("brief", "brief 10", "brief 10 agents"),
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
        next_one = Button(f"Next {count(brief.minutes, 'minute')}", following)
        blocks.append(Actions((next_one,)))
    return Reply(tuple(blocks), command=_line(context, of=str(brief.id)))


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
