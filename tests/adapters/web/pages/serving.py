"""A server of the pages over a store, and a crawl of it."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from threading import Thread
from typing import Any
from urllib.parse import urljoin, urlsplit

from aiohttp import ClientSession
from selectolax.lexbor import LexborHTMLParser

from adapters.web.chat import Chat
from adapters.web.pages.routes import Pages
from bot.clock import Clock, SystemClock
from store.database import Database
from tests.adapters.web.served import served
from tests.bot.conftest import FixedClock, bot_of

_CLOCK = FixedClock()


@asynccontextmanager
async def pages_of(
    database: Database,
    public_url: str | None = None,
    *,
    has_chat: bool = False,
    clock: Clock = _CLOCK,
) -> AsyncIterator[str]:
    """Serve the pages of a store, and the chat if wanted; give the URL."""
    app = bot_of(database)
    pages = Pages(app, database, clock, SystemClock(), public_url, has_chat=has_chat)
    chat = Chat(app).routes if has_chat else []
    async with served([*chat, *pages.routes]) as url:
        yield url


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, with the body as a text."""

    status: int
    content_type: str
    headers: Mapping[str, str]
    text: str

    @property
    def page(self) -> LexborHTMLParser:
        """The body as a page."""
        return LexborHTMLParser(self.text)

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.text)


async def asked(
    database: Database, *paths: str, accept: str = "*/*", public_url: str | None = None
) -> list[Answered]:
    """Ask for paths of the pages of a store, and follow no redirect."""
    found, wanted = [], {"Accept": accept}
    async with pages_of(database, public_url) as url, ClientSession(headers=wanted) as session:
        for path in paths:
            async with session.get(f"{url}{path}", allow_redirects=False) as answer:
                facts = answer.status, answer.content_type, answer.headers
                found.append(Answered(*facts, await answer.text()))
    return found


@contextmanager
def beside(serving: AbstractAsyncContextManager[str]) -> Iterator[str]:
    """Serve in a thread of its own, since a browser takes the event loop of this one."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    try:
        yield asyncio.run_coroutine_threadsafe(serving.__aenter__(), loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(serving.__aexit__(None, None, None), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def crawl(session: ClientSession, url: str) -> dict[str, str]:
    """Follow all links from a page to the same server; return each body by its path and query."""
    found: dict[str, str] = {}
    to_ask = [f"{url}/"]
    while to_ask:
        address = to_ask.pop()
        path = address.removeprefix(url)
        if path in found:
            continue
        async with session.get(address, allow_redirects=False) as answer:
            assert answer.status in {200, 301, 302}, (path, answer.status)
            found[path] = await answer.text()
            links = [answer.headers["Location"]] if answer.status > 200 else []
            if answer.content_type == "text/html":
                links += links_in(found[path])
        for link in links:
            target = urlsplit(urljoin(address, link))._replace(fragment="").geturl()
            if target.startswith(f"{url}/"):
                to_ask.append(target)
    return found


def links_in(body: str) -> list[str]:
    """Return the addresses that a page links to."""
    nodes = LexborHTMLParser(body).css("a[href], link[href]")
    return [node.attributes["href"] or "" for node in nodes]
