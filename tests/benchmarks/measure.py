"""Measuring floor and product by turns, so that a noisy machine disturbs both alike."""

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured figure: what the floor and the product took, in `unit`, in each run.

    `aim` is the ratio that the product shall stay under, `None` where there is no aim.
    """

    name: str
    unit: str
    floor: tuple[float, ...]
    product: tuple[float, ...]
    aim: float | None = None

    @property
    def ratios(self) -> list[float]:
        """Product over floor, run by run."""
        return [mine / least for mine, least in zip(self.product, self.floor, strict=True)]

    @property
    def verdict(self) -> str:
        """Whether the median ratio meets the aim; a dash where there is none."""
        if self.aim is None:
            return "-"
        return "met" if statistics.median(self.ratios) <= self.aim else "missed"


class Stopwatch:
    """Times a block, in ms; rubbish of what came before is collected first."""

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


Series = tuple[float, ...]


def by_turns(
    floor: Callable[[], float], product: Callable[[], float], runs: int, warm_ups: int = 1
) -> tuple[Series, Series]:
    """Call floor, product, floor, product …; return the results of each, warm-ups left out."""
    pairs = [(floor(), product()) for _ in range(warm_ups + runs)][warm_ups:]
    return tuple(least for least, _ in pairs), tuple(mine for _, mine in pairs)


def percentile(values: Sequence[float], share: int) -> float:
    """Return the value that `share` percent of at least two values stay under."""
    return statistics.quantiles(values, n=100, method="inclusive")[share - 1]
