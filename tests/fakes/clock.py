"""A monotonic clock that a test moves."""

from dataclasses import dataclass


@dataclass
class Seconds:
    """A clock in seconds; a test sets `at`."""

    at: float = 0.0

    def __call__(self) -> float:
        """Return the current time."""
        return self.at


@dataclass
class Ticking(Seconds):
    """A clock on which a second passes between any two looks."""

    def __call__(self) -> float:
        """Return the time, which has gone on."""
        self.at += 1
        return self.at
