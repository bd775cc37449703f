"""The bot's end: has a process draw what is not remembered."""

import asyncio
import logging
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter, OrderedDict
from importlib.util import find_spec
from typing import Protocol

from bot.errors import PlotError
from bot.plots.plot import Plot

_log = logging.getLogger(__name__)

# Where processors are short the bot comes first.
_NICENESS = 10
_PROGRAM = f"import os; os.nice({_NICENESS}); from bot.plots.child import main; main()"
# Not from the folder at hand, which may have modules of the same names.
_COMMAND = (sys.executable, "-P", "-c", _PROGRAM)
_LIBRARY = "matplotlib"
_NUMBERS = "The numbers are complete without it."


class Plots(Protocol):
    """Draws plots."""

    async def png(self, plot: Plot) -> bytes:
        """Return the picture of a plot as PNG.

        Raises:
            PlotError: where it can't be drawn.
        """


class Plotter:
    """Draws plots in a process, one at a time, and remembers the last few.

    Args:
        patience: how many seconds a picture may take, what it waits for others included. The first
            one on a machine takes longest, for the library looks through all of that's fonts.
        waiting: how many pictures may wait for the one that is drawn: as many as have their turn
            while their askers are patient.
        remembered: how many pictures are kept, of some 50 KiB each.
    """

    def __init__(self, *, patience: float = 30.0, waiting: int = 8, remembered: int = 16) -> None:
        self._patience = patience
        self._waiting = waiting
        self._remembered = remembered
        self._turn = asyncio.Lock()
        self._asked: Counter[Plot] = Counter()
        self._kept: OrderedDict[Plot, bytes] = OrderedDict()

    async def png(self, plot: Plot) -> bytes:
        """Return the picture of a plot; cancelled, it ends the process.

        Raises:
            PlotError: where the library is not installed, too many others wait, or it could not be
                drawn in time.
        """
        if plot in self._kept:
            return self._recalled(plot)
        if find_spec(_LIBRARY) is None:
            raise PlotError(
                f"There is no picture: {_LIBRARY} is not installed.",
                "An operator adds it: pip install 'broadsheet[plots]'.",
            )
        if plot not in self._asked and len(self._asked) > self._waiting:
            many = "There is no picture: too many others are being drawn."
            raise PlotError(many, f"{_NUMBERS} Ask again in a minute for the picture.")
        self._asked[plot] += 1
        try:
            async with asyncio.timeout(self._patience), self._turn:
                if plot not in self._kept:
                    self._kept[plot] = await _drawn(plot)
                return self._recalled(plot)
        except TimeoutError:
            took = f"There is no picture: it took longer than {self._patience:g} seconds."
            raise PlotError(took, f"{_NUMBERS} Ask again for the picture.") from None
        finally:
            self._asked -= Counter((plot,))

    def _recalled(self, plot: Plot) -> bytes:
        self._kept.move_to_end(plot)
        if len(self._kept) > self._remembered:
            self._kept.popitem(last=False)
        return self._kept[plot]


async def _drawn(plot: Plot) -> bytes:
    """Have a process draw a plot.

    Raises:
        PlotError: where none could be begun, or it ended without a picture.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *_COMMAND, stdin=PIPE, stdout=PIPE, stderr=PIPE, process_group=0
        )
    except OSError as error:
        _log.warning("plot_failed", extra={"reason": str(error)})
        raise PlotError("There is no picture: no process could be begun.", _NUMBERS) from error
    try:
        picture, said = await process.communicate(pickle.dumps(plot))
    finally:
        await _end(process)
    if process.returncode:
        facts = {"code": process.returncode, "reason": said.decode(errors="replace")[-2000:]}
        _log.error("plot_failed", extra=facts)
        raise PlotError("There is no picture: what draws it failed.", _NUMBERS)
    return picture


async def _end(process: Process) -> None:
    if process.returncode is None:
        process.kill()
        await process.wait()
