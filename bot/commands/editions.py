"""Commands that show editions."""

from bot.command import Command, Context, Group, Param
from bot.paper_refs import nothing_stored
from bot.params import read_source
from bot.replies import Reply
from bot.views import edition_reply
from store.editions import newest_edition


async def latest(context: Context, source: str | None = None) -> Reply:
    """Show the newest edition, of one source or of all."""
    edition = await context.database.read(newest_edition, source)
    if edition is None:
        raise nothing_stored()
    return edition_reply(edition)


LATEST = Command(
    name="latest",
    group=Group.LOOKUP,
    summary="The newest edition: titles in order with one line each",
    handler=latest,
    params=(Param("source", "Only this source's editions", read_source, key="from"),),
    examples=("latest", "latest from:dair"),
)
