"""Serve fake platforms: an app connects and receives commands.

They validate nothing and answer as little as an app needs, because the app is measured.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from time import perf_counter

from aiohttp import web

_CONNECT_SECONDS = 60.0
_ANSWER_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a command, and the ms from the command to the answer."""

    milliseconds: float
    text: str


class FakePlatform(ABC):
    """A platform with one channel and one user, who sends commands."""

    def __init__(self) -> None:
        self.address = ""
        self._socket: web.WebSocketResponse | None = None
        self._connected = asyncio.Event()
        self._waiting: dict[str, asyncio.Future[tuple[float, str]]] = {}
        self._numbers = count(1)

    @property
    @abstractmethod
    def api_url(self) -> str:
        """The base of its Web API."""

    @abstractmethod
    def routes(self) -> Iterable[web.RouteDef]:
        """Return the routes of its API."""

    @abstractmethod
    def event(self, number: int, command: str) -> tuple[str, str]:
        """Return the identifier of the command with this number, and the message that sends it."""

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Listen on a free port."""
        app = web.Application()
        app.add_routes(self.routes())
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            host, port = runner.addresses[0][:2]
            self.address = f"{host}:{port}"
            yield
        finally:
            await runner.cleanup()

    async def connected(self) -> None:
        """Wait until the app is connected.

        Raises:
            TimeoutError: if it does not connect.
        """
        async with asyncio.timeout(_CONNECT_SECONDS):
            await self._connected.wait()

    async def send(self, command: str = "latest") -> Answer:
        """Send `/papers` with this command and wait for its answer.

        Raises:
            TimeoutError: if none comes.
        """
        if self._socket is None:
            raise RuntimeError("no app is connected")
        name, event = self.event(next(self._numbers), command)
        waiting = self._waiting[name] = asyncio.get_running_loop().create_future()
        sent = perf_counter()
        await self._socket.send_str(event)
        async with asyncio.timeout(_ANSWER_SECONDS):
            came, text = await waiting
        return Answer(1000 * (came - sent), text)

    def hold(self, socket: web.WebSocketResponse) -> None:
        """Keep the connection of an app, to which commands are sent."""
        self._socket = socket
        self._connected.set()

    def answered(self, name: str, came: float, text: str) -> None:
        """Pass an answer to the caller that waits for it."""
        self._waiting.pop(name).set_result((came, text))
