"""The fetcher: one GET after another, until there is a page or a reason why not.

address | check | turn | GET: 304 ends here | redirect: again | read, unpack, measure | page
"""

import asyncio
import os
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from http import HTTPStatus
from importlib.metadata import version
from types import TracebackType
from typing import Self

import aiohttp
from yarl import URL

from adapters.web.fetching import answers
from adapters.web.fetching.addresses import NOTHING_ALLOWED, Allowed, check_host, check_name
from adapters.web.fetching.decoding import ENCODINGS, Body
from adapters.web.fetching.hops import (
    MOST_REDIRECTS,
    REDIRECTS,
    hop,
    same_site,
    target,
    too_many,
)
from adapters.web.fetching.mishaps import in_words
from adapters.web.fetching.pace import AT_ONCE, Pace
from adapters.web.fetching.proxies import Proxies, proxies_of
from adapters.web.fetching.resolving import CheckedResolver, Resolve, system_addresses
from bot.errors import PageUnusable
from bot.ingest.documents import MAX_BYTES
from bot.sources.fetcher import NO_VALIDATORS, Page, Validators, Watch

_CHUNK = 64 * 1024
# Some hosts send longer lists of what a page may load than the 8 KB that aiohttp takes.
_LONGEST_HEADER = 32 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """For how many seconds a host is waited for; each redirect has them anew.

    They are those until it is connected to, until its answer begins (connecting and looking it up
    included), between two pieces of that, and for all of it.
    """

    connect: float = 10.0
    answer: float = 30.0
    idle: float = 20.0
    total: float = 120.0


@dataclass(frozen=True, slots=True)
class _Wish:
    """A page as it is wanted; `site` is the one that it was asked of first."""

    site: URL
    known: Validators
    accept: str
    most: int


@dataclass(slots=True)
class HttpFetcher:
    """Fetches pages by HTTP, as an asynchronous context manager.

    Where the environment names a proxy, that looks names up and connects: then addresses and
    names of local networks are refused all the same, but where a public name leads is for the
    proxy to judge. The proxy itself may stand anywhere. Passwords in `.netrc` are not used, and
    cookies are not kept.

    Args:
        allowed: what may be connected to besides the public internet.
        contact: an address that tells hosts whose bot this is, `None` where there is none.
        limits: for how long a host is waited for.
        pace: when hosts are asked.
        resolve: looks names up.
        environment: names the proxies.
        watch: is told how much of a page came, as it is sent: packed, where it is.

    Raises:
        SettingsError: where the environment names a proxy that is none.
    """

    allowed: Allowed = NOTHING_ALLOWED
    contact: str | None = None
    limits: Limits = Limits()
    pace: Pace = field(default_factory=Pace)
    resolve: Resolve = system_addresses
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)
    watch: Watch | None = None
    _proxies: Proxies = field(init=False, repr=False)
    _sessions: dict[bool, aiohttp.ClientSession] = field(
        init=False, repr=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        self._proxies = proxies_of(self.environment)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for session in self._sessions.values():
            await session.close()
        self._sessions.clear()

    async def fetch(
        self,
        url: str,
        known: Validators = NO_VALIDATORS,
        *,
        accept: str = "*/*",
        most: int = MAX_BYTES,
    ) -> Page | None:
        """Return a page, `None` where it has not changed; as `bot.sources.fetcher.Fetcher` says."""
        at = target(url)
        wish = _Wish(at, known, accept, most)
        for _ in range(MOST_REDIRECTS + 1):
            came = await self._ask(at, wish)
            if not isinstance(came, URL):
                return came
            at = came
        raise too_many(at)

    async def _ask(self, at: URL, wish: _Wish) -> Page | URL | None:
        """Return the page, where it is instead, or `None` where it has not changed."""
        host, port = at.raw_host or "", at.port or 0
        proxy = self._proxies.way(at)
        check_host(host, port, self.allowed)
        if proxy is not None:
            check_name(host, port, self.allowed)
        async with self.pace.turn(host.rstrip(".")):
            try:
                async with asyncio.timeout(self.limits.total):
                    return await self._get(at, wish, proxy)
            except (aiohttp.ClientError, OSError) as error:
                # Without its cause, which would bring addresses and answers into logs.
                raise in_words(error, host) from None

    async def _get(self, at: URL, wish: _Wish, proxy: URL | None) -> Page | URL | None:
        known = wish.known if same_site(at, wish.site) else NO_VALIDATORS
        session = self._session(is_direct=proxy is None)
        # A connection that is dropped before an answer is tried once more by aiohttp itself.
        async with asyncio.timeout(self.limits.answer):
            answer = await session.get(
                at, headers=_headers(wish.accept, known), proxy=proxy, allow_redirects=False
            )
        with closing(answer):
            if answer.status == HTTPStatus.NOT_MODIFIED and known != NO_VALIDATORS:
                return None
            if answer.status in REDIRECTS:
                return hop(at, answer.headers.get("Location"))
            self._judge(answer, at)
            return await _page(answer, at, wish, self.watch)

    def _judge(self, answer: aiohttp.ClientResponse, at: URL) -> None:
        """Raise the error of an answer that brings no page."""
        if answer.status in {HTTPStatus.OK, HTTPStatus.NON_AUTHORITATIVE_INFORMATION}:
            return
        host = at.raw_host or ""
        error = answers.failure(host, answer.status, answers.rest(answer.headers))
        if error.after:
            self.pace.rest(host.rstrip("."), error.after)
        raise error

    def _session(self, *, is_direct: bool) -> aiohttp.ClientSession:
        """Return the session for hosts that we connect to ourselves, or the one for proxies."""
        if is_direct not in self._sessions:
            checked = CheckedResolver(self.resolve, self.allowed) if is_direct else None
            self._sessions[is_direct] = self._open(checked)
        return self._sessions[is_direct]

    def _open(self, resolver: CheckedResolver | None) -> aiohttp.ClientSession:
        # No connection is used twice: each is made to addresses that were checked for it.
        connector = aiohttp.TCPConnector(
            resolver=resolver, use_dns_cache=False, force_close=True, limit=AT_ONCE
        )
        limits = self.limits
        return aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            headers={"User-Agent": user_agent(self.contact)},
            timeout=aiohttp.ClientTimeout(sock_connect=limits.connect, sock_read=limits.idle),
            auto_decompress=False,
            max_field_size=_LONGEST_HEADER,
        )


def user_agent(contact: str | None) -> str:
    """Return by which name we ask, as robots tell it: https://www.rfc-editor.org/rfc/rfc9309."""
    name = f"broadsheet/{version('broadsheet')}"
    return f"{name} (+{URL(contact)})" if contact else name


def _headers(accept: str, known: Validators) -> dict[str, str]:
    headers = {"Accept": accept, "Accept-Encoding": ENCODINGS}
    if known.etag:
        headers["If-None-Match"] = known.etag
    if known.last_modified:
        headers["If-Modified-Since"] = known.last_modified
    return headers


async def _page(answer: aiohttp.ClientResponse, at: URL, wish: _Wish, watch: Watch | None) -> Page:
    host = at.raw_host or ""
    kind = answers.plain(answer.headers.get("Content-Type"))
    if not answers.is_wanted(kind, wish.accept):
        raise PageUnusable(
            f"{host} answers with another type than was asked for.",
            "Open the address in a browser to see what is there.",
            host=host,
            status=answer.status,
        )
    # A header that comes twice says the same as one with both values.
    encoding = ", ".join(answer.headers.getall("Content-Encoding", ()))
    body = Body(host, encoding, wish.most)
    body.expect(answer.content_length)
    async for chunk in answer.content.iter_chunked(_CHUNK):
        body.take(chunk)
        if watch:
            watch(body.read, answer.content_length)
    is_asked = same_site(at, wish.site)
    told = answers.validators(answer.headers) if is_asked else NO_VALIDATORS
    return Page(str(at), body.whole(), told)
