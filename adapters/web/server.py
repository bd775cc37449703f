"""The web server, on aiohttp: it serves the routes of health, metrics and the platforms.

asyncio's own server is not used: if the process can open no more files, it tries to accept a
hundred times in a row, logs each failure, and schedules as many retries, which do the same
(`_accept_connection` in `asyncio/selector_events.py` of Python 3.11).
"""

import asyncio
import errno
import logging
import os
import socket
from collections.abc import Callable, Iterable
from typing import Any

from aiohttp import web

from adapters.common.tasks import Tasks
from adapters.web.connections import (
    HEADERS,
    Connection,
    ConnectionLimits,
    Connections,
    limits_here,
    read_body,
    refuse_expectations,
)
from bot.errors import WebError
from bot.operations.logs import RateLimitedLog
from bot.settings import web_url

_BACKLOG = 1024
# https://man7.org/linux/man-pages/man2/accept.2.html
_OUT_OF_RESOURCES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


async def listen(host: str, port: int) -> list[socket.socket]:
    """Return sockets that listen on every address of a host.

    Raises:
        OSError: as `listen_on`.
        UnicodeError: if the host is no valid name.
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    return listen_on(dict.fromkeys((family, address) for family, *_, address in found))


def listen_on(addresses: Iterable[tuple[int, Any]]) -> list[socket.socket]:
    """Return sockets that listen on some addresses, each given with its family.

    Raises:
        OSError: if one can't listen, or the machine supports none of the families.
    """
    sockets: list[socket.socket] = []
    unsupported: OSError | None = None
    try:
        for family, address in addresses:
            try:
                sockets.append(socket.create_server(address, family=family, backlog=_BACKLOG))
            except OSError as error:
                # localhost has an IPv6 address even if the kernel does not support IPv6.
                if error.errno != errno.EAFNOSUPPORT:
                    raise
                unsupported = error
        if unsupported and not sockets:
            raise unsupported
    except OSError:
        for each in sockets:
            each.close()
        raise
    return sockets


class Listener:
    """A listener that accepts connections, one in each iteration of the event loop.

    Args:
        listening: the listening socket.
        protocol: creates the protocol of a connection.
        evict_oldest: closes another connection, and returns whether there was one to close.
        pause: seconds to the next attempt if a connection can't be accepted.
    """

    def __init__(
        self,
        listening: socket.socket,
        protocol: Callable[[], asyncio.Protocol],
        evict_oldest: Callable[[], bool],
        pause: float = 1.0,
    ) -> None:
        self._listening = listening
        self._protocol = protocol
        self._evict_oldest = evict_oldest
        self._pause = pause
        self._loop = asyncio.get_running_loop()
        self._retry: asyncio.TimerHandle | None = None
        self._tasks = Tasks()
        self._failures = RateLimitedLog(_log)

    def start(self) -> None:
        """Accept connections."""
        self._listening.settimeout(0)
        self._loop.add_reader(self._listening, self._accept)

    async def stop(self) -> None:
        """Close the socket."""
        if self._retry:
            self._retry.cancel()
        self._loop.remove_reader(self._listening)
        self._listening.close()
        await self._tasks.finish(1.0)

    def _accept(self) -> None:
        try:
            connection, _ = self._listening.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return
        except OSError as error:
            reason = os.strerror(error.errno or 0)
            self._failures.warning("web_accept_failed", reason=reason)
            # The file descriptor of an evicted connection is free in the next iteration.
            if error.errno not in _OUT_OF_RESOURCES or not self._evict_oldest():
                self._loop.remove_reader(self._listening)
                self._retry = self._loop.call_later(self._pause, self.start)
            return
        self._tasks.start(self._serve(connection), "web-connection")

    async def _serve(self, connection: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._protocol, connection)
        except OSError:
            # The client has disconnected already.
            connection.close()


_log = logging.getLogger(__name__)

MAX_BODY = 1024 * 1024
STOP_SECONDS = 3.0


class WebServer:
    """A web server.

    Args:
        host: the address to listen on.
        port: the port to listen on; 0 picks one.
        routes: the routes that it serves.
        limits: the limits on connections; by default they depend on this process.
    """

    def __init__(
        self,
        host: str,
        port: int,
        routes: Iterable[web.RouteDef],
        limits: ConnectionLimits | None = None,
    ) -> None:
        self._host = host
        self._port = port
        self._url = ""
        application = web.Application(client_max_size=MAX_BODY, middlewares=[read_body])
        application.add_routes(routes)
        application.on_response_prepare.append(_add_headers)
        self._runner = web.AppRunner(application, shutdown_timeout=STOP_SECONDS)
        self._connections = Connections(limits or limits_here())
        self._listeners: list[Listener] = []

    @property
    def url(self) -> str:
        """The URL on this machine; empty until the server is started."""
        return self._url

    async def start(self) -> None:
        """Start to listen.

        Raises:
            WebError: if it can't listen on that address and port.
        """
        await self._runner.setup()
        server = self._server()
        server.request_handler = refuse_expectations(server.request_handler)
        try:
            sockets = await listen(self._host, self._port)
        except (OSError, UnicodeError) as error:
            await self._runner.cleanup()
            raise _listen_error(self._host, self._port, error) from error
        # A name may resolve to several addresses, and a picked port belongs to one of them.
        address, port, *_ = sockets[0].getsockname()
        for each in sockets:
            listener = Listener(each, self._connection, self._connections.evict_oldest)
            self._listeners.append(listener)
            listener.start()
        self._url = web_url(address, port)
        _log.info("web_listening", extra={"url": self._url})

    async def stop(self) -> None:
        """Stop listening, and give open requests a few seconds to end."""
        for listener in self._listeners:
            await listener.stop()
        await self._runner.cleanup()

    def _server(self) -> web.Server:
        """Return aiohttp's server, which handles the requests of all connections."""
        server = self._runner.server
        if server is None:
            raise RuntimeError("the runner is not set up")
        return server

    def _connection(self) -> Connection:
        """Return the protocol of a new connection."""
        # Metrics count requests; a log line for each would bury everything else. No client of ours
        # compresses its bodies, and a compressed one could grow a thousandfold.
        return Connection(
            self._server(),
            self._connections,
            asyncio.get_running_loop(),
            access_log=None,
            auto_decompress=False,
        )


async def _add_headers(_request: web.Request, response: web.StreamResponse) -> None:
    """Add the headers that every response has, unless the handler set them."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    # aiohttp has set its own already.
    response.headers["Server"] = HEADERS["Server"]


def _listen_error(host: str, port: int, error: OSError | UnicodeError) -> WebError:
    return WebError(
        f"The web server can't listen on port {port} of {host}: {_reason(error)}.",
        "Set BROADSHEET_WEB_PORT to a free port (0 picks one), or BROADSHEET_WEB_HOST.",
    )


def _reason(error: OSError | UnicodeError) -> str:
    """Return the system's message; asyncio's own repeats the address."""
    if isinstance(error, UnicodeError):
        return "that is no host name"
    if isinstance(error, socket.gaierror) or error.errno is None:
        return error.strerror or str(error)
    return os.strerror(error.errno)
