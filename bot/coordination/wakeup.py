"""A wake-up event: writers notify a worker, which need not poll all the time."""

import asyncio
from contextlib import suppress


class WakeUp:
    """Wakes one worker, also by a notification that came while it was at work."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def notify(self) -> None:
        """Wake the worker."""
        self._event.set()

    async def wait(self, seconds: float) -> None:
        """Wait for a notification, so many seconds at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._event.wait()
        self._event.clear()
