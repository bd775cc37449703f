"""Faults that a fake platform puts in place of its responses, and their queue."""

from collections import defaultdict
from dataclasses import dataclass


class Fault:
    """A fault of one request; each platform adds an error response of its own."""


@dataclass(frozen=True, slots=True)
class RateLimited(Fault):
    """A 429 with the seconds to wait; in Discord a global one is for every request."""

    after: float = 1
    is_global: bool = False


@dataclass(frozen=True, slots=True)
class ServerError(Fault):
    """A 5xx, before the request was carried out or, if `stored`, afterwards."""

    status: int = 500
    stored: bool = False


@dataclass(frozen=True, slots=True)
class Drop(Fault):
    """A connection that closes without a response; the request is carried out if `stored`."""

    stored: bool = True


@dataclass(frozen=True, slots=True)
class Slow(Fault):
    """A request that is carried out after a pause."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Late(Fault):
    """A request that is carried out at once, with a response after a pause."""

    seconds: float


class Faults:
    """A queue of faults for each name of a request or a connection."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[Fault]] = defaultdict(list)

    def add(self, name: str, fault: Fault, times: int) -> None:
        """Queue a fault for the next `times` requests of a name, behind those queued before."""
        self._waiting[name].extend([fault] * times)

    def take(self, name: str, host: str = "") -> Fault | None:  # noqa: ARG002 - subclasses use it
        """Return the fault of this request and take it off the queue."""
        waiting = self._waiting[name]
        return waiting.pop(0) if waiting else None
