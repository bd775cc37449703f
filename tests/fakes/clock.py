"""A clock that only goes forward, moved by hand."""

from dataclasses import dataclass


@dataclass
class Seconds:
    """It stands until it is moved."""

    at: float = 0.0

    def __call__(self) -> float:
        """Return what it shows."""
        return self.at
