"""The limits on connections: timeouts, numbers, and invalid HTTP; long bodies in slices."""

import asyncio
import logging
import os
import resource
import socket
import tracemalloc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

import pytest
from aiohttp import ClientSession, web

from adapters.web.connections import SLICE, ConnectionLimits, limits_here
from adapters.web.server import Listener, WebServer
from tests.adapters.web.served import served

GET = b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"
SHORT = ConnectionLimits(timeout=0.1, connections=8, per_address=8)
LONG = ConnectionLimits(timeout=60.0, connections=8, per_address=4)
Client = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Serving:
    """A server with `/livez`, a `/large` page, a `/slow` one that waits, and a `/broken` one."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.may = asyncio.Event()
        self.begun = 0
        self.clients: list[asyncio.StreamWriter] = []
        routes = [
            web.route("*", "/livez", self._live),
            web.get("/large", self._large),
            web.get("/slow", self._slow),
            web.get("/broken", self._broken),
        ]
        self.server = WebServer("127.0.0.1", 0, routes, limits)

    async def _live(self, request: web.Request) -> web.Response:
        return web.Response(body=await request.read() or b"ok")

    async def _large(self, _request: web.Request) -> web.Response:
        self.begun += 1
        return web.Response(body=bytes(2**20))

    async def _slow(self, _request: web.Request) -> web.Response:
        self.begun += 1
        await self.may.wait()
        return web.Response(text="at last")

    async def _broken(self, _request: web.Request) -> web.Response:
        raise RuntimeError("a secret")

    async def connect(self, address: str = "127.0.0.1", sent: bytes = b"") -> Client:
        """Open a connection from an address of this machine, and send this on it."""
        port = int(self.server.url.rpartition(":")[2])
        client = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
        self.clients.append(client[1])
        client[1].write(sent)
        return client

    async def status(self, address: str = "127.0.0.1") -> bytes:
        """Return the response of `/livez` on a new connection, empty if it is refused."""
        reader, _ = await self.connect(address, GET)
        with suppress(ConnectionError):
            return (await asyncio.wait_for(reader.readline(), 5))[:12]
        return b""


@asynccontextmanager
async def serving(limits: ConnectionLimits) -> AsyncIterator[Serving]:
    """Serve until the block ends."""
    serving = Serving(limits)
    await serving.server.start()
    try:
        yield serving
    finally:
        for client in serving.clients:
            client.close()
        await serving.server.stop()


async def ended(client: Client) -> bytes:
    """Wait until the server has closed a connection; return what came on it before."""
    came = b""
    with suppress(ConnectionError):
        while part := await asyncio.wait_for(client[0].read(2**16), 5):
            came += part
    return came


async def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110 - nobody tells when it is
            await asyncio.sleep(0.005)


async def drip(client: Client, sent: bytes) -> None:
    """Send bytes one by one, each well within a server's timeout, until it has enough."""
    with suppress(ConnectionError):
        for byte in sent * 1000:
            client[1].write(bytes([byte]))
            await client[1].drain()
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET /livez HT", POST, POST + b"half", GET],
    ids=["", "head", "body", "half", "idle"],
)
async def test_a_client_that_falls_silent_is_waited_for_no_longer_than_that(
    sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """A silent client's connection is closed at any point, without a log line."""
    async with serving(SHORT) as server:
        caplog.clear()
        came = await ended(await server.connect(sent=sent))
        assert came.startswith(b"HTTP/1.1 200") == (sent == GET)
        assert caplog.records == []


@pytest.mark.parametrize(
    ("before", "dripped"),
    [(b"", b"GET / HTTP/1.1 "), (POST[:-2], b"X: y\r\n"), (POST, b"x")],
    ids=["line", "headers", "body"],
)
async def test_bytes_that_drip_gain_no_time(before: bytes, dripped: bytes) -> None:
    """Headers and bodies that arrive byte by byte do not extend the timeout."""
    async with serving(SHORT) as server:
        client = await server.connect(sent=before)
        dripping = asyncio.create_task(drip(client, dripped))
        assert await ended(client) == b""
        await dripping


async def test_answers_that_nobody_takes_are_dropped() -> None:
    """A client that does not read its response is disconnected."""
    async with serving(SHORT) as server:
        # Of what it does not read an asyncio client takes some kilobytes, and the system a few MB.
        client = await server.connect(sent=GET.replace(b"livez", b"large") * 32)
        await until(lambda: server.begun > 0)
        await asyncio.sleep(3 * SHORT.timeout)
        assert len(await ended(client)) < 32 * 2**20


async def test_a_request_may_take_its_time_once_it_is_here() -> None:
    """The timeout is suspended while a request is handled."""
    async with serving(SHORT) as server:
        client = await server.connect(sent=GET.replace(b"livez", b"slow"))
        await until(lambda: server.begun > 0)
        await asyncio.sleep(2 * SHORT.timeout)
        server.may.set()
        assert (await ended(client)).endswith(b"at last")


async def test_silent_connections_evict_oldest_for_those_that_ask(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The oldest silent connections are evicted for new ones, with one log line."""
    async with serving(LONG) as server:
        caplog.clear()
        asking = await server.connect(sent=GET.replace(b"livez", b"slow"))
        await until(lambda: server.begun > 0)
        silent = [await server.connect() for _ in range(20)]
        assert await server.status() == b"HTTP/1.1 200"
        for each in silent[:17]:
            assert await ended(each) == b""
        server.may.set()
        assert (await asking[0].readline()).startswith(b"HTTP/1.1 200")
        assert [record.getMessage() for record in caplog.records] == ["web_connections_full"]


async def test_one_address_has_no_more_than_its_share() -> None:
    """A full address evicts its own connections, never another's."""
    async with serving(LONG) as server:
        other = await server.connect("127.0.0.2")
        many = [await server.connect() for _ in range(20)]
        assert await ended(many[0]) == b""
        other[1].write(GET)
        assert (await other[0].readline()).startswith(b"HTTP/1.1 200")


async def test_connections_that_are_all_at_work_are_kept() -> None:
    """A new connection is refused if all others are being served."""
    async with serving(LONG) as server:
        slow = GET.replace(b"livez", b"slow")
        working = [await server.connect(sent=slow) for _ in range(LONG.per_address)]
        await until(lambda: server.begun == LONG.per_address)
        assert await server.status() == b""
        assert await server.status("127.0.0.2") == b"HTTP/1.1 200"
        server.may.set()
        for each in working:
            assert (await each[0].readline()).startswith(b"HTTP/1.1 200")


def test_half_of_the_files_are_for_others() -> None:
    """Connections take at most half of the files that the process may open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        found = {}
        for files in (128, 256, hard):
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
            found[files] = limits_here().connections
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert found == {128: 64, 256: 128, hard: 512}


@pytest.mark.parametrize("room", [1, 0])
async def test_where_no_file_is_left_one_line_says_so(
    room: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Accepting is retried after a pause, or at once if a silent connection was evicted."""
    taken: list[asyncio.Protocol] = []
    spare = [os.open(os.devnull, os.O_RDONLY) for _ in range(2)]
    tries = 0

    class Taken(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            taken.append(self)
            transport.close()

    def evict_oldest() -> bool:
        nonlocal tries
        tries += 1
        if room:
            os.close(spare.pop())
        return bool(room)

    listening, client = socket.create_server(("127.0.0.1", 0)), socket.socket()
    listener = Listener(listening, Taken, evict_oldest, pause=0.01)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (_files_open(), hard))
        listener.start()
        client.connect(listening.getsockname())
        await until(lambda: bool(taken) if room else tries > 9)
        assert [record.getMessage() for record in caplog.records] == ["web_accept_failed"]
        assert caplog.records[0].__dict__["reason"] == "Too many open files"
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        await until(lambda: bool(taken))
        assert (tries == 1) == room
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        await listener.stop()
        client.close()
        for each in spare:
            os.close(each)


def _files_open() -> int:
    """Return the limit at which this process can open no further file."""
    free = os.open(os.devnull, os.O_RDONLY)
    os.close(free)
    return free


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET /<script> HTTP/1.1\r\nHost: x\r\nno header\r\n\r\n",
        b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"a" * 9000 + b"\r\n\r\n",
        b"POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST /livez HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
        b"POST /livez HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc",
        b"POST /livez HTTP/1.1\r\nHost: x\r\nExpect: aaa\xff\r\nContent-Length: 2\r\n\r\nab",
    ],
    ids=["tls", "header", "line", "long", "length", "chunk", "chunk-end", "expect"],
)
async def test_what_is_no_http_is_refused_in_silence(
    sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """Invalid HTTP gets a 4xx response with all headers, without an echo or a log line."""
    async with serving(SHORT) as server:
        caplog.clear()
        came = await ended(await server.connect(sent=sent))
        assert came[8:10] == b" 4"
        assert b"X-Content-Type-Options: nosniff" in came
        for foreign in (b"script", b"aaa", b"aiohttp"):
            assert foreign not in came
        assert caplog.records == []


async def test_who_hangs_up_within_a_body_leaves_no_line(caplog: pytest.LogCaptureFixture) -> None:
    """A truncated request leaves no log line."""
    async with serving(SHORT) as server:
        caplog.clear()
        caplog.set_level(logging.INFO)
        expecting = GET.replace(b"Host", b"Expect: 100-continue\r\nHost")
        for sent in (POST + b"half", POST + b"whole body", GET * 9, expecting):
            _, writer = await server.connect(sent=sent)
            await writer.drain()
            writer.transport.abort()
        assert await server.status() == b"HTTP/1.1 200"
        await asyncio.sleep(0.05)
        assert caplog.records == []


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (GET, b"200"),
        (GET.replace(b"livez", b"nowhere"), b"404"),
        (GET.replace(b"GET /livez", b"PUT /large"), b"405"),
        (POST.replace(b"h: 9", b"h: 1048577") + bytes(1048577), b"413"),
        (GET.replace(b"livez", b"broken"), b"500"),
    ],
)
async def test_every_answer_is_protected(sent: bytes, status: bytes) -> None:
    """Every response has the security headers and names no version."""
    async with serving(SHORT) as server:
        came = await ended(await server.connect(sent=sent))
    head = came.partition(b"\r\n\r\n")[0].split(b"\r\n")
    assert head[0].split()[1] == status
    assert {
        b"Server: Broadsheet",
        b"X-Content-Type-Options: nosniff",
        b"Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
        b"Referrer-Policy: no-referrer",
    } <= set(head)
    assert b"secret" not in came


_BODY = bytes(range(256)) * (1 << 15)
_READERS = 20
_EACH = 400 * 1024  # bytes
_REQUEST = b"GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def _long(_request: web.Request) -> web.Response:
    return web.Response(body=_BODY, content_type="text/html")


async def test_who_does_not_read_holds_a_slice() -> None:
    """Twenty of them hold a part of a body each, not a copy; another one reads it whole."""
    async with served([web.get("/long", _long)]) as url:
        where = urlsplit(url)
        tracemalloc.start()
        clients = []
        for _ in range(_READERS):
            reader, writer = await asyncio.open_connection(where.hostname, where.port, limit=1024)
            writer.write(_REQUEST)
            clients.append((reader, writer))
        await asyncio.sleep(1)
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert held < _READERS * _EACH
        async with ClientSession(url) as session, session.get("/long") as answer:
            assert answer.headers["Content-Length"] == str(len(_BODY))
            assert await answer.read() == _BODY
        for _, writer in clients:
            writer.close()


async def test_who_does_not_read_is_left_after_a_while() -> None:
    """The connection ends once its time is over, long before all was sent."""
    limits = ConnectionLimits(timeout=0.5, connections=10, per_address=10)
    async with served([web.get("/long", _long)], limits=limits) as url:
        where = urlsplit(url)
        reader, writer = await asyncio.open_connection(where.hostname, where.port, limit=1024)
        writer.write(_REQUEST)
        await asyncio.sleep(2)
        read = 0
        with suppress(ConnectionError):
            while some := await reader.read(SLICE):
                read += len(some)
        assert read < len(_BODY)
        writer.close()


async def test_a_head_has_the_length_and_no_body() -> None:
    """What asks for the headers alone gets these."""
    async with (
        served([web.get("/long", _long)]) as url,
        ClientSession(url) as session,
        session.head("/long") as answer,
    ):
        assert (answer.status, answer.content_type) == (200, "text/html")
        assert answer.headers["Content-Length"] == str(len(_BODY))
        assert await answer.read() == b""
