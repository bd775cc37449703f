"""Listening sockets, and the listener that accepts connections from them.

asyncio's own server is not used: if the process can open no more files, it tries to accept a
hundred times in a row, logs each failure, and schedules as many retries, which do the same
(`_accept_connection` in `asyncio/selector_events.py` of Python 3.11).
"""

import asyncio
import errno
import logging
import os
import socket
from collections.abc import Callable, Iterable
from typing import Any

from adapters.common.tasks import Tasks
from bot.operations.logs import RateLimitedLog

_BACKLOG = 1024
# https://man7.org/linux/man-pages/man2/accept.2.html
_OUT_OF_RESOURCES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
_log = logging.getLogger(__name__)


async def listen(host: str, port: int) -> list[socket.socket]:
    """Return sockets that listen on every address of a host.

    Raises:
        OSError: as `listen_on`.
        UnicodeError: if the host is no valid name.
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    return listen_on(dict.fromkeys((family, address) for family, *_, address in found))


def listen_on(addresses: Iterable[tuple[int, Any]]) -> list[socket.socket]:
    """Return sockets that listen on some addresses, each given with its family.

    Raises:
        OSError: if one can't listen, or the machine supports none of the families.
    """
    sockets: list[socket.socket] = []
    unsupported: OSError | None = None
    try:
        for family, address in addresses:
            try:
                sockets.append(socket.create_server(address, family=family, backlog=_BACKLOG))
            except OSError as error:
                # localhost has an IPv6 address even if the kernel does not support IPv6.
                if error.errno != errno.EAFNOSUPPORT:
                    raise
                unsupported = error
        if unsupported and not sockets:
            raise unsupported
    except OSError:
        for each in sockets:
            each.close()
        raise
    return sockets


class Listener:
    """A listener that accepts connections, one in each iteration of the event loop.

    Args:
        listening: the listening socket.
        protocol: creates the protocol of a connection.
        evict_oldest: closes another connection, and returns whether there was one to close.
        pause: seconds to the next attempt if a connection can't be accepted.
    """

    def __init__(
        self,
        listening: socket.socket,
        protocol: Callable[[], asyncio.Protocol],
        evict_oldest: Callable[[], bool],
        pause: float = 1.0,
    ) -> None:
        self._listening = listening
        self._protocol = protocol
        self._evict_oldest = evict_oldest
        self._pause = pause
        self._loop = asyncio.get_running_loop()
        self._retry: asyncio.TimerHandle | None = None
        self._tasks = Tasks()
        self._failures = RateLimitedLog(_log)

    def start(self) -> None:
        """Accept connections."""
        self._listening.settimeout(0)
        self._loop.add_reader(self._listening, self._accept)

    async def stop(self) -> None:
        """Close the socket."""
        if self._retry:
            self._retry.cancel()
        self._loop.remove_reader(self._listening)
        self._listening.close()
        await self._tasks.finish(1.0)

    def _accept(self) -> None:
        try:
            connection, _ = self._listening.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return
        except OSError as error:
            reason = os.strerror(error.errno or 0)
            self._failures.warning("web_accept_failed", reason=reason)
            # The file descriptor of an evicted connection is free in the next iteration.
            if error.errno not in _OUT_OF_RESOURCES or not self._evict_oldest():
                self._loop.remove_reader(self._listening)
                self._retry = self._loop.call_later(self._pause, self.start)
            return
        self._tasks.start(self._serve(connection), "web-connection")

    async def _serve(self, connection: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._protocol, connection)
        except OSError:
            # The client has disconnected already.
            connection.close()
