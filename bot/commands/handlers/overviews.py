"""Commands about the whole: what is followed, and how all of it stands."""

from bot.commands.permissions import for_actor, may_know, operates
from bot.commands.types import Command, Context, Group
from bot.commands.views.overviews import sources_reply
from bot.commands.views.status import Posts, Stored, status_reply
from bot.library.paper_lookup import nothing_stored
from bot.replies.blocks import Moments, Reply
from bot.replies.deliveries import standing_of
from store import content_version
from store import sources as followed
from store.library import editions, statistics
from store.records import Workspace


async def sources(context: Context) -> Reply:
    """List what is followed and how fresh it is."""
    states = await context.content.read(editions.source_states)
    known = await context.content.read_now(followed.list_followed)
    if not states and not known:
        raise nothing_stored()
    return sources_reply(states, known, context.today, reasons=operates(context.actor))


async def status(context: Context) -> Reply:
    """Say how everything stands."""
    states = await context.content.read(editions.source_states)
    papers = await context.content.read(statistics.count_papers)
    changed = await context.content.read(content_version.changed_at)
    zone = context.actor.zone or context.zone
    imported = Moments((("Newest import", changed),), zone) if changed else None
    known = await context.content.read_now(followed.list_followed)
    posts = await _posts(context)
    stored = Stored(states, known, papers, imported, reasons=operates(context.actor))
    return for_actor(context, status_reply(posts, stored, context.today))


async def _posts(context: Context) -> Posts:
    """Return the orders that an asker may know of, and what became of them."""
    known = context.subscriptions
    actor = context.actor
    sees_all = operates(actor)
    orders = await (
        known.everywhere()
        if sees_all
        else known.of_workspace(Workspace(actor.platform, actor.workspace))
    )
    seen = [each for each in orders if sees_all or may_know(actor, each)]
    deliveries = await known.standing_of(seen)
    zone = actor.zone or context.zone
    return Posts(standing_of(seen, deliveries, ahead=context.ahead), zone, everywhere=sees_all)


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
