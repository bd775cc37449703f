"""What a run does, how it ends, and when it is tried again. All pure."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

_FIRST, _LONGEST = timedelta(minutes=5), timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended: when the next one is due, by the clock that no setting moves.

    `reason` is why it `failed`, in words.
    """

    next_at: datetime
    failed: bool = False
    reason: str = ""


# Does it once; it is told how often in a row it failed before.
Job = Callable[[int], Awaitable[Ended]]


def backed_off(failures: int) -> timedelta:
    """Return how long to leave alone what failed so often in a row: 5, 10, 20 … minutes, or 6 h."""
    doubled: int = 2 ** min(max(failures - 1, 0), 16)
    return min(_FIRST * doubled, _LONGEST)
