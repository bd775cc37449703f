"""The way from a worker to a server, which can be cut, frozen and healed while it is used."""

import asyncio
import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Self, cast

# Closing sends a reset, and nothing that still waits:
# https://man7.org/linux/man-pages/man7/socket.7.html
_NO_LINGER = struct.pack("ii", 1, 0)


@dataclass(frozen=True, slots=True)
class Target:
    """Where a server listens: a port of this machine, or the path of a socket."""

    port: int = 0
    path: str = ""


class State(Enum):
    """How the way is: `CUT` resets whoever tries, `FROZEN` passes nothing and closes nothing."""

    OPEN = "open"
    CUT = "cut"
    FROZEN = "frozen"


class Way:
    """One way to one server, on a port of its own for as long as the block lasts.

    Args:
        target: where it leads.
    """

    def __init__(self, target: Target) -> None:
        self.port = 0
        self.state = State.OPEN
        self._target = target
        self._lines: set[_Line] = set()
        self._connecting: set[asyncio.Task[None]] = set()

    @property
    def host(self) -> str:
        """What the server is called by those who use this way."""
        return f"127.0.0.1:{self.port}"

    @property
    def broken(self) -> int:
        """How many connections have an end that went away."""
        return sum(line.broken for line in self._lines)

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Line(self).client, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, _: type[BaseException] | None, __: object, ___: TracebackType | None
    ) -> None:
        self._server.close()
        self.cut()
        for task in self._connecting:
            task.cancel()
        await asyncio.gather(*self._connecting, return_exceptions=True)

    def cut(self) -> None:
        """Reset every connection, and each that is tried."""
        self.state = State.CUT
        for line in list(self._lines):
            line.reset()

    def freeze(self) -> None:
        """Let no byte pass either way from now on."""
        self.state = State.FROZEN

    def heal(self) -> None:
        """Let everything pass, what waited first.

        What somebody sent who has gone away since is lost: platforms take nothing that comes later
        than a bot may wait for its answer, and neither does this.
        """
        self.state = State.OPEN
        for line in list(self._lines):
            line.go_on()

    def began(self, line: "_Line") -> None:
        """Take a connection of a client's."""
        self._lines.add(line)
        if self.state is State.CUT:
            line.reset()
        elif self.state is State.OPEN:
            self.connect(line)

    def ended(self, line: "_Line") -> None:
        """Forget a connection that is over at both ends."""
        self._lines.discard(line)

    def connect(self, line: "_Line") -> None:
        """Connect a client's connection to the server."""
        task = asyncio.create_task(self._connect(line))
        self._connecting.add(task)
        task.add_done_callback(self._connecting.discard)

    async def _connect(self, line: "_Line") -> None:
        loop = asyncio.get_running_loop()
        try:
            if self._target.path:
                await loop.create_unix_connection(lambda: line.server, self._target.path)
            else:
                await loop.create_connection(lambda: line.server, "127.0.0.1", self._target.port)
        except OSError:
            line.reset()


class _End(asyncio.Protocol):
    """One of the two connections of a line; `held` waits to be written to it."""

    def __init__(self, line: "_Line") -> None:
        self.transport: asyncio.Transport | None = None
        self.held: list[bytes] = []
        self._line = line

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self._line.made(self)

    def data_received(self, data: bytes) -> None:
        self._line.other(self).take(data)

    def connection_lost(self, error: Exception | None) -> None:
        self.transport = None
        self._line.lost(self, error)

    def take(self, data: bytes) -> None:
        """Write what came from the other end, once it may pass."""
        self.held.append(data)
        self._line.flush()

    def reset(self) -> None:
        """End it, with a reset and whatever waits unsent."""
        if self.transport:
            opened: socket.socket = self.transport.get_extra_info("socket")
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
            self.transport.abort()


class _Line:
    """A connection of a client's and the one that it has to the server through a way."""

    def __init__(self, way: Way) -> None:
        self.client, self.server = _End(self), _End(self)
        self._way = way
        self.broken = False

    def other(self, end: _End) -> _End:
        """Return the end that an end's bytes go to."""
        return self.server if end is self.client else self.client

    def made(self, end: _End) -> None:
        """Go on when an end is connected."""
        if end is self.client:
            self._way.began(self)
        elif self.broken or self._way.state is State.CUT:
            self.reset()
        else:
            self.flush()

    def lost(self, end: _End, error: Exception | None) -> None:
        """End the other connection too; where nothing passes that isn't noticed yet."""
        self.broken = True
        if not any(self._open()):
            self._way.ended(self)
        elif self._way.state is not State.FROZEN:
            rest = self.other(end)
            if error is None and rest.transport and not rest.held:
                rest.transport.close()
            else:
                self.reset()

    def flush(self) -> None:
        """Write what waits, as far as it may pass."""
        if self._way.state is not State.OPEN:
            return
        for end in self._open():
            for data in end.held:
                cast("asyncio.Transport", end.transport).write(data)
            end.held.clear()

    def go_on(self) -> None:
        """Pass what was kept back; where an end went away meanwhile, it is all over."""
        if self.broken:
            self.reset()
        elif self.server.transport is None:
            self._way.connect(self)
        else:
            self.flush()

    def reset(self) -> None:
        """End both connections at once."""
        self.broken = True
        if not any(self._open()):
            self._way.ended(self)
        for end in list(self._open()):
            end.reset()

    def _open(self) -> Iterator[_End]:
        return (end for end in (self.client, self.server) if end.transport)
