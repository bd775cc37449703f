"""Enforce the published limits of platforms as sliding windows.

A platform's time may run faster than ours: the windows of its limits are then shorter.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic


@dataclass(frozen=True, slots=True)
class Limit:
    """A number of requests within some seconds of the platform."""

    most: int
    seconds: float

    @property
    def rate(self) -> float:
        """Return the requests a second that are allowed in the long run."""
        return self.most / self.seconds


# https://docs.discord.com/developers/topics/rate-limits; what holds for a channel stands in the
# headers of each answer alone, and is this today.
DISCORD_BOT = Limit(50, 1)
DISCORD_CHANNEL = Limit(5, 5)
# https://docs.slack.dev/apis/web-api/rate-limits: one a second in a channel, and "several hundred
# messages per minute" in a workspace.
SLACK_CHANNEL = Limit(1, 1)
SLACK_WORKSPACE = Limit(300, 60)


class Limiter:
    """Counts requests and refuses those above a limit.

    Args:
        speed: how many times as fast the platform's time runs; `inf` where nothing is refused.
        seconds: a clock that only goes forward.
    """

    def __init__(self, speed: float, seconds: Callable[[], float] = monotonic) -> None:
        self.refused = 0
        self._speed = speed
        self._seconds = seconds
        self._taken: dict[str, deque[float]] = {}

    def refuses(self, *limits: tuple[str, Limit]) -> float | None:
        """Count a request in some limits, each known by a name.

        Returns:
            `None` where it is within all of them, else after how many seconds of ours it is to
            come again; then it counts in none.
        """
        now = self._seconds()
        waits = [self._wait(name, limit, now) for name, limit in limits]
        if (longest := max(waits)) > 0:
            self.refused += 1
            return longest
        for name, _ in limits:
            self._taken[name].append(now)
        return None

    def left(self, name: str, limit: Limit) -> int:
        """Return the number of requests that are allowed now."""
        return limit.most - len(self._taken.get(name, ()))

    def _wait(self, name: str, limit: Limit, now: float) -> float:
        taken = self._taken.setdefault(name, deque())
        window = limit.seconds / self._speed
        while taken and taken[0] + window <= now:
            taken.popleft()
        return taken[0] + window - now if len(taken) >= limit.most else 0.0
