"""What can go wrong between the bot and Slack, asked for by name."""

from collections import defaultdict
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RateLimited:
    """429, and after how many seconds to come back."""

    after: int = 1


@dataclass(frozen=True, slots=True)
class ServerError:
    """A failure before anything was done or, `stored`, after all was; its body is a page."""

    status: int = 500
    stored: bool = False


@dataclass(frozen=True, slots=True)
class Drop:
    """The connection ends without an answer; all is done as asked unless it is not `stored`."""

    stored: bool = True


@dataclass(frozen=True, slots=True)
class Refuse:
    """An answer in Slack's own words, `ok` being false."""

    error: str


@dataclass(frozen=True, slots=True)
class Slow:
    """All is done as asked, this many seconds later."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Late:
    """All is done as asked at once, and this many seconds later it is answered."""

    seconds: float


Fault = RateLimited | ServerError | Drop | Refuse | Slow | Late


class Faults:
    """What is still to go wrong, by a method, `response_url`, `upload` or `websocket`."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[Fault]] = defaultdict(list)

    def add(self, name: str, fault: Fault, times: int) -> None:
        """Let the next `times` calls of a name meet with a fault, after those asked for before."""
        self._waiting[name].extend([fault] * times)

    def take(self, name: str, host: str = "") -> Fault | None:  # noqa: ARG002 - of others who decide by it
        """Return what happens to this call."""
        waiting = self._waiting[name]
        return waiting.pop(0) if waiting else None
