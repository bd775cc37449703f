"""The command for whoever has some minutes: what they have not seen."""

from datetime import datetime

from bot.commands.params.briefs import BRIEF_ID, MINUTES
from bot.commands.permissions import may_know
from bot.commands.types import Command, Context, Group, Param
from bot.commands.views.brief import Following, brief_reply, nothing_left_reply
from bot.errors import Suggestion, UserError
from bot.library.brief import fitted, fitted_again, sources_here
from bot.library.paper_lookup import nothing_stored
from bot.replies.blocks import Reply
from bot.sources.fetch_times import next_edition_time
from store import sources as followed
from store.library import editions
from store.readers import seen
from store.readers.seen import Brief, Wish
from store.readers.unseen import Scope
from store.records import Workspace

_MINUTES = 5
_NEWS = 3  # sources of which it is told when they usually have more


async def brief(context: Context, minutes: int = _MINUTES, of: int | None = None) -> Reply:
    """Give the asker what they have not seen, fitted to their time, or a brief given before."""
    await context.members.settled()  # what was opened just now is seen
    sources = await _sources(context)
    scope = Scope(sources, context.day)
    found = await (_next(context, minutes, scope) if of is None else _given(context, of))
    following = Following(sources, found.minutes if found else minutes)
    left = await context.members.read(seen.left, context.actor.person, scope)
    if found:
        papers = fitted_again(found.papers, found.minutes)
        return brief_reply(found.id, papers, found.gone, left, following)
    if left.papers:
        raise _answered_before(minutes)
    if await context.content.read(editions.newest_edition, None, context.day) is None:
        raise nothing_stored()
    news = await _news(context, sources)
    return nothing_left_reply(following, news, context.actor.zone or context.zone)


async def _next(context: Context, minutes: int, scope: Scope) -> Brief | None:
    wish = Wish(minutes, scope, context.wall.now(), context.request)
    return await context.members.write_rows(
        seen.give_brief,
        context.actor.person,
        wish,
        lambda papers: [each.paper for each in fitted(papers, minutes)],
    )


async def _given(context: Context, brief_id: int) -> Brief:
    """Return a brief that the asker was given.

    Raises:
        UserError: where there is none, or it is somebody else's.
    """
    found = await context.members.read(seen.find_brief, context.actor.person, brief_id)
    if found is None:
        raise UserError(
            "You have no such brief.",
            "Each reader has their own; yours begins with what you haven't seen.",
            (Suggestion("Your next brief", "brief"),),
        )
    return found


async def _sources(context: Context) -> tuple[str, ...] | None:
    """Return the sources that are followed where somebody asks, `None` for all."""
    actor = context.actor
    workspace = Workspace(actor.platform, actor.workspace)
    orders = await context.subscriptions.of_workspace(workspace)
    return sources_here([each for each in orders if may_know(actor, each)], actor)


async def _news(context: Context, sources: tuple[str, ...] | None) -> list[tuple[str, datetime]]:
    """Return which of the sources usually has its next edition when, the soonest first."""
    now, known = context.clock.now(), await context.content.read_now(followed.list_followed)
    ours = [
        each for each in known if each.enabled and (sources is None or each.source.slug in sources)
    ]
    expected = [
        (at, each.source.slug) for each in ours if (at := next_edition_time(each.usual, now))
    ]
    return [(slug, at) for at, slug in sorted(expected)[:_NEWS]]


def _answered_before(minutes: int) -> UserError:
    """Say that a request came again whose brief the asker had forgotten meanwhile."""
    line = f"brief {minutes}"
    return UserError("This was asked and answered before.", "", (Suggestion(line, line),))


BRIEF = Command(
    name="brief",
    group=Group.LOOKUP,
    summary="The papers that you haven't seen, best first, as many as you have time for",
    handler=brief,
    params=(
        Param("minutes", f"How many minutes you have; else {_MINUTES}", MINUTES),
        Param("of", "A brief that was given before", BRIEF_ID, key="of", hidden=True),
    ),
    examples=("brief", "brief 10"),
    private=True,
)
