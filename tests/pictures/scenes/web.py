"""The web pages of the pictures, each complete in itself."""

from adapters.web.pages.finder import find_page
from adapters.web.pages.page import Library, PageFacts
from adapters.web.pages.rendering import Renderer
from adapters.web.pages.routes import style
from bot.domain.page_paths import STYLE
from store.database import Database, Session
from tests.adapters.common.services import NOW
from tests.pictures.table import PAGE_PICTURES


async def web_pages(database: Database) -> dict[str, str]:
    """Return each page by the key of its picture."""
    return await database.read(_read)


def _read(session: Session) -> dict[str, str]:
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
