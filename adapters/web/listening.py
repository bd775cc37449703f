"""Listening: the sockets of an address, and taking connections from them.

asyncio's own server tries a hundred times in one turn to take a connection where the process has no
file left, writes a line each time, and begins as many timers that do the same a second later (in
Python 3.11, `_accept_connection` in `asyncio/selector_events.py`).
"""

import asyncio
import errno
import logging
import os
import socket
from collections.abc import Callable

from adapters.tasks import Tasks
from bot.rare_lines import RareLines

_BACKLOG = 1024
# https://man7.org/linux/man-pages/man2/accept.2.html
_NOTHING_LEFT = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
_log = logging.getLogger(__name__)


async def bound(host: str, port: int) -> list[socket.socket]:
    """Return sockets that listen on all addresses of a host.

    Raises:
        OSError: where one can't listen.
        UnicodeError: where the host is no name.
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    sockets: list[socket.socket] = []
    try:
        for family, address in dict.fromkeys((family, address) for family, *_, address in found):
            sockets.append(socket.create_server(address, family=family, backlog=_BACKLOG))
    except OSError:
        for each in sockets:
            each.close()
        raise
    return sockets


class Listener:
    """Takes the connections of a socket, one in each turn of the event loop.

    Args:
        listening: the socket.
        protocol: makes what a connection is handed to.
        make_room: ends another connection, and returns whether there was one.
        pause: seconds until it tries again where a connection can't be taken.
    """

    def __init__(
        self,
        listening: socket.socket,
        protocol: Callable[[], asyncio.Protocol],
        make_room: Callable[[], bool],
        pause: float = 1.0,
    ) -> None:
        self._listening = listening
        self._protocol = protocol
        self._make_room = make_room
        self._pause = pause
        self._loop = asyncio.get_running_loop()
        self._again: asyncio.TimerHandle | None = None
        self._beginning = Tasks()
        self._failing = RareLines(_log)

    def start(self) -> None:
        """Take what comes."""
        self._listening.settimeout(0)
        self._loop.add_reader(self._listening, self._take)

    async def stop(self) -> None:
        """Take nothing any more."""
        if self._again:
            self._again.cancel()
        self._loop.remove_reader(self._listening)
        self._listening.close()
        await self._beginning.finish(1.0)

    def _take(self) -> None:
        try:
            taken, _ = self._listening.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return
        except OSError as error:
            reason = os.strerror(error.errno or 0)
            self._failing.warning("web_connection_not_taken", reason=reason)
            # A file that is given back is there in the next turn.
            if error.errno not in _NOTHING_LEFT or not self._make_room():
                self._loop.remove_reader(self._listening)
                self._again = self._loop.call_later(self._pause, self.start)
            return
        self._beginning.start(self._hand_over(taken), "web-connection")

    async def _hand_over(self, taken: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._protocol, taken)
        except OSError:
            # Its client has gone already.
            taken.close()
