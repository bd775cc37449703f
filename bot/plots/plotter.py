"""Plots as plain values, and the plotter, which has a process draw a bounded number of them.

The process stays a while for the next picture.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import date
from importlib.util import find_spec
from itertools import pairwise
from typing import Protocol, Self

from bot.cache import Cache
from bot.coordination.worker_process import BEHIND_THE_BOT, WorkerEndedError, WorkerProcess
from bot.errors import PlotError

_log = logging.getLogger(__name__)

# Warnings of letters that no font has would be taken for the reason of its end.
_QUIETLY = "import warnings; warnings.simplefilter('ignore'); "
_PROGRAM = f"{BEHIND_THE_BOT}{_QUIETLY}from bot.plots.drawing import main; main()"
_LIBRARY = "matplotlib"
_NUMBERS = "The numbers are complete without it."
_CACHED = 64  # pictures, of some 40 KiB each
# Pictures of a kind in a minute, for one asker and for all: a tenth of a processor's time.
_TURNS, _ALL_TURNS = 10, 40


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
    """A picture for previews of an edition: its title, a line about it, titles of its papers.

    It has `more` papers than those.
    """

    title: str
    line: str
    papers: tuple[str, ...]
    more: int = 0


Picture = Plot | Card


class Plots(Protocol):
    """A drawer of plots."""

    async def png(self, plot: Picture, asker: Hashable = None) -> bytes:
        """Return a picture as PNG, which somebody asks for.

        Raises:
            PlotError: if it can't be drawn.
        """


_MINUTE = 60.0  # seconds


class Turns:
    """Counts the pictures of each minute.

    Args:
        each: the pictures that one asker may have drawn in a minute.
        all_together: those of all askers.
        seconds: a clock that only goes forward, in seconds.
    """

    def __init__(
        self, each: int, all_together: int, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._each = each
        self._all_together = all_together
        self._seconds = seconds
        self._began = float("-inf")
        self._taken: Counter[Hashable] = Counter()

    def take(self, asker: Hashable) -> bool:
        """Take a turn, and tell whether there was one left."""
        now = self._seconds()
        if now - self._began >= _MINUTE:
            self._began = now
            self._taken.clear()
        # All counts together are bounded, so there are no more askers than turns.
        if self._taken[asker] >= self._each or self._taken.total() >= self._all_together:
            return False
        self._taken[asker] += 1
        return True


class Plotter:
    """Draws plots in a process of its own, one at a time, and caches the last few.

    Leaving it as an asynchronous context manager ends the process.

    A picture of some 50 KiB may take `patience` seconds, waiting included; the first one on a
    machine takes longest, because matplotlib scans all fonts. `waiting` is how many may wait for
    the one in progress, `cached` how many are cached, `idle` for how many seconds the process waits
    for the next picture. `turns` are how many are drawn of each kind of picture, by the minute.
    """

    def __init__(
        self,
        *,
        patience: float = 30.0,
        waiting: int = 8,
        cached: int = _CACHED,
        idle: float = 0,
        turns: Callable[[], Turns] = lambda: Turns(_TURNS, _ALL_TURNS),
    ) -> None:
        self._patience = patience
        self._waiting = waiting
        self._drawing = asyncio.Lock()
        self._requests: Counter[Picture] = Counter()
        self._cache: Cache[Picture, bytes] = Cache(cached)
        self._process = WorkerProcess(_PROGRAM, idle=idle, keeps_errors=True)
        self._turns = {Plot: turns(), Card: turns()}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_raised: object) -> None:
        await self._process.end()

    async def png(self, plot: Picture, asker: Hashable = None) -> bytes:
        """Return a picture; a cancelled call ends the process.

        Raises:
            PlotError: if matplotlib is not installed, too many others wait, too many were drawn
                for this asker or for all, or drawing fails or takes too long.
        """
        if picture := self._cache.get(plot):
            return picture
        if find_spec(_LIBRARY) is None:
            raise PlotError(
                f"There is no picture: {_LIBRARY} is not installed.",
                "An operator adds it: pip install 'broadsheet[plots]', in a checkout make plots.",
            )
        if plot not in self._requests and (
            len(self._requests) > self._waiting or not self._turns[type(plot)].take(asker)
        ):
            busy = "There is no picture: too many others are being drawn."
            raise PlotError(busy, f"{_NUMBERS} Ask again in a minute for the picture.")
        self._requests[plot] += 1
        try:
            async with asyncio.timeout(self._patience), self._drawing:
                return await self._cache.read(plot, lambda: self._draw(plot))
        except TimeoutError:
            late = f"There is no picture: it took longer than {self._patience:g} seconds."
            raise PlotError(late, f"{_NUMBERS} Ask again for the picture.") from None
        finally:
            self._requests -= Counter((plot,))

    async def _draw(self, plot: Picture) -> bytes:
        """Have the process draw a picture.

        Raises:
            PlotError: if no process could be started, or it failed.
        """
        try:
            drawn: bytes = await self._process.ask(plot)
        except OSError as error:
            _log.warning("plot_failed", extra={"reason": str(error)})
            raise PlotError("There is no picture: no process could be begun.", _NUMBERS) from error
        except WorkerEndedError as error:
            _log.error("plot_failed", extra={"code": error.code, "reason": error.reason})
            raise PlotError("There is no picture: what draws it failed.", _NUMBERS) from error
        return drawn
