"""The one web server, on aiohttp: it serves the routes that it is given."""

import logging
import os
import socket
from collections.abc import Iterable

from aiohttp import web

from bot.errors import WebError
from bot.settings import web_url

_log = logging.getLogger(__name__)

LARGEST_BODY = 1024 * 1024
STOP_SECONDS = 3.0


class WebServer:
    """A web server for as long as it is started.

    Args:
        host: the address to listen on.
        port: the port to listen on; 0 picks one.
        routes: what it answers; anything else is not found.
    """

    def __init__(self, host: str, port: int, routes: Iterable[web.RouteDef]) -> None:
        self._host = host
        self._port = port
        self._url = ""
        application = web.Application(client_max_size=LARGEST_BODY)
        application.add_routes(routes)
        # What it answers is measured; a line for each request would bury everything else.
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=STOP_SECONDS)

    @property
    def url(self) -> str:
        """Where it is reached from this machine; empty until it is started."""
        return self._url

    async def start(self) -> None:
        """Listen.

        Raises:
            WebError: where it can't listen on that address and port.
        """
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port).start()
        except (OSError, UnicodeError) as error:
            await self._runner.cleanup()
            raise _refused(self._host, self._port, error) from error
        # A name may stand for several addresses, and a picked port belongs to one of them.
        address, port, *_ = self._runner.addresses[0]
        self._url = web_url(address, port)
        _log.info("web_listening", extra={"url": self._url})

    async def stop(self) -> None:
        """Listen no longer, and give open requests a few seconds to end."""
        await self._runner.cleanup()


def _refused(host: str, port: int, error: OSError | UnicodeError) -> WebError:
    return WebError(
        f"The web server can't listen on port {port} of {host}: {_reason(error)}.",
        "Set BROADSHEET_WEB_PORT to a free port (0 picks one), or BROADSHEET_WEB_HOST.",
    )


def _reason(error: OSError | UnicodeError) -> str:
    """Return the system's words; asyncio's own repeat the address."""
    if isinstance(error, UnicodeError):
        return "that is no host name"
    if isinstance(error, socket.gaierror) or error.errno is None:
        return error.strerror or str(error)
    return os.strerror(error.errno)
