"""Compare a start of the program with an import of the two libraries that it needs most."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from tests.benchmarks.measure import Figure
from tests.flows.program import BROADSHEET

_FLOOR = (sys.executable, "-c", "import sqlmodel, click")
_PRODUCT = (str(BROADSHEET), "ask", "latest")
_AIM = 1.5


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
    for _ in range(extent.warm_ups):
        _pair(store)  # fills the disc's cache
    tried = [[_pair(store) for _ in range(extent.tries)] for _ in range(runs)]
    least, mine = (tuple(min(pair[side] for pair in pairs) for pairs in tried) for side in range(2))
    yield Figure("start, ask latest", "ms", least, mine, _AIM)


def _pair(store: Path) -> tuple[float, float]:
    return _milliseconds(store, *_FLOOR), _milliseconds(store, *_PRODUCT)


def _milliseconds(store: Path, *command: str) -> float:
    own = {**os.environ, "BROADSHEET_DATABASE_URL": f"sqlite:///{store}"}
    began = perf_counter()
    subprocess.run(command, env=own, check=True, stdout=subprocess.DEVNULL)
    return 1000 * (perf_counter() - began)
