"""Requests spaced out, so that together they keep Discord's limit for a bot.

It is 50 a second. Each that is refused for it counts among the 10,000 in ten minutes after which
Discord hears nothing more from an address, and the library learns of the limit only by refusals.
Interactions are not bound to it. https://docs.discord.com/developers/topics/rate-limits
"""

import asyncio
import time
from collections.abc import Awaitable, Callable

# A second; the rest is for whatever else runs under the same token, such as the doctor.
MOST = 45
_FREE = ("/interactions/", "/webhooks/")


class Turns:
    """Gives each request its turn.

    Args:
        seconds: a clock that only goes forward.
        sleep: waits.
    """

    def __init__(
        self,
        seconds: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._seconds = seconds
        self._sleep = sleep
        self._next = 0.0

    async def wait(self, path: str) -> None:
        """Wait until a request to a path may leave."""
        if any(each in path for each in _FREE):
            return
        now = self._seconds()
        turn = max(self._next, now)
        self._next = turn + 1 / MOST
        if turn > now:
            await self._sleep(turn - now)
