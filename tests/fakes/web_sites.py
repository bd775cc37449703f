"""Fake web sites on this machine, which answer as a test sets them up, even against HTTP.

They write to the socket themselves, because aiohttp's server sends no malformed response.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from ssl import SSLContext

from multidict import CIMultiDict


class Ending(Enum):
    """The end of a connection after a response."""

    CLOSE = auto()
    STALL = auto()


@dataclass(frozen=True, slots=True)
class Answer:
    """A response; `length` is a false Content-Length.

    It is sent once `gate` is set, and as a 304 if the request has its ETag or Last-Modified.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    length: int | None = None
    ending: Ending = Ending.CLOSE
    gate: asyncio.Event | None = None

    def encoded(self, request: "Request") -> bytes:
        """Return the bytes of the response."""
        shown = {("ETag", request.headers.get("If-None-Match"))}
        shown |= {("Last-Modified", request.headers.get("If-Modified-Since"))}
        if not shown.isdisjoint(self.headers.items()):
            return b"HTTP/1.1 304 Not Modified\r\n\r\n"
        headers = dict(self.headers)
        if "Transfer-Encoding" not in headers:
            length = len(self.body) if self.length is None else self.length
            headers["Content-Length"] = str(length)
        lines = [f"HTTP/1.1 {self.status} Said", *(f"{k}: {v}" for k, v in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode("utf-8", "surrogateescape") + self.body


# Faults in place of a response: the connection is dropped, or nothing is ever sent.
DROPPED = b""
SILENCE = None

AnswerOrFault = Answer | bytes | None


def redirect_to(to: str, status: int = 302) -> Answer:
    """Return a redirect."""
    return Answer(status=status, headers={"Location": to})


@dataclass(frozen=True, slots=True)
class Request:
    """A request that a site received."""

    method: str
    target: str
    headers: CIMultiDict[str]


@dataclass
class Site:
    """A site with the requests that it received, of which `most_open` at most were open at once."""

    requests: list[Request] = field(default_factory=list)
    port: int = 0
    most_open: int = 0
    scheme: str = "http"
    _answers: dict[str, list[AnswerOrFault]] = field(default_factory=dict)
    _open: int = 0
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    def put(self, path: str, *answers: AnswerOrFault) -> None:
        """Set the answers of a path, one for each request; the last one is repeated."""
        self._answers[path] = list(answers)

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        """Return the URL of a path, under any host name of this machine."""
        return f"{self.scheme}://{host}:{self.port}{path}"

    async def reached(self, count: int) -> None:
        """Wait for that many requests."""
        async with self._changed:
            await self._changed.wait_for(lambda: len(self.requests) >= count)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the one request of a connection."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        # A client may hang up at any moment, and the end of a test before that.
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await self._answer(_parsed(await reader.readuntil(b"\r\n\r\n")), writer)
        writer.close()
        self._tasks.discard(task)

    async def close(self) -> None:
        """Cancel the open connections."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> None:
        self._open += 1
        self.most_open = max(self.most_open, self._open)
        try:
            async with self._changed:
                self.requests.append(request)
                self._changed.notify_all()
            await self._respond(request, writer)
        finally:
            self._open -= 1

    async def _respond(self, request: Request, writer: asyncio.StreamWriter) -> None:
        answers = self._answers.get(request.target, [Answer(status=404)])
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(answer, Answer) and answer.gate:
            await answer.gate.wait()
        if answer is not None:
            writer.write(answer.encoded(request) if isinstance(answer, Answer) else answer)
            await writer.drain()
        if answer is None or (isinstance(answer, Answer) and answer.ending is Ending.STALL):
            await asyncio.Event().wait()


@asynccontextmanager
async def serve_site(secure: SSLContext | None = None) -> AsyncIterator[Site]:
    """Serve a site until the block ends."""
    site = Site(scheme="https" if secure else "http")
    server = await asyncio.start_server(site.serve, "127.0.0.1", 0, ssl=secure)
    site.port = server.sockets[0].getsockname()[1]
    try:
        yield site
    finally:
        server.close()
        await site.close()
        await server.wait_closed()


def _parsed(head: bytes) -> Request:
    first, *lines = head.decode().rstrip().split("\r\n")
    method, target, _ = first.split(" ")
    pairs = (line.split(": ", 1) for line in lines)
    return Request(method, target, CIMultiDict((name, value) for name, value in pairs))
