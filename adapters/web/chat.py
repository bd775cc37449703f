"""The chat page: the commands for readers in a browser on this machine, without a script.

The last exchanges of each reader are kept in memory to be shown again.

Any site may have a browser send requests here. One that points its own name at this machine (DNS
rebinding) is told by the `Host` header; a form of another site by `Origin` and `Sec-Fetch-Site`.
https://fetch.spec.whatwg.org/#origin-header, https://www.w3.org/TR/fetch-metadata/
"""

import re
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qs

from aiohttp import web
from markupsafe import Markup

from adapters.common.files import missing_alt, replace_files
from adapters.web.asked_line import without_line
from adapters.web.pages.page import PageFacts
from adapters.web.pages.rendering import Renderer
from adapters.web.pages.responses import HTML, POLICY
from bot.actor import Actor, Role
from bot.app import Broadsheet
from bot.cache import Cache
from bot.commands.handlers.personal.forget import FORGET
from bot.commands.parser import LONGEST_COMMAND_STRING
from bot.commands.permissions import is_of_use
from bot.commands.types import PRESSED, TYPED
from bot.domain.page_paths import CHAT, relative
from bot.domain.untrusted_text import flat, without_controls
from bot.replies.blocks import Reply

_HOST = re.compile(r"(?:\[([^\[\]]+)\]|([^\[\]:]+))(?::\d{1,5})?")
# `none` is a request of the user and no page, as when a browser restores its windows.
_OWN_SITES = (None, "same-origin", "none")


def is_open(bind_address: str, public_url: str | None) -> bool:
    """Tell whether a server offers the chat: only this machine can reach it."""
    return not public_url and is_loopback(bind_address)


def is_loopback(name: str) -> bool:
    """Tell whether a host name or address is that of this machine by itself."""
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name.lower() == "localhost"


def is_asked_here(headers: Mapping[str, str]) -> bool:
    """Tell whether a request was made to a name of this machine."""
    host = _HOST.fullmatch(headers.get("Host", ""))
    return host is not None and is_loopback(host[1] or host[2])


def is_own_form(headers: Mapping[str, str]) -> bool:
    """Tell whether a form was sent by a page of this server, or by no browser."""
    origin, host = headers.get("Origin"), headers.get("Host", "")
    own = {f"{scheme}://{host}".lower() for scheme in ("http", "https")}
    return (origin is None or origin.lower() in own) and (
        headers.get("Sec-Fetch-Site") in _OWN_SITES
    )


_READERS = 64
_MAX_AGE = 12 * 3600.0  # seconds
_EXCHANGES = 20
_LONGEST = 256 * 1024  # characters of one reader's answers, unless the last alone is longer


@dataclass(frozen=True, slots=True)
class Exchange:
    """A line and its answer as HTML."""

    line: str
    answer: Markup


class Conversations:
    """The conversations of some readers by their ids; `seconds` only goes forward."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._kept: Cache[str, deque[Exchange]] = Cache(_READERS, _MAX_AGE, seconds)

    def of(self, reader: str) -> tuple[Exchange, ...]:
        """Return what is kept of a reader's conversation, the newest first."""
        return tuple(reversed(self._kept.get(reader) or ()))

    def add(self, reader: str, exchange: Exchange) -> None:
        """Keep an exchange, and drop old ones where there are too many."""
        kept = self._kept.get(reader) or deque(maxlen=_EXCHANGES)
        kept.append(exchange)
        while len(kept) > 1 and sum(len(each.answer) for each in kept) > _LONGEST:
            kept.popleft()
        self._kept.put(reader, kept)

    def forget(self, reader: str) -> None:
        """Drop a reader's conversation."""
        self._kept.remove(reader)


_TO_ASK = (
    "what's new this week",
    "best papers on agents",
    "anything on small models",
    "what's trending",
    "surprise me",
    "catch up in 10 minutes",
    "help",
)


class ChatRenderer:
    """Renders the chat by the templates of pages."""

    def __init__(self) -> None:
        self._renderer = Renderer(has_chat=True)

    def answer(self, reply: Reply, line: str = "") -> Markup:
        """Return an answer as a part of the page, below its line.

        Its buttons belong to the form `press`.
        """
        shown = replace_files(reply, lambda file: replace(file, alt=missing_alt(file, reply)))
        shown = without_line(shown, line)
        blocks = [(type(block).__name__, block) for block in shown.blocks]
        facts = {"reply": shown, "blocks": blocks, "field": "press"}
        return self._rendered("answer.html", "", facts)

    def page(self, reader: str, exchanges: Sequence[Exchange], examples: Iterable[str]) -> str:
        """Return the page of a reader with their exchanges, the newest first.

        What was typed before and the examples complete a line.
        """
        lines = (each.line for each in exchanges)
        facts = {
            "reader": reader,
            "exchanges": exchanges,
            "to_ask": _TO_ASK,
            "completions": [*dict.fromkeys((*lines, *examples))],
            "longest": LONGEST_COMMAND_STRING,
        }
        title = f"{exchanges[0].line} · Chat" if exchanges else "Chat"
        return self._rendered("chat.html", title, facts)

    def _rendered(self, template: str, title: str, facts: dict[str, Any]) -> Markup:
        page = PageFacts(CHAT, template, title, "Ask for papers in your own words.", facts)
        html = self._renderer.render(page, partial(relative, seen_from=CHAT))
        return Markup(without_controls(html))  # noqa: S704 - the templates escape all texts


_LARGEST_FORM = 16 * 1024  # bytes
_MOST_FIELDS = 8
_FORM = "application/x-www-form-urlencoded"
_READER = re.compile(r"[A-Za-z0-9_-]{22}")  # 16 random bytes
_HEADERS = {
    "Content-Type": HTML,
    # With `no-store` a browser that goes back to an answer asks whether to send the form again.
    "Cache-Control": "private, no-cache",
    "Content-Security-Policy": POLICY,
    # With `no-referrer` a browser sends the form with `Origin: null`:
    # https://fetch.spec.whatwg.org/#append-a-request-origin-header
    "Referrer-Policy": "same-origin",
}


class Chat:
    """Serves the chat: each page that is opened is a reader of its own, by a random id in its form.

    The id stands in no address and no cookie, so nobody else can be made to speak for a reader.
    """

    def __init__(self, app: Broadsheet) -> None:
        self._app = app
        self._renderer = ChatRenderer()
        self._conversations = Conversations()

    @property
    def routes(self) -> list[web.RouteDef]:
        """The page and its form."""
        return [web.get(CHAT, self._open), web.post(CHAT, self._ask)]

    async def _open(self, request: web.Request) -> web.Response:
        _require_here(request)
        return self._page(_new_reader())

    async def _ask(self, request: web.Request) -> web.Response:
        """Answer a line, or the command of a button."""
        _require_here(request)
        if not is_own_form(request.headers):
            raise web.HTTPForbidden(text="Another site sent this form: nothing was asked.\n")
        if request.content_type != _FORM:
            raise web.HTTPUnsupportedMediaType(text="The chat takes its own form alone.\n")
        fields = _fields(await request.read())
        reader = fields.get("reader", "")
        if not _READER.fullmatch(reader):
            reader = _new_reader()
        pressed = fields.get("press", "").strip()
        if line := pressed or fields.get("line", "").strip():
            origin = PRESSED if pressed else TYPED
            reply = await self._app.run_text(line, _actor(reader), origin=origin)
            if (reply.ran or "").startswith(f"{FORGET.name} confirm:"):
                self._conversations.forget(reader)
            line = flat(line)
            self._conversations.add(reader, Exchange(line, self._renderer.answer(reply, line)))
        return self._page(reader)

    def _page(self, reader: str) -> web.Response:
        page = self._renderer.page(reader, self._conversations.of(reader), self._examples(reader))
        return web.Response(text=page, headers=_HEADERS)

    def _examples(self, reader: str) -> Iterator[str]:
        for command in self._app.commands:
            if is_of_use(_actor(reader), command):
                yield from command.examples or (command.name,)


def _new_reader() -> str:
    return secrets.token_urlsafe(16)


def _actor(reader: str) -> Actor:
    """Return a plain reader in a workspace of their own."""
    return Actor("web", reader, reader, Role.READER, home=reader, draws=True)


def _require_here(request: web.Request) -> None:
    if not is_asked_here(request.headers):
        raise web.HTTPForbidden(text="The chat is for this machine: ask http://localhost for it.\n")


def _fields(body: bytes) -> dict[str, str]:
    """Return the first value of each field of a form.

    Raises:
        web.HTTPException: if it is too large to be the chat's.
    """
    if len(body) > _LARGEST_FORM:
        raise web.HTTPRequestEntityTooLarge(_LARGEST_FORM, len(body))
    try:
        found = parse_qs(body.decode("utf-8", "replace"), max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise web.HTTPBadRequest(text="The chat's form has fewer fields.\n") from error
    return {name: values[0] for name, values in found.items()}
