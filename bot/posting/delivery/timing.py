"""How long the outbox waits for what."""

from dataclasses import dataclass
from datetime import timedelta

from bot.coordination.rate_limiter import HORIZON


@dataclass(frozen=True, slots=True)
class Pace:
    """Lengths of time, in seconds where they are numbers.

    `send` is the longest that one message may take. `lease` is how long a delivery stays in the
    hands of a process that says nothing more; it is longer than `send` with all that may come
    before it. `idle` is the longest between two looks at the queue. `first_wait` follows a first
    failure and doubles up to `longest_wait`; after `give_up`, and `tries` attempts at least, a
    delivery that could not be sent is dead: what was queued while nobody worked, or before the
    clock jumped, is tried. `together` is how many deliveries of a platform are carried out side by
    side, most of which wait for it, and `of_one` how many of them are for one workspace. `speed` is
    how many times as fast as their published limits the platforms are taken to be, for trials.
    """

    send: float = 40.0
    lease: float = 60.0
    idle: float = 5.0
    first_wait: float = 5.0
    longest_wait: float = 600.0
    give_up: timedelta = timedelta(days=3)
    tries: int = 20
    together: int = 64
    of_one: int = 12
    speed: float = 1.0

    @property
    def horizon(self) -> float:
        """For how many seconds a turn is waited for: a lease is far from over then."""
        return min(HORIZON, self.lease / 4)

    def __post_init__(self) -> None:
        """Refuse a lease that could end before a message was sent.

        Raises:
            ValueError: where it does.
        """
        if self.lease <= self.send:
            raise ValueError("a lease has to be longer than sending may take")
