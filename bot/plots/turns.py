"""A bound on the pictures of a minute: for one who asks, and for all together."""

import time
from collections import Counter
from collections.abc import Callable, Hashable

_MINUTE = 60.0


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
