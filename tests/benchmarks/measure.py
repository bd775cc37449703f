"""Measure floor and product by turns, so that a noisy machine disturbs both alike."""

import gc
import os
import re
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured figure: what the floor and the product took, in `unit`, in each run.

    `aim` is the ratio that the product shall stay under, or with `at_least` the one that it
    shall reach. With `in_unit` it is no ratio but a value in `unit` that the product shall stay
    under.
    """

    name: str
    unit: str
    floor: tuple[float, ...]
    product: tuple[float, ...]
    aim: float
    at_least: bool = False
    in_unit: bool = False

    @property
    def ratios(self) -> list[float]:
        """Product over floor, run by run."""
        return [mine / least for mine, least in zip(self.product, self.floor, strict=True)]

    @property
    def verdict(self) -> str:
        """Return whether the median meets the aim."""
        came = statistics.median(self.product if self.in_unit else self.ratios)
        return "met" if (came >= self.aim if self.at_least else came <= self.aim) else "missed"


class Stopwatch:
    """Times a block in ms, after a garbage collection."""

    milliseconds: float

    def __enter__(self) -> Self:
        gc.collect()
        self._start = time.perf_counter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.milliseconds = (time.perf_counter() - self._start) * 1000


@dataclass(frozen=True, slots=True)
class Timed:
    """The times of one run's questions in ms: what the floor took for each, and the product."""

    floor: Sequence[float]
    product: Sequence[float]


def percentile_figure(
    name: str, runs: Sequence[Timed], share: int, aim: float, *, in_unit: bool = False
) -> Figure:
    """Return the figure of what `share` percent of the questions' times stay under.

    With `in_unit` the aim is ms that the product shall stay under, and no ratio.
    """
    return Figure(
        f"{name}, p{share}",
        "ms",
        tuple(percentile(run.floor, share) for run in runs),
        tuple(percentile(run.product, share) for run in runs),
        aim,
        in_unit=in_unit,
    )


def percentile(values: Sequence[float], share: int) -> float:
    """Return the value that `share` percent of at least two values stay under."""
    return statistics.quantiles(values, n=100, method="inclusive")[share - 1]


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Run the block without garbage collection.

    The platforms count a request when they read it. A collection of a quarter of a second would
    make many requests count at one moment.
    """
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def resident(process: int | None = None) -> float:
    """Return the resident memory of this process, or of the one with an id, in MiB."""
    status = Path("/proc", str(process or "self"), "status")
    if status.exists():
        found = re.search(r"VmRSS:\s+(\d+) kB", status.read_text(encoding="ascii"))
        return int(found[1]) / 1024 if found else 0
    shown = subprocess.run(
        ["/bin/ps", "-o", "rss=", "-p", str(process or os.getpid())],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return int(shown.stdout) / 1024
