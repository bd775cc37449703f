"""Readers who don't read: what they hold of the server's memory, and for how long."""

import asyncio
import tracemalloc
from urllib.parse import urlsplit

from aiohttp import ClientSession, web

from adapters.web.connections import ConnectionLimits
from adapters.web.server import WebServer
from adapters.web.slices import SLICE

_BODY = bytes(range(256)) * (1 << 15)
_READERS = 20
_EACH = 400 * 1024  # bytes
_REQUEST = b"GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def _long(_request: web.Request) -> web.Response:
    return web.Response(body=_BODY, content_type="text/html")


async def test_who_does_not_read_holds_a_slice() -> None:
    """Twenty of them hold a part of a body each, not a copy; another one reads it whole."""
    server = WebServer("127.0.0.1", 0, [web.get("/long", _long)])
    await server.start()
    where = urlsplit(server.url)
    tracemalloc.start()
    try:
        clients = []
        for _ in range(_READERS):
            reader, writer = await asyncio.open_connection(where.hostname, where.port, limit=1024)
            writer.write(_REQUEST)
            clients.append((reader, writer))
        await asyncio.sleep(1)
        held, _ = tracemalloc.get_traced_memory()
        assert held < _READERS * _EACH
        async with ClientSession(server.url) as session, session.get("/long") as answer:
            assert answer.headers["Content-Length"] == str(len(_BODY))
            assert await answer.read() == _BODY
        for _, writer in clients:
            writer.close()
    finally:
        tracemalloc.stop()
        await server.stop()


async def test_who_does_not_read_is_left_after_a_while() -> None:
    """The connection ends once its time is over, long before all was sent."""
    limits = ConnectionLimits(timeout=0.5, connections=10, per_address=10)
    server = WebServer("127.0.0.1", 0, [web.get("/long", _long)], limits)
    await server.start()
    where = urlsplit(server.url)
    try:
        reader, writer = await asyncio.open_connection(where.hostname, where.port, limit=1024)
        writer.write(_REQUEST)
        await asyncio.sleep(2)
        read = 0
        try:
            while some := await reader.read(SLICE):
                read += len(some)
        except ConnectionError:
            pass
        assert read < len(_BODY)
        writer.close()
    finally:
        await server.stop()


async def test_a_head_has_the_length_and_no_body() -> None:
    """What asks for the headers alone gets these."""
    server = WebServer("127.0.0.1", 0, [web.get("/long", _long)])
    await server.start()
    try:
        async with ClientSession(server.url) as session, session.head("/long") as answer:
            assert (answer.status, answer.content_type) == (200, "text/html")
            assert answer.headers["Content-Length"] == str(len(_BODY))
            assert await answer.read() == b""
    finally:
        await server.stop()
