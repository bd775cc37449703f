"""The web server, on aiohttp: it serves the routes of health, metrics and the platforms."""

import asyncio
import logging
import os
import socket
from collections.abc import Iterable

from aiohttp import web

from adapters.web.connections import (
    HEADERS,
    Connection,
    ConnectionLimits,
    Connections,
    limits_here,
    read_body,
    refuse_expectations,
)
from adapters.web.listener import Listener, listen
from bot.errors import WebError
from bot.settings import web_url

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
