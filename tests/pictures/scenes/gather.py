"""All scenes and web pages of the table as pages."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.web.pages.finder import find_page
from adapters.web.pages.page import Library, PageFacts
from adapters.web.pages.rendering import Renderer
from adapters.web.pages.routes import style
from bot.domain.page_paths import STYLE
from store.database import Database, Session
from tests.adapters.common.services import NOW
from tests.pictures.editions import fill
from tests.pictures.pages import page_of
from tests.pictures.scenes import discord, slack, terminal
from tests.pictures.scenes.records import Scene
from tests.pictures.table import PAGE_PICTURES

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
            found |= await database.read(_web_pages)
    return found


def _web_pages(session: Session) -> dict[str, str]:
    """Return each web page, complete in itself, by the key of its picture."""
    library, renderer = Library(session, NOW.date()), Renderer()
    found = {}
    for picture in PAGE_PICTURES:
        page = find_page(library, picture.path)
        assert isinstance(page, PageFacts)
        html = renderer.render(page, lambda path: path)
        link = f'<link rel="stylesheet" href="{STYLE}">'
        assert link in html
        found[picture.key] = html.replace(link, f"<style>{style().decode()}</style>")
    return found
