"""The web server over some routes, on a free port, until a block ends."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from aiohttp import web

from adapters.web.connections import ConnectionLimits
from adapters.web.server import WebServer


@asynccontextmanager
async def served(
    routes: Iterable[web.RouteDef], host: str = "127.0.0.1", limits: ConnectionLimits | None = None
) -> AsyncIterator[str]:
    """Serve these routes; give the URL."""
    server = WebServer(host, 0, routes, limits)
    await server.start()
    try:
        yield server.url
    finally:
        await server.stop()
