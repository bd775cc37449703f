"""A store that follows sources, as if somebody had added them."""

from bot.sources.followed import follow_predefined, predefined
from store import sources
from store.database import Database
from tests.flows.program import Program


async def follow(program: Program, **urls: str) -> None:
    """Follow these sources, and none of those that come with the program."""
    async with Database(program.database_url) as database:
        await follow_predefined(database)
        for each in predefined():
            await database.write(sources.enable, each.source.slug, enabled=False)
        for slug, url in urls.items():
            await database.write(sources.add_address, slug, url, None)
