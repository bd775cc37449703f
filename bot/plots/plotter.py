"""Plots as plain values, and the plotter, which draws them in a worker process."""

import asyncio
import logging
import pickle
import sys
from asyncio.subprocess import PIPE
from collections import Counter
from dataclasses import dataclass
from datetime import date
from importlib.util import find_spec
from itertools import pairwise
from typing import Protocol

from bot.cache import Cache
from bot.errors import PlotError

_log = logging.getLogger(__name__)

# If processors are short, the bot comes first.
_NICENESS = 10
_PROGRAM = f"import os; os.nice({_NICENESS}); from bot.plots.drawing import main; main()"
# -P: the current folder may have modules of the same names.
_COMMAND = (sys.executable, "-P", "-c", _PROGRAM)
_LIBRARY = "matplotlib"
_NUMBERS = "The numbers are complete without it."


MOST_CURVES = 5  # more can't be told apart on a phone
STYLES = 8  # the looks of curves that there are
_LONGEST_BRIDGE = 3  # weeks


@dataclass(frozen=True, slots=True)
class Curve:
    """A share over the weeks of a plot.

    `points` are between 0 and 1, one a week, `None` for a week without papers. `dots` are the
    shares of single weeks, if they are shown too. `label` is at the curve's end. `style` is one of
    so many looks, from 0; no two curves of a plot have the same.
    """

    label: str
    points: tuple[float | None, ...]
    dots: tuple[float | None, ...] = ()
    style: int = 0

    @property
    def weeks(self) -> list[int]:
        """The weeks that have a point."""
        return [week for week, point in enumerate(self.points) if point is not None]

    @property
    def bridges(self) -> list[list[int]]:
        """The runs of weeks whose gaps are short enough for a line across."""
        runs: list[list[int]] = []
        for a, b in pairwise(self.weeks):
            if 1 < b - a <= _LONGEST_BRIDGE:
                if runs and runs[-1][-1] == a:
                    runs[-1].append(b)
                else:
                    runs.append([a, b])
        return runs

    @property
    def isolated(self) -> list[int]:
        """The weeks that have a point without any line."""
        near = ((a, b) for a, b in pairwise(self.weeks) if b - a <= _LONGEST_BRIDGE)
        joined = {week for pair in near for week in pair}
        return [week for week in self.weeks if week not in joined]


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture: its title, its measure, its source, and the curves.

    Each clause of `title` and `measure` begins a line. `days` are the first days of two or more
    weeks in order without gaps, one for each point. Every curve has a point in the last week. It is
    drawn for a light or a `dark` surface.
    """

    title: tuple[str, ...]
    measure: tuple[str, ...]
    source: str
    days: tuple[date, ...]
    curves: tuple[Curve, ...]
    dark: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A picture for previews of an edition: its title, a line about it, its papers' titles."""

    title: str
    line: str
    papers: tuple[str, ...]


Picture = Plot | Card


class Plots(Protocol):
    """A drawer of plots."""

    async def png(self, plot: Plot) -> bytes:
        """Return the picture of a plot as PNG.

        Raises:
            PlotError: if it can't be drawn.
        """


class Plotter:
    """Draws plots in a worker process, one at a time, and caches the last few.

    A picture of some 50 KiB may take `patience` seconds, waiting included; the first one on a
    machine takes longest, because matplotlib scans all fonts. `waiting` is how many may wait for
    the one in progress, `cached` how many are cached.
    """

    def __init__(self, *, patience: float = 30.0, waiting: int = 8, cached: int = 16) -> None:
        self._patience = patience
        self._waiting = waiting
        self._drawing = asyncio.Lock()
        self._requests: Counter[Picture] = Counter()
        self._cache: Cache[Picture, bytes] = Cache(cached)

    async def png(self, plot: Picture) -> bytes:
        """Return a picture; a cancelled call ends the process.

        Raises:
            PlotError: if matplotlib is not installed, too many others wait, or drawing fails or
                takes too long.
        """
        if picture := self._cache.get(plot):
            return picture
        if find_spec(_LIBRARY) is None:
            raise PlotError(
                f"There is no picture: {_LIBRARY} is not installed.",
                "An operator adds it: pip install 'broadsheet[plots]', in a checkout make plots.",
            )
        if plot not in self._requests and len(self._requests) > self._waiting:
            busy = "There is no picture: too many others are being drawn."
            raise PlotError(busy, f"{_NUMBERS} Ask again in a minute for the picture.")
        self._requests[plot] += 1
        try:
            async with asyncio.timeout(self._patience), self._drawing:
                return await self._cache.read(plot, lambda: _draw(plot))
        except TimeoutError:
            late = f"There is no picture: it took longer than {self._patience:g} seconds."
            raise PlotError(late, f"{_NUMBERS} Ask again for the picture.") from None
        finally:
            self._requests -= Counter((plot,))


async def _draw(plot: Picture) -> bytes:
    """Draw a picture in a worker process.

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
