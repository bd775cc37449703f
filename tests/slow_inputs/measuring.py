"""What a call costs the processor, and how that grows with its input."""

import gc
import math
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise

from tests.slow_inputs.inputs import Input

# A call costs so much, in seconds, before its growth is judged; below, the machine is louder.
_ENOUGH = 0.1
_TICK = 0.004  # some machines tell the time of a processor in steps of so many seconds
# So much more four times as much may cost. In proportion it is 4, with a logarithm less than 5,
# with the square 16.
_STEEPEST = 8.0
_STEEP = 2.4  # at each of both doublings: one alone may be a leap
# Where a cost leaps there is nothing to compare it with, and the next doubling is waited for.
_LEAP = 10.0
_PLENTY = 1.0
_FIRST_SIZE = 500
_AGAIN = 3
# Nothing may take longer, whatever its size: then it is no use to wait for the next doubling.
_PATIENCE = 20.0


# Returns what a call costs in seconds of the processor, or raises `TooLong`.
Meter = Callable[[Callable[[], object]], float]


class TooLong(BaseException):
    """A call took longer than anybody waits for it; no handler of the code called may catch it."""


@dataclass(frozen=True, slots=True)
class Growth:
    """Costs in seconds at sizes, each twice the one before."""

    sizes: tuple[int, ...]
    costs: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """How many times more the last costs than what is a quarter of it."""
        before = self.costs[-3:][0]
        return self.costs[-1] / (before + _TICK) if len(self.costs) >= 3 else 1.0

    @property
    def is_steep(self) -> bool:
        """Whether it costs enough to be judged, and grew faster than its input."""
        is_endless = math.isinf(self.costs[-1])
        return is_endless or (
            self.costs[-1] >= _ENOUGH
            and self.ratio > _STEEPEST
            and all(cost > _STEEP * before for before, cost in pairwise(self.costs[-3:]))
        )


def cost(call: Callable[[], object], patience: float = _PATIENCE) -> float:
    """Return what a call costs all threads of this process, in seconds of the processor.

    Raises:
        TooLong: where it does not end within so many.
    """
    gc.disable()
    try:
        with _limited(patience):
            began = time.process_time()
            call()
            return time.process_time() - began
    finally:
        gc.enable()


def growth(call: Callable[[str], object], made: Input, most: int, meter: Meter = cost) -> Growth:
    """Double an input until it costs enough or has the most characters, and return the costs.

    What does not end costs infinitely much.
    """
    sizes: list[int] = []
    costs: list[float] = []
    for size in _doublings(most):
        text = made.of(size)
        sizes.append(size)
        try:
            costs.append(meter(lambda: call(text)))  # noqa: B023 - it is called at once
        except TooLong:
            costs.append(math.inf)
        if costs[-1] >= _ENOUGH and (costs[-1] >= _PLENTY or _is_gradual(costs)):
            break
    return Growth(tuple(sizes), tuple(costs))


def _is_gradual(costs: list[float]) -> bool:
    """Tell whether the last cost is no leap, as where shorter texts were refused unread."""
    return all(cost < _LEAP * before for before, cost in pairwise(costs[-3:]))


def _doublings(most: int) -> list[int]:
    sizes = [most]
    while sizes[-1] >= 2 * _FIRST_SIZE:
        sizes.append(sizes[-1] // 2)
    return sizes[::-1]


def confirmed(
    call: Callable[[str], object], made: Input, found: Growth, meter: Meter = cost
) -> Growth:
    """Measure the last sizes again, in turns, and return the least that each ever cost.

    Each time a few letters shorter, where nothing stands behind them: answers are remembered.
    """
    if math.isinf(found.costs[-1]):
        return found
    sizes, costs = list(found.sizes[-3:]), list(found.costs[-3:])
    texts = [made.of(size) for size in sizes]
    for shorter in range(1, _AGAIN + 1):
        for place, whole in enumerate(texts):
            text = whole if made.tail else whole[:-shorter]
            again = meter(lambda: call(text))  # noqa: B023 - it is called at once
            costs[place] = min(costs[place], again)
    return Growth(tuple(sizes), tuple(costs))


@contextmanager
def _limited(patience: float) -> Iterator[None]:
    """End what takes too long; regular expressions look for signals as they go."""

    def end(_signal: int, _frame: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, patience)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
