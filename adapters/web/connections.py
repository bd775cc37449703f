"""Connections to the web server: how many are open, and how long one may keep it waiting."""

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
from aiohttp.http import HttpProcessingError

from bot.rare_lines import RareLines

_MOST = 512
_GO_AHEAD = "100-continue"
_Handle = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_log = logging.getLogger(__name__)

# On every answer. What is shown to people may have a policy of its own.
HEADERS = {
    "Server": "Broadsheet",  # aiohttp would tell its version and Python's
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """What connections may cost.

    Attributes:
        patience: seconds within which the headers of a request are here, then its body, and then
            its answer is taken and the next request begun.
        connections: how many are open at most.
        of_one_address: how many of them come from one address.
    """

    patience: float
    connections: int
    of_one_address: int


def limits_here() -> Limits:
    """Return the limits for this process: half of the files it may open are for others."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MOST if files == resource.RLIM_INFINITY else max(2, min(_MOST, files // 2))
    return Limits(patience=15.0, connections=most, of_one_address=most // 2)


class Connections:
    """The connections that are open. Those that wait for their clients make room for new ones.

    Args:
        limits: how many there may be, and how long each may wait.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: dict[Connection, tuple[str, asyncio.Transport]] = {}
        self._of_address: Counter[str] = Counter()
        # Until when each may wait for its client, the longest waiting first.
        self._waiting: dict[Connection, float] = {}
        self._sweeping: asyncio.TimerHandle | None = None
        self._full = RareLines(_log)

    def admit(self, connection: "Connection", transport: asyncio.Transport) -> bool:
        """Tell whether a new connection may stay; another one may have to go for it."""
        # Whoever has hung up already has no address any more.
        address = str((transport.get_extra_info("peername") or ("",))[0])
        if self._of_address[address] >= self._limits.of_one_address:
            full, room = True, self.make_room(address)
        else:
            full = len(self._open) >= self._limits.connections
            room = not full or self.make_room()
        if full:
            self._full.warning("web_connections_full", open=len(self._open))
        if room:
            self._open[connection] = address, transport
            self._of_address[address] += 1
            self.wait(connection)
        return room

    def leave(self, connection: "Connection") -> None:
        """Forget a connection that has ended."""
        self._waiting.pop(connection, None)
        if held := self._open.pop(connection, None):
            address, _ = held
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]

    def make_room(self, address: str | None = None) -> bool:
        """End the connection that waits longest for its client; return whether there was one.

        Args:
            address: from where it has to come, if that matters.
        """
        for each in self._waiting:
            if address is None or self._open[each][0] == address:
                self._end(each)
                return True
        return False

    def wait(self, connection: "Connection") -> None:
        """Give the client of a connection its time from now on."""
        self._waiting.pop(connection, None)
        if connection in self._open:
            loop = asyncio.get_running_loop()
            self._waiting[connection] = loop.time() + self._limits.patience
            if self._sweeping is None:
                self._sweeping = loop.call_later(self._limits.patience, self._sweep)

    @contextmanager
    def working(self, connection: "Connection") -> Iterator[None]:
        """Keep a connection whose request is being answered, however long that takes."""
        self._waiting.pop(connection, None)
        try:
            yield
        finally:
            self.wait(connection)

    def _sweep(self) -> None:
        """End what has waited long enough, and come again when the next one will have."""
        loop = asyncio.get_running_loop()
        self._sweeping = None
        for each, until in list(self._waiting.items()):
            if until > loop.time():
                self._sweeping = loop.call_at(until, self._sweep)
                return
            self._end(each)

    def _end(self, connection: "Connection") -> None:
        _, transport = self._open[connection]
        self.leave(connection)
        # What was not taken yet is dropped: to wait until it is taken could be for ever.
        transport.abort()


class Connection(web.RequestHandler):
    """One connection: aiohttp's, which is counted and not waited for longer than it may take.

    Args:
        server: aiohttp's, that answers the requests.
        connections: where it is counted.
        loop: the event loop.
        options: aiohttp's for a connection.
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
        """Begin, or end at once where there is no room."""
        given = cast("asyncio.Transport", transport)
        if self.connections.admit(self, given):
            super().connection_made(transport)
        else:
            given.abort()

    def connection_lost(self, exc: BaseException | None) -> None:
        """End."""
        self.connections.leave(self)
        super().connection_lost(exc)

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Return the answer to what is no HTTP, without a line, and else aiohttp's own."""
        gone = self.transport is None or self.transport.is_closing()
        if not isinstance(exc, HttpProcessingError) and not (
            gone and isinstance(exc, ConnectionError)
        ):
            return super().handle_error(request, status, exc, message)
        answer = _refusal(HTTPStatus(status))
        answer.force_close()
        return answer


def expecting_nothing(handle: _Handle) -> _Handle:
    """Return a server's handler that refuses what a client expects beside a body's go-ahead.

    aiohttp's own refusal repeats the header, and breaks over one that is not ASCII.
    """

    async def answer(request: web.BaseRequest) -> web.StreamResponse:
        if request.headers.get("Expect", _GO_AHEAD).lower() != _GO_AHEAD:
            return _refusal(HTTPStatus.EXPECTATION_FAILED)
        return await handle(request)

    return answer


def _refusal(status: HTTPStatus) -> web.Response:
    text = f"{status.value}: {status.phrase}"
    return web.Response(status=status.value, text=text, headers=HEADERS)


@web.middleware
async def in_time(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Answer a request once all of it is here.

    Raises:
        web.HTTPException: where its body does not come, is broken, or larger than the server reads.
    """
    connection = cast("Connection", request.protocol)
    connection.connections.wait(connection)
    try:
        await request.read()
    except (ConnectionError, web.RequestPayloadError):
        # Nobody here can mend what a client sends, and most of these have gone.
        raise web.HTTPBadRequest from None
    with connection.connections.working(connection):
        return await handler(request)
