"""The way between a worker and a server: what is cut is cut, what is frozen waits."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.chaos.faults.partition import Target, Way
from tests.fakes.slack import FakeSlack
from tests.fakes.tests.slack_sdk_client import client, socket

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Heard:
    """A server that answers each line with it, and keeps what it heard."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.left = asyncio.Event()
        self.serving: list[asyncio.Task[Any] | None] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer until the other side ends it."""
        self.serving.append(asyncio.current_task())
        try:
            while line := await reader.readline():
                self.lines.append(line)
                writer.write(line)
        except ConnectionError:
            pass
        finally:
            self.left.set()
            writer.close()


@asynccontextmanager
async def reached() -> AsyncIterator[tuple[Heard, Way]]:
    """Give a server and the way to it."""
    heard = Heard()
    server = await asyncio.start_server(heard.serve, "127.0.0.1", 0)
    async with server, Way(Target(server.sockets[0].getsockname()[1])) as way:
        yield heard, way
    await asyncio.gather(*filter(None, heard.serving))


@asynccontextmanager
async def connected(way: Way) -> AsyncIterator[Streams]:
    """Give a connection through a way."""
    reader, writer = await asyncio.open_connection("127.0.0.1", way.port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def said(streams: Streams, line: bytes) -> bytes:
    """Say a line and return what came back."""
    streams[1].write(line)
    async with asyncio.timeout(10):
        return await streams[0].readline()


async def is_over(streams: Streams) -> bool:
    """Tell whether a connection ended; some systems tell a reset as an end."""
    try:
        return not await said(streams, b"lost\n")
    except ConnectionError:
        return True


async def is_silent(streams: Streams, seconds: float = 0.1) -> bool:
    """Tell whether nothing comes back for a moment."""
    try:
        await asyncio.wait_for(streams[0].readexactly(1), seconds)
    except TimeoutError:
        return True
    return False


async def test_an_open_way_passes_everything() -> None:
    """Bytes go both ways, and a connection that one side ends is ended for the other."""
    async with reached() as (heard, way):
        async with connected(way) as streams:
            assert await said(streams, b"one\n") == b"one\n"
        async with asyncio.timeout(10):
            await heard.left.wait()
    assert heard.lines == [b"one\n"]


async def test_a_way_that_is_cut_is_cut() -> None:
    """Each connection is reset, and each that is tried, until the way is healed."""
    async with reached() as (heard, way):
        async with connected(way) as before:
            assert await said(before, b"one\n") == b"one\n"
            way.cut()
            assert await is_over(before)
        async with connected(way) as meanwhile:
            assert await is_over(meanwhile)
        way.heal()
        async with connected(way) as after:
            assert await said(after, b"two\n") == b"two\n"
    assert heard.lines == [b"one\n", b"two\n"]


async def test_a_way_that_is_frozen_passes_later() -> None:
    """Nothing passes and nothing is closed; what waited passes in order once it is healed."""
    async with reached() as (heard, way), connected(way) as old:
        assert await said(old, b"one\n") == b"one\n"
        way.freeze()
        async with connected(way) as new:
            old[1].writelines((b"two\n", b"three\n"))
            new[1].write(b"four\n")
            assert await is_silent(old)
            assert await is_silent(new)
            assert heard.lines == [b"one\n"]
            way.heal()
            async with asyncio.timeout(10):
                assert [await old[0].readline() for _ in range(2)] == [b"two\n", b"three\n"]
                assert await new[0].readline() == b"four\n"


async def test_what_nobody_waits_for_any_more_is_lost() -> None:
    """Who gave up while nothing passed has nothing delivered when it does again."""
    async with reached() as (heard, way):
        async with connected(way) as streams:
            assert await said(streams, b"one\n") == b"one\n"
            way.freeze()
            streams[1].write(b"two\n")
            assert await is_silent(streams)
        async with asyncio.timeout(10):
            while not way.broken:  # noqa: ASYNC110 - the end comes through the system
                await asyncio.sleep(0.01)
        way.heal()
        async with asyncio.timeout(10):
            await heard.left.wait()
    assert heard.lines == [b"one\n"]


async def test_a_server_that_is_away_resets() -> None:
    """Where nobody listens behind the way its client is told so."""
    async with reached() as (_, way):
        gone = Target(way.port)
    async with Way(gone) as nowhere, connected(nowhere) as streams:
        assert await is_over(streams)


async def test_sockets_of_slack_take_the_way_of_who_asked() -> None:
    """The address that the fake gives for its socket leads through the same way."""
    async with FakeSlack() as slack, Way(Target(int(slack.url.rpartition(":")[2]))) as way:
        there = client(slack)
        there.base_url = f"http://{way.host}/api/"
        opened = await there.apps_connections_open(app_token=slack.app_token)
        assert opened["url"].startswith(f"ws://{way.host}/link/")
        async with socket(slack):
            assert [each.host for each in slack.sockets.open.values()] != [way.host]
