"""A monotonic clock that a test moves."""

from dataclasses import dataclass


@dataclass
class Seconds:
    """A clock in seconds; a test sets `at`."""

    at: float = 0.0

    def __call__(self) -> float:
        """Return the current time."""
        return self.at
