"""Limits on the web server's connections: how many are open, and how long a client may take.

Long bodies are sent in slices as the client reads: the rest is not copied for each of them.
"""

import asyncio
import logging
import resource
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.http import HttpProcessingError
from aiohttp.payload import Payload

from bot.operations.logs import RateLimitedLog

_MAX_CONNECTIONS = 512
_CONTINUE = "100-continue"
_Handle = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_log = logging.getLogger(__name__)

# Every response has these headers; a page may replace the policy with its own.
HEADERS = {
    "Server": "Broadsheet",  # aiohttp would name its version and Python's
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """The limits on connections.

    Attributes:
        timeout: seconds that a client has to send the headers of a request, then its body, and then
            to read the response and send the next headers.
        connections: the most that are open at once.
        per_address: the most of them that come from one address.
    """

    timeout: float
    connections: int
    per_address: int


def limits_here() -> ConnectionLimits:
    """Return the limits for this process; they leave half of its open files to everything else."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = (
        _MAX_CONNECTIONS
        if files == resource.RLIM_INFINITY
        else max(2, min(_MAX_CONNECTIONS, files // 2))
    )
    return ConnectionLimits(timeout=15.0, connections=most, per_address=most // 2)


class Connections:
    """The open connections; a new one evicts the one that has waited longest for its client.

    Args:
        limits: how many may be open, and how long each waits for its client.
    """

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits = limits
        self._open: dict[Connection, tuple[str, asyncio.Transport]] = {}
        self._of_address: Counter[str] = Counter()
        # The deadline of each that waits for its client, the earliest first.
        self._waiting: dict[Connection, float] = {}
        self._sweeping: asyncio.TimerHandle | None = None
        self._full = RateLimitedLog(_log)

    def add(self, connection: "Connection", transport: asyncio.Transport) -> bool:
        """Add a new connection, evicting one if there are too many; return whether it was added."""
        # A client that has disconnected already has no address any more.
        address = str((transport.get_extra_info("peername") or ("",))[0])
        if self._of_address[address] >= self._limits.per_address:
            full, room = True, self.evict_oldest(address)
        else:
            full = len(self._open) >= self._limits.connections
            room = not full or self.evict_oldest()
        if full:
            self._full.warning("web_connections_full", open=len(self._open))
        if room:
            self._open[connection] = address, transport
            self._of_address[address] += 1
            self.restart_timeout(connection)
        return room

    def remove(self, connection: "Connection") -> None:
        """Remove a connection that has ended."""
        self._waiting.pop(connection, None)
        if held := self._open.pop(connection, None):
            address, _ = held
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]

    def evict_oldest(self, address: str | None = None) -> bool:
        """Close the connection that has waited longest for its client; return whether one did.

        Args:
            address: the address that it comes from; any by default.
        """
        for each in self._waiting:
            if address is None or self._open[each][0] == address:
                self._close(each)
                return True
        return False

    def restart_timeout(self, connection: "Connection") -> None:
        """Restart the timeout of a connection."""
        self._waiting.pop(connection, None)
        if connection in self._open:
            loop = asyncio.get_running_loop()
            self._waiting[connection] = loop.time() + self._limits.timeout
            if self._sweeping is None:
                self._sweeping = loop.call_later(self._limits.timeout, self._sweep)

    @contextmanager
    def suspend_timeout(self, connection: "Connection") -> Iterator[None]:
        """Suspend the timeout of a connection while its request is handled."""
        self._waiting.pop(connection, None)
        try:
            yield
        finally:
            self.restart_timeout(connection)

    def _sweep(self) -> None:
        """Close the connections whose deadline is over, and schedule the next sweep."""
        loop = asyncio.get_running_loop()
        self._sweeping = None
        for each, until in list(self._waiting.items()):
            if until > loop.time():
                self._sweeping = loop.call_at(until, self._sweep)
                return
            self._close(each)

    def _close(self, connection: "Connection") -> None:
        _, transport = self._open[connection]
        self.remove(connection)
        # A graceful close would wait until the client has taken all that was sent.
        transport.abort()


class Connection(web.RequestHandler):
    """A connection of aiohttp's server that obeys the limits.

    Args:
        server: aiohttp's server, which handles the requests.
        connections: the open connections.
        loop: the event loop.
        options: aiohttp's options of a connection.
    """

    def __init__(
        self,
        server: web.Server,
        connections: Connections,
        loop: asyncio.AbstractEventLoop,
        **options: Any,  # noqa: ANN401 - aiohttp's
    ) -> None:
        super().__init__(server, loop=loop, **options)
        self.connections = connections

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start to serve, or close the connection if too many are open."""
        socket_transport = cast("asyncio.Transport", transport)
        if self.connections.add(self, socket_transport):
            super().connection_made(transport)
        else:
            socket_transport.abort()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Remove the connection from the open ones."""
        self.connections.remove(self)
        super().connection_lost(exc)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Return the response to an error; errors that a client causes are not logged."""
        gone = self.transport is None or self.transport.is_closing()
        if not isinstance(exc, HttpProcessingError) and not (
            gone and isinstance(exc, ConnectionError)
        ):
            return super().handle_error(request, status, exc, message)
        response = _error_response(HTTPStatus(status))
        response.force_close()
        return response


def refuse_expectations(handle: _Handle) -> _Handle:
    """Return a server's handler that refuses any `Expect` header but `100-continue`.

    aiohttp's own refusal echoes the header, and fails on one that is not ASCII.
    """

    async def checked(request: web.BaseRequest) -> web.StreamResponse:
        if request.headers.get("Expect", _CONTINUE).lower() != _CONTINUE:
            return _error_response(HTTPStatus.EXPECTATION_FAILED)
        return await handle(request)

    return checked


def _error_response(status: HTTPStatus) -> web.Response:
    text = f"{status.value}: {status.phrase}"
    return web.Response(status=status.value, text=text, headers=HEADERS)


@web.middleware
async def read_body(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Read the body of a request before its handler runs, under a timeout of its own.

    Raises:
        web.HTTPException: if the body is malformed, truncated or too large.
    """
    connection = cast("Connection", request.protocol)
    connection.connections.restart_timeout(connection)
    try:
        await request.read()
    except (ConnectionError, web.RequestPayloadError):
        # Most of these clients have disconnected; a traceback would help nobody.
        raise web.HTTPBadRequest from None
    with connection.connections.suspend_timeout(connection):
        return in_slices(await handler(request))


SLICE = 32 * 1024  # bytes


def in_slices(response: web.StreamResponse) -> web.StreamResponse:
    """Return a response whose body is sent slice by slice if it has several.

    Sent at once, what the client does not read is copied into the buffer of its connection.
    """
    if isinstance(response, web.Response):
        body = response.body
        if isinstance(body, bytes) and len(body) > SLICE:
            response.body = _Slices(body, content_type=response.content_type)
    return response


class _Slices(Payload):
    """Bytes that several responses may share."""

    _value: bytes
    _autoclose = True  # there is nothing to close

    @property
    def size(self) -> int:
        """The number of bytes."""
        return len(self._value)

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        """Return the bytes as text."""
        return self._value.decode(encoding, errors)

    async def write(self, writer: AbstractStreamWriter) -> None:
        """Write the slices; each waits until the client has read most of those before it."""
        whole = memoryview(self._value)
        for start in range(0, len(whole), SLICE):
            await writer.write(whole[start : start + SLICE])
