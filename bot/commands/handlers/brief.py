"""The brief command: unread papers, fitted to the reader's minutes."""

from datetime import datetime

from bot.commands.params.numbers import BRIEF_ID, MINUTES
from bot.commands.permissions import may_know
from bot.commands.types import Command, Context, Group, Param
from bot.commands.views.brief import Following, brief_reply, nothing_left_reply
from bot.errors import Suggestion, UserError
from bot.library.brief import fitted, fitted_again, sources_here
from bot.library.paper_lookup import nothing_stored
from bot.replies.blocks import Reply
from bot.sources.followed import next_edition_time
from store import sources as followed
from store.library import editions
from store.posting import subscriptions
from store.readers import seen
from store.readers.seen import Brief, BriefRequest
from store.readers.unseen import Scope

_MINUTES = 5
_NEWS = 3  # sources whose next editions are shown


async def brief(context: Context, minutes: int = _MINUTES, of: int | None = None) -> Reply:
    """Show the papers that the user has not seen, fitted to their time, or an earlier brief."""
    await context.background.wait()  # for the note that a paper was opened just now
    actor = context.actor
    subscribed = await context.database.read(subscriptions.of_workspace, context.workspace)
    sources = sources_here([each for each in subscribed if may_know(actor, each)], actor)
    scope = Scope(sources, context.day)
    found = await (_next(context, minutes, scope) if of is None else _earlier(context, of))
    following = Following(sources, found.minutes if found else minutes)
    left = await context.database.read(seen.unseen_summary, actor.person, scope)
    if found:
        papers = fitted_again(found.papers, found.minutes)
        votes = await context.count_votes({each.entry.ref for each in found.papers})
        return brief_reply(found, papers, left, following, votes)
    if left.papers:
        raise _answered_before(minutes)
    if await context.content.read(editions.newest_edition, None, context.day) is None:
        raise nothing_stored()
    news = await _news(context, sources)
    return nothing_left_reply(following, news, context.actor.zone or context.zone)


async def _next(context: Context, minutes: int, scope: Scope) -> Brief | None:
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


def _answered_before(minutes: int) -> UserError:
    """Return the error for a repeated request whose brief was deleted by `forget` meanwhile."""
    again = f"brief {minutes}"
    return UserError("This was asked and answered before.", "", (Suggestion(again, again),))


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
