"""The rate limits of Discord, kept by all processes together.

A bot may make 50 requests a second, not counting those to interactions. Each one refused for it
counts among the 10,000 invalid requests in ten minutes after which Discord bans an address.
https://docs.discord.com/developers/topics/rate-limits
"""

import asyncio
import logging
import math
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping

import aiohttp
from discord.http import HTTPClient

from adapters.common.response_headers import retry_after
from bot.coordination.rate_limiter import RateLimit, RateLimiter
from bot.errors import RetryLater
from store.errors import StoreError

# https://docs.discord.com/developers/topics/rate-limits#global-rate-limit
GLOBAL_LIMIT = 50
# The share of it that is used: requests that leave on time arrive a little sooner or later.
_USED_SHARE = 0.96
# No process lets more than this many leave within as many slots, whatever delayed them; and
# delayed requests follow each other at most a quarter faster.
_MAX_BURST = GLOBAL_LIMIT - 1
_MIN_SPACING = 0.8
# Discord reports the limit of a channel in headers only; it is mostly five in five seconds. They
# are spread: sent in a burst, the library would hold the fifth back until the five seconds end.
# https://github.com/discord/discord-api-docs/issues/20
_CHANNEL_SECONDS = 1.04
# The share of the limit that a process uses without the store, which it asks again after this
# many seconds.
_OFFLINE_SHARE = 0.25
_OFFLINE_SECONDS = 5.0
_EXEMPT_PATHS = ("/interactions/", "/webhooks/")
_MESSAGES_PATH = re.compile(r"/channels/(\d+)/messages")
# For a 429 without Retry-After.
_DEFAULT_RETRY_SECONDS = 1.0
# The library forgets a bucket that was not used for 300 s.
_PRUNE_SECONDS = 60.0
_log = logging.getLogger(__name__)


class RateLimitFullError(aiohttp.ClientError):
    """A request was not sent, because too many wait before it; retry `after` these seconds.

    It is an HTTP client's error, which callers of the library expect.
    """

    def __init__(self, after: float | None) -> None:
        self.after = after
        super().__init__("too many requests are to leave before it")


def global_limit(speed: float = 1.0) -> RateLimit:
    """Return the rate limit of the bot."""
    return RateLimit("discord:global", 1 / (GLOBAL_LIMIT * _USED_SHARE * speed))


def channel_limit(channel: str, speed: float = 1.0) -> RateLimit:
    """Return the rate limit of messages to a channel."""
    return RateLimit(f"discord:{channel}", _CHANNEL_SECONDS / speed)


class GlobalRateLimit:
    """Delays each request until the bot's rate limit allows it.

    Args:
        limiter: the rate limiter of all processes on one store.
        speed: a factor on Discord's published limits, for trials.
        seconds: a monotonic clock.
        sleep: waits.
    """

    def __init__(
        self,
        limiter: RateLimiter,
        speed: float = 1.0,
        *,
        seconds: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._limiter = limiter
        self._limit = global_limit(speed)
        self._speed = speed
        self._seconds = seconds
        self._sleep = sleep
        self._recent: deque[float] = deque(maxlen=_MAX_BURST)
        self._next_offline = 0.0
        self._offline_until: float | None = None

    async def acquire(self, path: str) -> None:
        """Wait until a request to a path may be sent.

        Raises:
            RateLimitFullError: if that is too far away.
        """
        if any(each in path for each in _EXEMPT_PATHS):
            return
        delay = await self._delay()
        if delay > 0:
            await self._sleep(delay)

    async def on_refused(self, method: str, path: str, headers: Mapping[str, str]) -> None:
        """Slow down the rate limits of a request that Discord answered with 429.

        Other limits, such as that of crossposts, the library keeps for this process.
        """
        if limits := self._limits_of(method, path, headers):
            after = retry_after(headers) or _DEFAULT_RETRY_SECONDS
            names = ", ".join(limit.key for limit in limits)
            _log.warning("discord_limited", extra={"lane": names, "after": after})
            try:
                await self._limiter.slow_down(limits, after)
            except StoreError as error:
                _log.warning("discord_not_slowed", extra={"reason": error.sentence})

    async def _delay(self) -> float:
        """Acquire a slot and return after how many seconds the request may be sent."""
        if self._offline_until is not None and self._seconds() < self._offline_until:
            return self._offline_delay()
        try:
            await self._limiter.acquire([self._limit])
        except RetryLater as error:
            raise RateLimitFullError(error.after) from error
        except StoreError as error:
            if self._offline_until is None:
                _log.warning("discord_rate_limits_alone", extra={"reason": error.sentence})
            self._offline_until = self._seconds() + _OFFLINE_SECONDS
            return self._offline_delay()
        self._offline_until = None
        return self._spacing_delay()

    def _spacing_delay(self) -> float:
        """Return the delay that keeps every second within the limit.

        Requests that waited for a busy event loop would be sent all at once.
        """
        now = slot = self._seconds()
        if self._recent:
            slot = max(now, self._recent[-1] + _MIN_SPACING * self._limit.every)
        if len(self._recent) == _MAX_BURST:
            slot = max(slot, self._recent[0] + _MAX_BURST * self._limit.every)
        self._recent.append(slot)
        return slot - now

    def _offline_delay(self) -> float:
        now = self._seconds()
        slot = max(self._next_offline, now)
        self._next_offline = slot + self._limit.every / _OFFLINE_SHARE
        return slot - now

    def _limits_of(self, method: str, path: str, headers: Mapping[str, str]) -> list[RateLimit]:
        """Return the rate limits that a refused request counted towards."""
        if any(each in path for each in _EXEMPT_PATHS):
            return []
        # Without Via the request did not reach Discord: a proxy before it blocks the address.
        scope = headers.get("X-RateLimit-Scope", "")
        if scope == "global" or "X-RateLimit-Global" in headers or "Via" not in headers:
            return [self._limit]
        is_message = method == "POST" and path.endswith("/messages")
        found = _MESSAGES_PATH.search(path) if is_message else None
        return [channel_limit(found[1], self._speed)] if found else []


def prune_buckets_seldom(http: HTTPClient, seconds: Callable[[], float] = time.monotonic) -> None:
    """Make a client prune its rate limit buckets once a minute at most.

    Each channel has one, and discord.py 2.7 looks through all of them for each new one: with
    5,000 that took half of the time of a request.
    https://github.com/Rapptz/discord.py/blob/v2.7.1/discord/http.py
    """
    prune, last = http._try_clear_expired_ratelimits, -math.inf  # noqa: SLF001 - nothing public says how often

    def prune_seldom() -> None:
        nonlocal last
        if seconds() - last >= _PRUNE_SECONDS:
            last = seconds()
            prune()

    http._try_clear_expired_ratelimits = prune_seldom  # type: ignore[method-assign] # noqa: SLF001 - the same
