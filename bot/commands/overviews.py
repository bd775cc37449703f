"""Commands about the whole: what is followed, and how all of it stands."""

from bot.command import Command, Context, Group
from bot.paper_refs import nothing_stored
from bot.replies import Moments, Reply
from bot.views.overviews import sources_reply, status_reply
from store import content, editions, topics


async def sources(context: Context) -> Reply:
    """List what is followed and how fresh it is."""
    states = await context.content.read(editions.source_states)
    if not states:
        raise nothing_stored()
    return sources_reply(states, context.today)


async def status(context: Context) -> Reply:
    """Say how everything stands."""
    states = await context.content.read(editions.source_states)
    papers = await context.content.read(topics.count_papers)
    changed = await context.content.read(content.changed_at)
    zone = context.actor.zone or context.zone
    imported = Moments((("Newest import", changed),), zone) if changed else None
    return status_reply(states, papers, imported, context.today)


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
