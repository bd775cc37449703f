"""When a host is asked: a pause after each request, few at once, and never while it wants rest."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from math import ceil

from bot.errors import FetchLater

AT_ONCE = 8
AT_ONCE_PER_HOST = 2
PAUSE = 1.0  # seconds from the beginning of a request to the next one's, to one host


@dataclass(frozen=True, slots=True)
class Slow:
    """What hosts ask for that have terms of their own: a pause in seconds, and so many at once.

    Those with the same `name` keep them together.
    """

    name: str
    pause: float
    at_once: int


# One request in three seconds and one connection, over all of its interfaces and of whoever asks:
# https://info.arxiv.org/help/api/tou.html
_ARXIV = Slow("arxiv.org", 3.0, 1)
_SLOW = dict.fromkeys(("arxiv.org", "export.arxiv.org", "rss.arxiv.org", "www.arxiv.org"), _ARXIV)


@dataclass
class _Host:
    """What is known of a host; its moments are the pace's seconds."""

    turns: asyncio.Semaphore
    pause: float
    users: int = 0
    next_at: float = 0.0
    rests_until: float = 0.0


class Pace:
    """Gives out turns to ask hosts for something.

    Args:
        seconds: a clock that only goes forward.
        sleep: waits for so many seconds.
        pause: how many seconds a host has between two requests, if it has no terms of its own.
    """

    def __init__(
        self,
        seconds: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        pause: float = PAUSE,
    ) -> None:
        self._seconds = seconds
        self._sleep = sleep
        self._pause = pause
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def turn(self, name: str) -> AsyncIterator[None]:
        """Wait for a turn to ask a host, and have it until the end of the block.

        Raises:
            FetchLater: at once, where the host wants to be left alone.
        """
        self._forget()
        host = self._host(name)
        self._check(name, host)
        host.users += 1
        try:
            async with host.turns, self._turns:
                await self._wait(host)
                # While this one waited another may have been told.
                self._check(name, host)
                yield
        finally:
            host.users -= 1

    def rest(self, name: str, seconds: float) -> None:
        """Leave a host alone for so many seconds, as it asks."""
        host = self._host(name)
        host.rests_until = max(host.rests_until, self._seconds() + seconds)

    def _host(self, name: str) -> _Host:
        slow = _SLOW.get(name) or Slow(name, self._pause, AT_ONCE_PER_HOST)
        if slow.name not in self._hosts:
            self._hosts[slow.name] = _Host(asyncio.Semaphore(slow.at_once), slow.pause)
        return self._hosts[slow.name]

    async def _wait(self, host: _Host) -> None:
        now = self._seconds()
        at = max(now, host.next_at)
        host.next_at = at + host.pause
        if at > now:
            await self._sleep(at - now)

    def _check(self, name: str, host: _Host) -> None:
        left = host.rests_until - self._seconds()
        if left > 0:
            raise FetchLater(
                f"{name} wants to be left alone for another {ceil(left)} s.",
                "Try again after that.",
                host=name,
                after=left,
            )

    def _forget(self) -> None:
        """Forget the hosts of which nothing counts any more."""
        now = self._seconds()
        self._hosts = {
            name: host
            for name, host in self._hosts.items()
            if host.users or max(host.next_at, host.rests_until) > now
        }
