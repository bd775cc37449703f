"""Rate limits of outgoing requests: an interval per host, few at once, and cooldowns."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from math import ceil

from bot.errors import FetchLater

MAX_CONCURRENT = 8
MAX_CONCURRENT_PER_HOST = 2
MIN_INTERVAL = 1.0  # seconds between the starts of two requests to one host


@dataclass(frozen=True, slots=True)
class _Policy:
    """The limits of a host; hosts whose policies have the same `name` share them."""

    name: str
    interval: float
    concurrency: int


# One request in three seconds and one connection, for all of arXiv's interfaces together:
# https://info.arxiv.org/help/api/tou.html
_ARXIV = _Policy("arxiv.org", 3.0, 1)
_POLICIES = dict.fromkeys(
    ("arxiv.org", "export.arxiv.org", "rss.arxiv.org", "www.arxiv.org"), _ARXIV
)


@dataclass
class _Host:
    """The state of a host; its times are in seconds of the limiter's clock."""

    slots: asyncio.Semaphore
    interval: float
    users: int = 0
    next_at: float = 0.0
    cooldown_until: float = 0.0


class HostLimiter:
    """A rate limiter that gives out slots for requests to hosts.

    Args:
        seconds: a monotonic clock.
        sleep: waits for so many seconds.
        interval: seconds between two requests to a host without a policy of its own.
    """

    def __init__(
        self,
        seconds: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        interval: float = MIN_INTERVAL,
    ) -> None:
        self._seconds = seconds
        self._sleep = sleep
        self._interval = interval
        self._slots = asyncio.Semaphore(MAX_CONCURRENT)
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def slot(self, name: str) -> AsyncIterator[None]:
        """Wait for a slot for a request to a host, and hold it until the end of the block.

        Raises:
            FetchLater: at once, during the host's cooldown.
        """
        self._evict_idle()
        host = self._host(name)
        self._check(name, host)
        host.users += 1
        try:
            async with host.slots, self._slots:
                await self._wait(host)
                # Another request may have started a cooldown meanwhile.
                self._check(name, host)
                yield
        finally:
            host.users -= 1

    def cool_down(self, name: str, seconds: float) -> None:
        """Refuse slots for a host for so many seconds."""
        host = self._host(name)
        host.cooldown_until = max(host.cooldown_until, self._seconds() + seconds)

    def _host(self, name: str) -> _Host:
        policy = _POLICIES.get(name) or _Policy(name, self._interval, MAX_CONCURRENT_PER_HOST)
        if policy.name not in self._hosts:
            self._hosts[policy.name] = _Host(asyncio.Semaphore(policy.concurrency), policy.interval)
        return self._hosts[policy.name]

    async def _wait(self, host: _Host) -> None:
        now = self._seconds()
        at = max(now, host.next_at)
        host.next_at = at + host.interval
        if at > now:
            await self._sleep(at - now)

    def _check(self, name: str, host: _Host) -> None:
        left = host.cooldown_until - self._seconds()
        if left > 0:
            raise FetchLater(
                f"{name} wants to be left alone for another {ceil(left)} s.",
                "Try again after that.",
                host=name,
                after=left,
            )

    def _evict_idle(self) -> None:
        """Drop the hosts without a request, an interval or a cooldown that still counts."""
        now = self._seconds()
        self._hosts = {
            name: host
            for name, host in self._hosts.items()
            if host.users or max(host.next_at, host.cooldown_until) > now
        }
