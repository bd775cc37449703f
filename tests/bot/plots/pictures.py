"""Pictures for tests: drawn by the test's own process, each once, or blank."""

import asyncio
from functools import lru_cache
from threading import Lock

from bot.plots.plotter import Card, Picture

_ONE = Lock()


class Blank:
    """Draws nothing, for tests that look at no picture."""

    async def png(self, _plot: Picture, _asker: object = None) -> bytes:
        """Return no picture."""
        return b"blank"


class Drawn:
    """Draws what `Plotter` has a process draw, which would begin anew with each picture."""

    async def png(self, plot: Picture, _asker: object = None) -> bytes:
        """Return a picture as PNG."""
        return await asyncio.to_thread(_png, plot)


@lru_cache(maxsize=256)
def _png(plot: Picture) -> bytes:
    with _ONE:  # no library for two threads at once
        from bot.plots.drawing import card_png, png

        return card_png(plot) if isinstance(plot, Card) else png(plot)
