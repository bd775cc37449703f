"""A bell: whoever wrote something rings it, and whoever works on that need not ask all the time."""

import asyncio
from contextlib import suppress


class Bell:
    """Rings for one listener, who hears it even if it rang while nobody listened."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Wake the listener."""
        self._rung.set()

    async def heard(self, seconds: float) -> None:
        """Wait until it rings, so many seconds at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._rung.wait()
        self._rung.clear()
