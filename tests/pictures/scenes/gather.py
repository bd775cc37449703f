"""All scenes and web pages of the table as pages."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from store.database import Database
from tests.pictures.editions import fill
from tests.pictures.pages import page_of
from tests.pictures.scenes import discord, slack, terminal
from tests.pictures.scenes.records import Scene
from tests.pictures.scenes.web import web_pages

_Scenes = Callable[[Database], AsyncIterator[Scene]]
_PLATFORMS: tuple[_Scenes, ...] = (
    slack.scenes,
    discord.scenes,
    terminal.scenes,
)


def pages() -> dict[str, str]:
    """Return the page of each scene by its key, `latest-slack`."""
    return asyncio.run(_pages())


async def _pages() -> dict[str, str]:
    """Have each platform begin with a store of its own: what is saved or posted changes answers."""
    found: dict[str, str] = {}
    with TemporaryDirectory() as folder:
        template = Path(folder) / "template.db"
        await fill(template)
        for number, scenes in enumerate(_PLATFORMS):
            path = shutil.copy(template, template.with_name(f"{number}.db"))
            async with Database(f"sqlite:///{path}") as database:
                async for scene in scenes(database):
                    found[scene.key] = page_of(scene)
        async with Database(f"sqlite:///{template}") as database:
            found |= await web_pages(database)
    return found
