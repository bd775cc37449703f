"""The plotter: draws plots in a worker process and caches the last few."""

import asyncio
import logging
import pickle
import sys
from asyncio.subprocess import PIPE
from collections import Counter
from importlib.util import find_spec
from typing import Protocol

from bot.cache import Cache
from bot.errors import PlotError
from bot.plots.plot import Plot

_log = logging.getLogger(__name__)

# If processors are short, the bot comes first.
_NICENESS = 10
_PROGRAM = f"import os; os.nice({_NICENESS}); from bot.plots.drawing import main; main()"
# -P: the current folder may have modules of the same names.
_COMMAND = (sys.executable, "-P", "-c", _PROGRAM)
_LIBRARY = "matplotlib"
_NUMBERS = "The numbers are complete without it."


class Plots(Protocol):
    """A drawer of plots."""

    async def png(self, plot: Plot) -> bytes:
        """Return the picture of a plot as PNG.

        Raises:
            PlotError: if it can't be drawn.
        """


class Plotter:
    """Draws plots in a worker process, one at a time, and caches the last few.

    Args:
        patience: seconds that a picture may take, waiting included. The first one on a machine
            takes longest, because matplotlib scans all fonts.
        waiting: pictures that may wait for the one in progress.
        cached: pictures that are cached, of some 50 KiB each.
    """

    def __init__(self, *, patience: float = 30.0, waiting: int = 8, cached: int = 16) -> None:
        self._patience = patience
        self._waiting = waiting
        self._drawing = asyncio.Lock()
        self._requests: Counter[Plot] = Counter()
        self._pictures: Cache[Plot, bytes] = Cache(cached)

    async def png(self, plot: Plot) -> bytes:
        """Return the picture of a plot; a cancelled call ends the process.

        Raises:
            PlotError: if matplotlib is not installed, too many others wait, or drawing fails or
                takes too long.
        """
        if picture := self._pictures.get(plot):
            return picture
        if find_spec(_LIBRARY) is None:
            raise PlotError(
                f"There is no picture: {_LIBRARY} is not installed.",
                "An operator adds it: pip install 'broadsheet[plots]'.",
            )
        if plot not in self._requests and len(self._requests) > self._waiting:
            busy = "There is no picture: too many others are being drawn."
            raise PlotError(busy, f"{_NUMBERS} Ask again in a minute for the picture.")
        self._requests[plot] += 1
        try:
            async with asyncio.timeout(self._patience), self._drawing:
                return await self._pictures.read(plot, lambda: _draw(plot))
        except TimeoutError:
            late = f"There is no picture: it took longer than {self._patience:g} seconds."
            raise PlotError(late, f"{_NUMBERS} Ask again for the picture.") from None
        finally:
            self._requests -= Counter((plot,))


async def _draw(plot: Plot) -> bytes:
    """Draw a plot in a worker process.

    Raises:
        PlotError: if no process could be started, or it failed.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *_COMMAND, stdin=PIPE, stdout=PIPE, stderr=PIPE, process_group=0
        )
    except OSError as error:
        _log.warning("plot_failed", extra={"reason": str(error)})
        raise PlotError("There is no picture: no process could be begun.", _NUMBERS) from error
    try:
        picture, errors = await process.communicate(pickle.dumps(plot))
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        facts = {"code": process.returncode, "reason": errors.decode(errors="replace")[-2000:]}
        _log.error("plot_failed", extra=facts)
        raise PlotError("There is no picture: what draws it failed.", _NUMBERS)
    return picture
