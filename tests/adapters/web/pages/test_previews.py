"""Previews of links: what a chat shows of a page at a public address."""

from aiohttp import ClientSession
from selectolax.lexbor import LexborHTMLParser

from store.database import Database
from tests.adapters.web.pages.serving import pages_of

_URL = "https://papers.example"
_CARD = "/cards/dair/2026-01-05.png"


async def test_a_page_at_a_public_address_has_a_preview(filled: Database) -> None:
    """Its address, title and sentence, and a picture of the edition's titles."""
    async with pages_of(filled, _URL) as url, ClientSession(url) as session:
        async with session.get("/editions/dair/2026-01-05") as answer:
            page = LexborHTMLParser(await answer.text())
        told = {
            node.attributes["property"]: node.attributes["content"]
            for node in page.css("meta[property]")
        }
        assert told["og:url"] == f"{_URL}/editions/dair/2026-01-05"
        assert told["og:title"] == "Top Papers of the Week · Jan 5–11, 2026"
        assert told["og:image"] == f"{_URL}{_CARD}"
        async with session.get(_CARD) as answer:
            assert (answer.status, answer.content_type) == (200, "image/png")
            assert (await answer.read()).startswith(b"\x89PNG")
        for path in ("/cards/dair/2026-01-06.png", "/cards/dair/2026-13-01.png"):
            async with session.get(path) as answer:
                assert answer.status == 404


async def test_nothing_is_drawn_without_a_public_address(filled: Database) -> None:
    """No preview could show it."""
    async with pages_of(filled) as url, ClientSession(url) as session:
        async with session.get(_CARD) as answer:
            assert answer.status == 404
        async with session.get("/") as answer:
            assert "og:" not in await answer.text()
