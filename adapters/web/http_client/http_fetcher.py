"""The HTTP fetcher: it sends GET requests and follows redirects until there is a page or an error.

URL → SSRF check → slot of the host → GET → 304, redirect (again), error, or body → page
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

from adapters.common.response_headers import retry_after
from adapters.web.http_client.body import ENCODINGS, ResponseBody
from adapters.web.http_client.errors import client_error, status_error
from adapters.web.http_client.host_limiter import MAX_CONCURRENT, HostLimiter
from adapters.web.http_client.proxies import Proxies, read_proxies
from adapters.web.http_client.redirects import (
    MAX_REDIRECTS,
    REDIRECT_STATUSES,
    is_same_server,
    parse_url,
    redirect_target,
    too_many_redirects,
)
from adapters.web.http_client.resolver import CheckedResolver, Resolve, resolve_with_system
from adapters.web.http_client.ssrf_guard import (
    EMPTY_ALLOWLIST,
    Allowlist,
    check_host,
    check_proxied_host,
)
from bot.errors import PageUnusable
from bot.ingest.documents import MAX_BYTES
from bot.sources.fetcher import NO_VALIDATORS, FetchedPage, Validators, Watch

_CHUNK = 64 * 1024
# Some hosts send a longer Content-Security-Policy than the 8 KB that aiohttp takes by default.
_MAX_HEADER = 32 * 1024


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Timeouts of a request in seconds; each redirect starts them anew.

    Attributes:
        connect: to open a connection.
        response: until the response begins, resolving and connecting included.
        idle: between two chunks of the response.
        total: for the whole request.
    """

    connect: float = 10.0
    response: float = 30.0
    idle: float = 20.0
    total: float = 120.0


@dataclass(frozen=True, slots=True)
class _Request:
    """A request for a page; `url` is the one before any redirect."""

    url: URL
    known: Validators
    accept: str
    max_bytes: int


@dataclass(slots=True)
class HttpFetcher:
    """An HTTP fetcher of pages, to be used as an asynchronous context manager.

    A proxy resolves names itself: private addresses and names of local networks are refused all the
    same, but the addresses of public names are for the proxy to judge. The proxy itself may have
    any address. Passwords in `.netrc` are not used, and cookies are not kept.

    Args:
        allowlist: the hosts and networks that are allowed beside the public internet.
        contact: a URL in the user agent that tells hosts whose bot this is.
        timeouts: the timeouts of a request.
        host_limiter: the rate limits of hosts.
        resolve: resolves names.
        environment: the variables that name the proxies.
        on_progress: is called with the bytes received, before decompression, and their total.

    Raises:
        SettingsError: if the environment names a proxy that is none.
    """

    allowlist: Allowlist = EMPTY_ALLOWLIST
    contact: str | None = None
    timeouts: Timeouts = Timeouts()
    host_limiter: HostLimiter = field(default_factory=HostLimiter)
    resolve: Resolve = resolve_with_system
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)
    on_progress: Watch | None = None
    _proxies: Proxies = field(init=False, repr=False)
    _sessions: dict[bool, aiohttp.ClientSession] = field(
        init=False, repr=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        self._proxies = read_proxies(self.environment)

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
    ) -> FetchedPage | None:
        """Return a page, `None` if it has not changed; see `bot.sources.fetcher.Fetcher`."""
        at = parse_url(url)
        request = _Request(at, known, accept, most)
        for _ in range(MAX_REDIRECTS + 1):
            result = await self._request(at, request)
            if not isinstance(result, URL):
                return result
            at = result
        raise too_many_redirects(at)

    async def _request(self, at: URL, request: _Request) -> FetchedPage | URL | None:
        """Return the page, the URL that it redirects to, or `None` if it has not changed."""
        host, port = at.raw_host or "", at.port or 0
        proxy = self._proxies.proxy_for(at)
        check_host(host, port, self.allowlist)
        if proxy is not None:
            check_proxied_host(host, port, self.allowlist)
        async with self.host_limiter.slot(host.rstrip(".")):
            try:
                async with asyncio.timeout(self.timeouts.total):
                    return await self._get(at, request, proxy)
            except (aiohttp.ClientError, OSError) as error:
                # The cause would bring addresses and responses into logs.
                raise client_error(error, host) from None

    async def _get(self, at: URL, request: _Request, proxy: URL | None) -> FetchedPage | URL | None:
        known = request.known if is_same_server(at, request.url) else NO_VALIDATORS
        session = self._session(is_direct=proxy is None)
        # aiohttp itself retries once if a connection is dropped before the response.
        async with asyncio.timeout(self.timeouts.response):
            response = await session.get(
                at, headers=_headers(request.accept, known), proxy=proxy, allow_redirects=False
            )
        with closing(response):
            if response.status == HTTPStatus.NOT_MODIFIED and known != NO_VALIDATORS:
                return None
            if response.status in REDIRECT_STATUSES:
                return redirect_target(at, response.headers.get("Location"))
            self._raise_for_status(response, at)
            return await _read_page(response, at, request, self.on_progress)

    def _raise_for_status(self, response: aiohttp.ClientResponse, at: URL) -> None:
        """Raise the error of a response without a page."""
        if response.status in {HTTPStatus.OK, HTTPStatus.NON_AUTHORITATIVE_INFORMATION}:
            return
        host = at.raw_host or ""
        error = status_error(host, response.status, retry_after(response.headers))
        if error.after:
            self.host_limiter.cool_down(host.rstrip("."), error.after)
        raise error

    def _session(self, *, is_direct: bool) -> aiohttp.ClientSession:
        """Return the session for direct connections or the one for proxies."""
        if is_direct not in self._sessions:
            resolver = CheckedResolver(self.resolve, self.allowlist) if is_direct else None
            self._sessions[is_direct] = self._open_session(resolver)
        return self._sessions[is_direct]

    def _open_session(self, resolver: CheckedResolver | None) -> aiohttp.ClientSession:
        # Connections are not reused: each one goes to addresses that were checked for it.
        connector = aiohttp.TCPConnector(
            resolver=resolver, use_dns_cache=False, force_close=True, limit=MAX_CONCURRENT
        )
        timeouts = self.timeouts
        return aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            headers={"User-Agent": user_agent(self.contact)},
            timeout=aiohttp.ClientTimeout(sock_connect=timeouts.connect, sock_read=timeouts.idle),
            auto_decompress=False,
            max_field_size=_MAX_HEADER,
        )


def user_agent(contact: str | None) -> str:
    """Return the user agent, in the form of https://www.rfc-editor.org/rfc/rfc9309."""
    name = f"broadsheet/{version('broadsheet')}"
    return f"{name} (+{URL(contact)})" if contact else name


def _headers(accept: str, known: Validators) -> dict[str, str]:
    sent = {"Accept": accept, "Accept-Encoding": ENCODINGS}
    if known.etag:
        sent["If-None-Match"] = known.etag
    if known.last_modified:
        sent["If-Modified-Since"] = known.last_modified
    return sent


async def _read_page(
    response: aiohttp.ClientResponse, at: URL, request: _Request, on_progress: Watch | None
) -> FetchedPage:
    host = at.raw_host or ""
    content_type = sendable_value(response.headers.get("Content-Type"))
    if not accepts(request.accept, content_type):
        raise PageUnusable(
            f"{host} answers with another type than was asked for.",
            "Open the address in a browser to see what is there.",
            host=host,
            status=response.status,
        )
    # A repeated header means the same as one header with both values.
    encoding = ", ".join(response.headers.getall("Content-Encoding", ()))
    body = ResponseBody(host, encoding, request.max_bytes)
    body.check_length(response.content_length)
    async for chunk in response.content.iter_chunked(_CHUNK):
        body.feed(chunk)
        if on_progress:
            on_progress(body.received, response.content_length)
    # Validators of another server would mislead the next request to this one.
    is_own = is_same_server(at, request.url)
    validators = validators_in(response.headers) if is_own else NO_VALIDATORS
    return FetchedPage(str(at), body.finish(), validators)


# The longest known entity tags have some 100 characters.
_MAX_LENGTH = 500


def validators_in(headers: Mapping[str, str]) -> Validators:
    """Return the validators for the next conditional request.

    https://www.rfc-editor.org/rfc/rfc9110#name-validator-fields
    """
    return Validators(
        sendable_value(headers.get("ETag")), sendable_value(headers.get("Last-Modified"))
    )


def sendable_value(value: str | None) -> str | None:
    """Return a header's value if it is safe to store and send again: short, printable ASCII."""
    if value and len(value) <= _MAX_LENGTH and value.isascii() and value.isprintable():
        return value
    return None


def accepts(accept: str, content_type: str | None) -> bool:
    """Tell whether an `Accept` header covers a content type; a missing type always passes.

    https://www.rfc-editor.org/rfc/rfc9110#name-accept
    """
    if not content_type:
        return True
    media_type = _media_type(content_type)
    main_type = media_type.partition("/")[0]
    accepted = {"*/*", f"{main_type}/*", media_type}
    return not accepted.isdisjoint(_media_type(each) for each in accept.split(","))


def _media_type(text: str) -> str:
    return text.partition(";")[0].strip().lower()
