"""Compare a start of the program with an import of the two libraries that it needs most."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.measure import Figure, Series
from tests.benchmarks.processes import launch
from tests.flows.program import BROADSHEET

_FLOOR = (sys.executable, "-c", "import sqlmodel, click")
# Commands, and the ratio that the time of each should stay under.
_ASKED = {"latest": 1.5, "search reasoning": None}


@dataclass(frozen=True, slots=True, order=True)
class _Start:
    """The duration of a process in ms and its peak of resident memory in MiB."""

    milliseconds: float
    peak: float


@dataclass(frozen=True, slots=True)
class Starts:
    """The number of starts of which the quickest counts, and of starts before the first one."""

    tries: int = 3
    warm_ups: int = 1


def starts(store: Path, runs: int, extent: Starts) -> Iterator[Figure]:
    """Start the program on a filled store; a run is the quickest of some tries.

    Floor and product take turns in the tries too. What else the machine does can only make a
    start longer.
    """
    for text, aim in _ASKED.items():
        command = (str(BROADSHEET), "ask", text)
        for _ in range(extent.warm_ups):
            _pair(store, command)  # fills the disc's cache
        tried = [[_pair(store, command) for _ in range(extent.tries)] for _ in range(runs)]
        quickest = [_quickest(pairs) for pairs in tried]
        least, mine = zip(*quickest, strict=True)
        name = f"start, ask {text}"
        yield Figure(name, "ms", _times(least), _times(mine), aim)
        yield Figure(f"{name}, peak memory", "MiB", _peaks(least), _peaks(mine))


def _pair(store: Path, command: Sequence[str]) -> tuple[_Start, _Start]:
    return _start(store, *_FLOOR), _start(store, *command)


def _quickest(pairs: Sequence[tuple[_Start, _Start]]) -> tuple[_Start, _Start]:
    return min(least for least, _ in pairs), min(mine for _, mine in pairs)


def _times(starts: Sequence[_Start]) -> Series:
    return tuple(start.milliseconds for start in starts)


def _peaks(starts: Sequence[_Start]) -> Series:
    return tuple(start.peak for start in starts)


def _start(store: Path, *command: str) -> _Start:
    launched = subprocess.run(
        [sys.executable, "-m", launch.__name__, *command],
        env={**os.environ, "BROADSHEET_DATABASE_URL": f"sqlite:///{store}"},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return _Start(*map(float, launched.stdout.split()))
