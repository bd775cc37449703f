"""The commands sources and status: the state of everything."""

from bot.commands.handlers.channel.targets import states_of
from bot.commands.permissions import for_actor, may_know, operates
from bot.commands.types import Command, Context, Group
from bot.commands.views.status import Posts, Stored, sources_reply, status_reply
from bot.library.paper_lookup import nothing_stored
from bot.replies.blocks import Moments, Reply
from store import content_version
from store import sources as followed
from store.library import editions, statistics
from store.posting import subscriptions


async def sources(context: Context) -> Reply:
    """List the sources and how fresh they are."""
    states = await context.content.read(editions.source_states)
    known = await context.database.read(followed.list_followed)
    if not states and not known:
        raise nothing_stored()
    return sources_reply(states, known, context.today, reasons=operates(context.actor))


async def status(context: Context) -> Reply:
    """Show the next and last posts, and what is stored."""
    states = await context.content.read(editions.source_states)
    papers = await context.content.read(statistics.count_papers)
    changed = await context.content.read(content_version.changed_at)
    zone = context.actor.zone or context.zone
    imported = Moments((("Newest import", changed),), zone) if changed else None
    known = await context.database.read(followed.list_followed)
    posts = await _posts(context)
    stored = Stored(states, known, papers, imported, reasons=operates(context.actor))
    return for_actor(context, status_reply(posts, stored, context.today))


async def _posts(context: Context) -> Posts:
    """Return the subscriptions that the user may know of, with their last deliveries."""
    actor, database = context.actor, context.database
    sees_all = operates(actor)
    stored = await (
        database.read(subscriptions.list_subscriptions)
        if sees_all
        else database.read(subscriptions.of_workspace, context.workspace)
    )
    known = [each for each in stored if sees_all or may_know(actor, each)]
    states = await states_of(context, known)
    return Posts(states, actor.zone or context.zone, everywhere=sees_all)


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
