"""Requests spaced out, so that all processes together keep Discord's limit for a bot.

It is 50 a second, over all of the bot's requests but those to interactions. Each that is refused
for it counts among the 10,000 in ten minutes after which Discord hears nothing more from an
address. https://docs.discord.com/developers/topics/rate-limits
"""

import asyncio
import logging
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol

import aiohttp

from bot.coordination.rate_limiter import RateLimit
from bot.errors import RetryLater
from store.errors import StoreError

# https://docs.discord.com/developers/topics/rate-limits#global-rate-limit
MOST = 50
# So much of it is used: requests that leave at their time arrive a little sooner or later.
_USED = 0.96
# No process lets more than so many leave within as many slots, whatever held them up before; and
# what was held up follows at most a quarter faster.
_TOGETHER = MOST - 1
_CLOSEST = 0.8
# Discord tells the limit of a channel by headers only, and most see five in five seconds. They are
# spread: at once, the library holds the fifth back until its five seconds are over.
# https://github.com/discord/discord-api-docs/issues/20
_BETWEEN = 1.04
# In a process that can't ask what the others send; for so many seconds it doesn't ask again.
_ALONE = 0.25
_ALONE_SECONDS = 5.0
_FREE = ("/interactions/", "/webhooks/")
_MESSAGES = re.compile(r"/channels/(\d+)/messages")
# Where an answer tells no time.
_REST_SECONDS = 1.0
_log = logging.getLogger(__name__)


class Lanes(Protocol):
    """Gives slots over all processes, as `bot.coordination.rate_limiter.RateLimiter` does."""

    async def acquire(self, lanes: Sequence[RateLimit]) -> None:
        """Wait until a request may leave that counts in all of these lanes.

        Raises:
            RetryLater: where that is too far away.
            StoreError: where nobody can tell.
        """

    async def slow_down(self, lanes: Sequence[RateLimit], seconds: float) -> None:
        """Use lanes less: a request was refused, for so many seconds.

        Raises:
            StoreError: where that can't be noted.
        """


class CrowdedError(aiohttp.ClientError):
    """A request did not leave, for too many others do; `after` is when to come again, in seconds.

    It is an error of the HTTP client's, since that is what callers of the library expect.
    """

    def __init__(self, after: float | None) -> None:
        self.after = after
        super().__init__("too many requests are to leave before it")


def global_lane(speed: float = 1.0) -> RateLimit:
    """Return the limit for a bot."""
    return RateLimit("discord:global", 1 / (MOST * _USED * speed))


def channel_lane(channel: str, speed: float = 1.0) -> RateLimit:
    """Return the limit for messages to a channel."""
    return RateLimit(f"discord:{channel}", _BETWEEN / speed)


class Turns:
    """Gives each request its turn.

    Args:
        lanes: what all processes on one store keep together.
        speed: how many times as fast as its published limits Discord is taken to be, for trials.
        seconds: a clock that only goes forward.
        sleep: waits.
    """

    def __init__(
        self,
        lanes: Lanes,
        speed: float = 1.0,
        *,
        seconds: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._lanes = lanes
        self._lane = global_lane(speed)
        self._speed = speed
        self._seconds = seconds
        self._sleep = sleep
        self._left: deque[float] = deque(maxlen=_TOGETHER)
        self._next = 0.0
        self._alone_until: float | None = None

    async def wait(self, path: str) -> None:
        """Wait until a request to a path may leave.

        Raises:
            CrowdedError: where that is too far away.
        """
        if any(each in path for each in _FREE):
            return
        wait = await self._granted()
        if wait > 0:
            await self._sleep(wait)

    async def limited(self, method: str, path: str, headers: Mapping[str, str]) -> None:
        """Slow down what a request counted in that Discord refused with 429, by its headers.

        Other limits, such as that of publishing, the library keeps for this process.
        """
        if lanes := self._limits(method, path, headers):
            after = seconds_in(headers.get("Retry-After")) or _REST_SECONDS
            names = ", ".join(lane.key for lane in lanes)
            _log.warning("discord_limited", extra={"lane": names, "after": after})
            try:
                await self._lanes.slow_down(lanes, after)
            except StoreError as error:
                _log.warning("discord_not_slowed", extra={"reason": error.sentence})

    async def _granted(self) -> float:
        """Return after how many seconds a request may leave, once it has its turn."""
        if self._alone_until is not None and self._seconds() < self._alone_until:
            return self._alone()
        try:
            await self._lanes.acquire([self._lane])
        except RetryLater as error:
            raise CrowdedError(error.after) from error
        except StoreError as error:
            if self._alone_until is None:
                _log.warning("discord_turns_alone", extra={"reason": error.sentence})
            self._alone_until = self._seconds() + _ALONE_SECONDS
            return self._alone()
        self._alone_until = None
        return self._apart()

    def _apart(self) -> float:
        """Return how long to wait so that no second has more requests than a bot may make.

        Those that were held up, while this process did something else, would leave at once.
        """
        now = turn = self._seconds()
        if self._left:
            turn = max(now, self._left[-1] + _CLOSEST * self._lane.every)
        if len(self._left) == _TOGETHER:
            turn = max(turn, self._left[0] + _TOGETHER * self._lane.every)
        self._left.append(turn)
        return turn - now

    def _alone(self) -> float:
        now = self._seconds()
        turn = max(self._next, now)
        self._next = turn + self._lane.every / _ALONE
        return turn - now

    def _limits(self, method: str, path: str, headers: Mapping[str, str]) -> list[RateLimit]:
        """Return the lanes that a refused request counted in."""
        if any(each in path for each in _FREE):
            return []
        # Without Via nothing came through to Discord: what stands before it shuts the address out.
        told = headers.get("X-RateLimit-Scope", "")
        if told == "global" or "X-RateLimit-Global" in headers or "Via" not in headers:
            return [self._lane]
        found = _MESSAGES.search(path) if method == "POST" and path.endswith("/messages") else None
        return [channel_lane(found[1], self._speed)] if found else []


def seconds_in(text: str | None) -> float | None:
    """Return the seconds that a header names: digits, and in some answers a fraction."""
    whole, _, rest = (text or "").partition(".")
    return float(f"{whole}.{rest or 0}") if (whole + rest).isdecimal() and whole else None
