"""Web sites on this machine that answer what a test tells them, be it never so wrong.

They write to the socket by themselves: a server of aiohttp's would not break its own word.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from ssl import SSLContext

from multidict import CIMultiDict


class Ending(Enum):
    """What a site does after what it wrote."""

    CLOSE = auto()
    STALL = auto()


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer; `length` is what it says of its body where that is not so.

    It is written once `gate` is open. One whose ETag or Last-Modified is shown comes as a 304.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    length: int | None = None
    ending: Ending = Ending.CLOSE
    gate: asyncio.Event | None = None

    def written(self, asked: "Asked") -> bytes:
        """Return what goes over the wire."""
        shown = {("ETag", asked.headers.get("If-None-Match"))}
        shown |= {("Last-Modified", asked.headers.get("If-Modified-Since"))}
        if not shown.isdisjoint(self.headers.items()):
            return b"HTTP/1.1 304 Not Modified\r\n\r\n"
        headers = dict(self.headers)
        if "Transfer-Encoding" not in headers:
            length = len(self.body) if self.length is None else self.length
            headers["Content-Length"] = str(length)
        lines = [f"HTTP/1.1 {self.status} Said", *(f"{k}: {v}" for k, v in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode("utf-8", "surrogateescape") + self.body


# Instead of an answer: the connection is dropped, or nothing is ever said.
DROPPED = b""
SILENCE = None

Said = Answer | bytes | None


def sent_on(to: str, status: int = 302) -> Answer:
    """Return a redirect."""
    return Answer(status=status, headers={"Location": to})


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, as it came."""

    method: str
    target: str
    headers: CIMultiDict[str]


@dataclass
class Site:
    """A site, and what it was asked for; `at_once` is how many requests it had at once at most."""

    asked: list[Asked] = field(default_factory=list)
    port: int = 0
    at_once: int = 0
    scheme: str = "http"
    _answers: dict[str, list[Said]] = field(default_factory=dict)
    _open: int = 0
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    def put(self, path: str, *answers: Said) -> None:
        """Answer so where a path is asked for, one after the other; the last one stays."""
        self._answers[path] = list(answers)

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        """Return the address of a path, under a name that leads here."""
        return f"{self.scheme}://{host}:{self.port}{path}"

    async def reached(self, count: int) -> None:
        """Wait until so many requests came."""
        async with self._changed:
            await self._changed.wait_for(lambda: len(self.asked) >= count)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection's one request."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        # A client may hang up at any moment, and the end of a test before that.
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await self._answer(_asked(await reader.readuntil(b"\r\n\r\n")), writer)
        writer.close()
        self._tasks.discard(task)

    async def hang_up(self) -> None:
        """End what is still going on."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _answer(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        self._open += 1
        self.at_once = max(self.at_once, self._open)
        try:
            async with self._changed:
                self.asked.append(asked)
                self._changed.notify_all()
            await self._say(asked, writer)
        finally:
            self._open -= 1

    async def _say(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        answers = self._answers.get(asked.target, [Answer(status=404)])
        said = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(said, Answer) and said.gate:
            await said.gate.wait()
        if said is not None:
            writer.write(said.written(asked) if isinstance(said, Answer) else said)
            await writer.drain()
        if said is None or (isinstance(said, Answer) and said.ending is Ending.STALL):
            await asyncio.Event().wait()


@asynccontextmanager
async def a_site(secure: SSLContext | None = None) -> AsyncIterator[Site]:
    """Serve a site for as long as it is wanted."""
    site = Site(scheme="https" if secure else "http")
    server = await asyncio.start_server(site.serve, "127.0.0.1", 0, ssl=secure)
    site.port = server.sockets[0].getsockname()[1]
    try:
        yield site
    finally:
        server.close()
        await site.hang_up()
        await server.wait_closed()


def _asked(head: bytes) -> Asked:
    first, *lines = head.decode().rstrip().split("\r\n")
    method, target, _ = first.split(" ")
    pairs = (line.split(": ", 1) for line in lines)
    return Asked(method, target, CIMultiDict((name, value) for name, value in pairs))
