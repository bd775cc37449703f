"""The timeouts, limits and clocks of delivery."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.clock import Clock, SystemClock
from bot.coordination.rate_limiter import HORIZON


@dataclass(frozen=True, slots=True)
class Timing:
    """Timeouts and limits; numbers are seconds.

    `send` bounds one call of the platform. `lease` is how long a delivery stays claimed after its
    last recorded step; it exceeds `send`. `idle` is the longest pause between two scans.
    `first_wait` follows a first failure and doubles up to `longest_wait`. A delivery that can't be
    sent is dead after `give_up` and at least `tries` attempts: what was queued while no process
    ran is still tried. `per_platform` and `per_workspace` limit the attempts in flight. `speed`
    multiplies the platforms' published limits, for trials.
    """

    send: float = 40.0
    lease: float = 60.0
    idle: float = 5.0
    first_wait: float = 5.0
    longest_wait: float = 600.0
    give_up: timedelta = timedelta(days=3)
    tries: int = 20
    per_platform: int = 64
    per_workspace: int = 12
    speed: float = 1.0

    @property
    def horizon(self) -> float:
        """Return how long an attempt waits for a slot: far less than a lease."""
        return min(HORIZON, self.lease / 4)

    def __post_init__(self) -> None:
        """Refuse a lease that could end before a message is sent.

        Raises:
            ValueError: if it could.
        """
        if self.lease <= self.send:
            raise ValueError("a lease has to be longer than sending may take")


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks of delivery.

    `shown` is the time that users see, which a setting may move; `system` is the system clock;
    `seconds` is monotonic.
    """

    shown: Clock
    system: Clock = field(default_factory=SystemClock)
    seconds: Callable[[], float] = time.monotonic

    def now(self) -> datetime:
        """Return the system time."""
        return self.system.now()

    def read(self) -> tuple[float, datetime]:
        """Return the monotonic and the system time together."""
        return self.seconds(), self.system.now()
