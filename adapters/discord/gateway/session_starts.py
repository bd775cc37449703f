"""Sessions begun one after another, over all processes, as Discord asks.

https://docs.discord.com/developers/events/gateway#sharding-max-concurrency
"""

import asyncio
from collections.abc import Awaitable, Callable

from bot.coordination.rate_limiter import RateLimit, RateLimiter
from bot.errors import RetryLater
from store.errors import StoreError

# Discord says five; those that leave at their time arrive a little sooner or later.
_EVERY = 5.2


class Identifying:
    """Gives each shard its turn to identify itself.

    Args:
        lanes: what all processes on one store keep together.
        speed: how many times as fast as its published limits Discord is taken to be, for trials.
        sleep: waits.
    """

    def __init__(
        self,
        lanes: RateLimiter,
        speed: float = 1.0,
        *,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._lanes = lanes
        self._every = _EVERY / speed
        self._sleep = sleep

    async def turn(self, shard: int, at_once: int) -> None:
        """Wait until a shard may, where Discord takes so many at once.

        Without the store nobody knows of the others, so that it waits as the library would.
        """
        lane = RateLimit(f"discord:identify:{shard % at_once}", self._every)
        while True:
            try:
                await self._lanes.acquire([lane])
            except RetryLater as error:
                await self._sleep(error.after or self._every)
            except StoreError:
                await self._sleep(self._every)
                return
            else:
                return
