"""The routes of pages, feeds and their style."""

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import version as version_of
from importlib.resources import files
from typing import Any, TypeVar

from aiohttp import web

from adapters.web.asked_line import (
    for_everybody,
    for_nobody,
    is_search,
    may_be_missing,
    page_path,
    search_fields,
)
from adapters.web.pages import editions, feeds, search, trends
from adapters.web.pages.finder import find_page
from adapters.web.pages.page import Library, Moved, PageFacts
from adapters.web.pages.rendering import Renderer
from adapters.web.pages.responses import (
    ATOM,
    CSS,
    HTML,
    JSON,
    PNG,
    SVG,
    Made,
    Version,
    is_current,
    made,
    not_modified,
    respond,
    takes_gzip,
)
from bot.actor import Actor, Role
from bot.app import Broadsheet
from bot.cache import Cache
from bot.clock import Clock
from bot.commands.handlers.search import SEARCH as SEARCH_COMMAND
from bot.commands.handlers.search import search_query
from bot.commands.interpretation import Meaning
from bot.commands.types import Call
from bot.domain.page_paths import FEED, HOME, ICON, SEARCH, STYLE, TRENDS, relative
from bot.domain.topics import topic_names
from bot.errors import PlotError, UserError
from bot.export.json_shapes import json_text
from bot.library.content import ContentVersion
from bot.plots.plotter import MOST_CURVES
from store.database import Database, Session
from store.database.fair_threads import on_behalf_of
from store.errors import StoreError
from store.search import SearchQuery
from store.text import fold

# Bodies that are kept, of so many bytes at most, plain and compressed together: 48 MB of any.
_CACHED, _LONG_CACHED = 256, 32
_LARGEST, _LARGEST_LONG = 64 * 1024, 1024 * 1024
_LONGEST_TOPICS = 300  # characters
_CARD = r"/cards/{source:[a-z0-9][a-z0-9-]{0,99}}/{first_day:\d{4}-\d{2}-\d{2}}.png"
_NO_STORE = {"Cache-Control": "no-store"}
_RETRY_AFTER = "60"  # seconds until as many pictures may be drawn again
_log = logging.getLogger(__name__)

_T = TypeVar("_T")
Make = Callable[[], Awaitable[Made]]


class Pages:
    """Serves the pages.

    Args:
        app: reads the filters of searches as it does in chat, and draws pictures of previews.
        database: the store.
        clock: the clock of dates.
        system_clock: the clock that no setting moves.
        public_url: the URL at which the pages are reachable from everywhere, if they are.
        has_chat: the server has the chat too.
    """

    def __init__(  # noqa: PLR0913 - the composition root passes each part
        self,
        app: Broadsheet,
        database: Database,
        clock: Clock,
        system_clock: Clock,
        public_url: str | None = None,
        *,
        has_chat: bool = False,
    ) -> None:
        self._app = app
        self._database = database
        self._clock = clock
        self._public_url = (public_url or "").rstrip("/")
        self._renderer = Renderer(self._public_url, has_chat=has_chat)
        self._has_chat = has_chat
        self._content = ContentVersion(database)
        self._system_clock = system_clock
        self._shown: Version | None = None
        self._bodies: Cache[Hashable, Made] = Cache(_CACHED)
        self._long_bodies: Cache[Hashable, Made] = Cache(_LONG_CACHED)
        self._making: dict[Hashable, asyncio.Task[Made]] = {}
        self._plots = app.plots

    @property
    def routes(self) -> list[web.RouteDef]:
        """All routes; the last takes every path that no other route has."""
        return [
            self._file(STYLE, style, CSS),
            self._file(ICON, icon, SVG),
            web.get(SEARCH, self._search),
            web.get(FEED, self._feed),
            web.get(TRENDS, self._trends),
            *([web.get(_CARD, self._card)] if self._public_url else []),
            web.get("/{path:.*}", self._page),
        ]

    async def _page(self, request: web.Request) -> web.Response:
        path = request.path
        as_json = _wants_json(request)

        def work(library: Library) -> Made:
            found = find_page(library, path)
            if found is None and path != HOME and path.endswith("/"):
                found = find_page(library, path.rstrip("/"))
                found = Moved(found.path) if found else None
            return self._made(found, path, as_json=as_json)

        return await self._answer(request, (path, as_json), self._reading(work))

    async def _search(self, request: web.Request) -> web.Response:
        """Answer a search, or a line alone as chat reads it; programs search for its words."""
        typed, as_json = _typed(request), _wants_json(request)
        number, user = _page_number(request), _user(request)
        is_line = typed.keys() == {"q"} and "page" not in request.query and not as_json
        make = (
            partial(self._asked, typed["q"], user)
            if is_line
            else partial(self._searched, typed, user, number, as_json=as_json)
        )
        key = SEARCH, tuple(typed.items()), number, as_json, is_line
        return await self._answer(request, key, make)

    async def _asked(self, line: str, user: Actor) -> Made:
        """Answer a line by a page, by the answer that everybody gets, or by a search."""
        found, said, typed = None, {}, {"q": line}
        try:
            meaning = await self._app.meaning(line, user)
        except UserError as error:
            return await self._read(partial(self._unreadable, typed, error, as_json=False))
        call = meaning.call if meaning else None
        if meaning and is_search(meaning.call):
            found = await self._searched_for(meaning, line)
        elif call and (path := page_path(call)):
            found = await self._led_to(path)
        elif meaning and (answered := for_nobody(meaning)):
            return await self._answered(*answered, typed, user)
        elif call:
            said = {"in_chat": call.context.command_string}
        return found or await self._searched(typed, user, said=said)

    async def _led_to(self, path: str) -> Made | None:
        """Lead to a page, if there is one at a path."""

        def work(library: Library) -> Made | None:
            exists = not may_be_missing(path) or find_page(library, path)
            moved = Moved(path, for_good=False)
            return self._made(moved, SEARCH, as_json=False) if exists else None

        return await self._read(work)

    async def _answered(
        self, call: Call, told: tuple[str, ...], typed: Mapping[str, str], user: Actor
    ) -> Made:
        """Return the page of a line with the answer to a call, for an error that of its search."""
        reply = await self._app.run(call, user)
        if reply.failed:  # perhaps as so many others ask at once
            return replace(await self._searched(typed, user), one=True)

        def work(library: Library) -> Made:
            page = search.answered(library, typed, for_everybody(reply))
            page = search.with_words(page, {"told": told})
            return self._made(page, SEARCH, as_json=False)

        return await self._read(work)

    async def _searched_for(self, meaning: Meaning, line: str) -> Made:
        """Return the page of the search that a line was read as."""
        call = meaning.call
        fields, number = search_fields(call)
        said: dict[str, object] = {"told": meaning.told}
        if fields != {"q": " ".join(line.split())}:
            said |= {"read_as": call.context.command_string, "line": line}
        query = search_query(**call.values)

        def work(library: Library) -> Made:
            found = search.search(library, query, fields, number)
            return self._made(search.with_words(found, said), SEARCH, as_json=False)

        return await self._read(work)

    async def _searched(
        self,
        typed: Mapping[str, str],
        user: Actor,
        number: int = 1,
        *,
        as_json: bool = False,
        said: Mapping[str, str] | None = None,
    ) -> Made:
        """Return a page of a search as its fields are filled in."""
        try:
            query = await self._query(user, typed)
        except UserError as error:
            refused = partial(self._unreadable, typed, error, as_json=as_json)
            return await self._read(refused)

        def work(library: Library) -> Made:
            named = _canonical(typed, query)
            found = search.search(library, query, named, number, every_entry=as_json)
            found = search.with_words(found, said or {})
            return self._made(found, SEARCH, as_json=as_json)

        return await self._read(work)

    async def _trends(self, request: web.Request) -> web.Response:
        topics = named_topics(request.query.get("topic", ""))

        def work(library: Library) -> Made:
            return self._made(trends.trends(library, topics), TRENDS, as_json=False)

        return await self._answer(request, (TRENDS, topics), self._reading(work))

    async def _feed(self, request: web.Request) -> web.Response:
        typed = _typed(request)
        try:
            query = await self._query(_user(request), typed)
        except UserError as error:
            raise web.HTTPBadRequest(text=f"{error.sentence} {error.remedy}\n") from error

        def work(library: Library) -> Made:
            named = _canonical(typed, query)
            return made(feeds.feed(library, query, named, self._feed_link), ATOM)

        return await self._answer(request, (FEED, tuple(typed.items())), self._reading(work))

    async def _card(self, request: web.Request) -> web.Response:
        """Draw the picture of an edition, only where previews of a public address show it."""
        source, first_day = request.match_info["source"], request.match_info["first_day"]

        async def make() -> Made:
            card = await self._read(lambda library: editions.card(library, source, first_day))
            if card is None:
                return self._made(None, request.path, as_json=False)
            return made(await self._plots.png(card, request.remote), PNG)

        try:
            return await self._answer(request, request.path, make)
        except PlotError as error:
            later = {**_NO_STORE, "Retry-After": _RETRY_AFTER}
            raise web.HTTPServiceUnavailable(text=f"{error.sentence}\n", headers=later) from error

    def _file(self, path: str, body: Callable[[], bytes], content_type: str) -> web.RouteDef:
        """Return the route of a file that comes with the pages."""

        async def make() -> Made:
            return made(body(), content_type)

        async def answer(request: web.Request) -> web.Response:
            return await self._answer(request, path, make)

        return web.get(path, answer)

    def _feed_link(self, path: str) -> str | None:
        if self._public_url:
            return f"{self._public_url}{path}"
        return None if path.startswith(FEED) else relative(path, FEED)

    async def _query(self, user: Actor, typed: Mapping[str, str]) -> SearchQuery:
        arguments = {"query" if name == "q" else name: text for name, text in typed.items()}
        return search_query(**await self._app.read_call(Call(SEARCH_COMMAND, arguments), user))

    def _unreadable(
        self, typed: Mapping[str, str], error: UserError, library: Library, *, as_json: bool
    ) -> Made:
        status = web.HTTPBadRequest.status_code
        if as_json:
            facts = {"error": error.sentence, "remedy": error.remedy}
            return replace(made(json_text(facts), JSON, status), one=True)
        page = search.unreadable(library, typed, error)
        return replace(made(self._html(page, SEARCH), HTML, status), one=True)

    def _made(self, found: PageFacts | Moved | None, path: str, *, as_json: bool) -> Made:
        """Return what is sent for a page that was asked for at a path."""
        if isinstance(found, Moved):
            moved = web.HTTPMovedPermanently if found.for_good else web.HTTPFound
            where = relative(found.path, path)
            return Made(b"", HTML, status=moved.status_code, location=where)
        if found is None and as_json:
            facts = {"error": "No such page.", "remedy": "The pages lead on from /."}
            return made(json_text(facts), JSON, web.HTTPNotFound.status_code)
        if found is None:
            found = PageFacts(
                path, "missing.html", "No such page", "Nothing is here.", {}, missing=True
            )
        kind = web.HTTPNotFound if found.missing else web.HTTPOk
        if as_json and found.json:
            return made(found.json(), JSON, kind.status_code)
        return made(self._html(found, path), HTML, kind.status_code)

    def _html(self, page: PageFacts, path: str) -> str:
        return self._renderer.render(page, partial(_link, path))

    def _reading(self, work: Callable[[Library], Made]) -> Make:
        """Return what makes a body by work on the library."""
        return lambda: self._read(work)

    async def _read(self, work: Callable[[Library], _T]) -> _T:
        def on_today(session: Session) -> _T:
            return work(Library(session, self._clock.now().date()))

        return await self._database.read(on_today)

    async def _answer(self, request: web.Request, key: Hashable, make: Make) -> web.Response:
        """Answer by the body that is kept for this version of the content, else by a new one."""
        gzip = takes_gzip(request.headers)
        try:
            with on_behalf_of(("web", request.remote)):
                version = await self._version()
                if is_current(request.headers, version, key):
                    return not_modified(version, key, gzip=gzip)
                found = await self._body((version.name, key), make)
        except StoreError as error:
            _log.warning("page_refused", extra={"reason": error.sentence})
            raise web.HTTPServiceUnavailable(
                text="The pages can't be read just now.\n", headers=_NO_STORE
            ) from error
        return respond(found, version, key, gzip=gzip)

    async def _body(self, key: Hashable, make: Make) -> Made:
        """Return a body that is kept, or is being made, else a new one."""
        if found := self._bodies.get(key) or self._long_bodies.get(key):
            return found
        if key not in self._making:
            made_once = self._making[key] = asyncio.ensure_future(self._kept(key, make))
            made_once.add_done_callback(lambda _: self._making.pop(key))
        return await asyncio.shield(self._making[key])

    async def _kept(self, key: Hashable, make: Make) -> Made:
        found = await make()
        if found.one:
            return found
        if found.size <= _LARGEST:
            self._bodies.put(key, found)
        elif found.size <= _LARGEST_LONG:
            self._long_bodies.put(key, found)
        return found

    async def _version(self) -> Version:
        """Return the state of all that pages show; a new day is a new one as an import is."""
        content, day = await self._content.read(), self._clock.now().date()
        name = f"{content} {day} {program_version()} {self._public_url} {self._has_chat}"
        if self._shown is None or self._shown.name != name:
            self._shown = Version(name, self._system_clock.now())
        return self._shown


@cache
def style() -> bytes:
    """Return the stylesheet."""
    return files("adapters.web.pages").joinpath("style.css").read_bytes()


@cache
def icon() -> bytes:
    """Return the icon, which browsers show beside the title of a page."""
    return files("adapters.web.pages").joinpath("icon.svg").read_bytes()


@cache
def program_version() -> str:
    """Return the version of the program with its templates."""
    templates = files("adapters.web.pages").joinpath("templates")
    texts = sorted((each.name, each.read_bytes()) for each in templates.iterdir())
    digest = hashlib.sha256(repr((texts, style(), icon())).encode()).hexdigest()
    return f"{version_of('broadsheet')} {digest[:12]}"


def _link(seen_from: str, path: str) -> str | None:
    return relative(path, seen_from) if path else None


def named_topics(text: str) -> tuple[str, ...]:
    """Return the topics that a text names by commas, as many as a picture shows."""
    names = topic_names()
    found = (names.get(fold(name)) for name in text[:_LONGEST_TOPICS].split(","))
    return tuple(dict.fromkeys(filter(None, found)))[:MOST_CURVES]


def _user(request: web.Request) -> Actor:
    """Return nobody in particular, at a web address."""
    return Actor("web", "web", request.remote or "", Role.READER, remembers=False)


def _typed(request: web.Request) -> dict[str, str]:
    """Return the fields of a search that are filled in, in their order."""
    values = {name: request.query.get(name, "").strip() for name in search.FIELDS}
    return {name: text for name, text in values.items() if text}


def _canonical(typed: Mapping[str, str], query: SearchQuery) -> dict[str, str]:
    """Return the fields of a search with its topic and its source by their slugs."""
    slugs = {"topic": query.filters.topic, "source": query.filters.source}
    return {name: slugs.get(name) or text for name, text in typed.items()}


def _page_number(request: web.Request) -> int:
    text = request.query.get("page", "1")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 1  # noqa: PLR2004 - three digits are enough
    return min(max(number, 1), search.LAST_PAGE)


def _wants_json(request: web.Request) -> bool:
    accepted: Any = request.headers.get("Accept", "")
    return "application/json" in accepted and "text/html" not in accepted
