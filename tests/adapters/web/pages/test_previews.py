"""Previews of links: what a chat shows of a page at a public address."""

from collections.abc import Hashable

from aiohttp import ClientSession, web
from selectolax.lexbor import LexborHTMLParser

from adapters.web.pages.routes import Pages
from bot.clock import SystemClock
from bot.errors import PlotError
from bot.plots.plotter import Picture, Plots, Plotter
from store.database import Database
from tests.adapters.web.pages.serving import asked
from tests.adapters.web.served import served
from tests.bot.conftest import FixedClock, bot_of

_URL = "https://papers.example"
_CARD = "/cards/dair/2026-01-05.png"


def _routes(filled: Database, plots: Plots) -> list[web.RouteDef]:
    """Return the routes of pages at a public address, whose pictures are drawn by this."""
    app = bot_of(filled, plots=plots)
    return Pages(app, filled, FixedClock(), SystemClock(), _URL).routes


async def test_a_page_at_a_public_address_has_a_preview(filled: Database) -> None:
    """Its address, title and sentence, and a picture of the edition's titles."""
    async with (
        Plotter() as plots,
        served(_routes(filled, plots)) as url,
        ClientSession(url) as session,
    ):
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
    card, home = await asked(filled, _CARD, "/")
    assert card.status == 404
    assert "og:" not in home.text


class _Easel:
    """Draws nothing, notes who asked, and after some pictures draws no more."""

    def __init__(self, most: int) -> None:
        self.askers: list[object] = []
        self._most = most

    async def png(self, _plot: Picture, asker: Hashable = None) -> bytes:
        """Return what begins as a picture does."""
        if len(self.askers) >= self._most:
            raise PlotError("There is no picture: too many others are being drawn.")
        self.askers.append(asker)
        return b"\x89PNG"


async def test_pictures_are_drawn_on_behalf_of_an_address(filled: Database) -> None:
    """Each once while the editions stay; where no turn is left, a client is told when to come."""
    easel = _Easel(1)
    async with served(_routes(filled, easel)) as url, ClientSession(url) as session:
        for _ in range(3):
            async with session.get(_CARD) as answer:
                assert answer.status == 200
        async with session.get("/cards/dair/2025-12-29.png") as answer:
            assert (answer.status, answer.headers["Retry-After"]) == (503, "60")
            assert answer.headers["Cache-Control"] == "no-store"
    assert easel.askers == ["127.0.0.1"]
