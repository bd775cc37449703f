"""What can go wrong between the bot and Discord, asked for by a request's method and path."""

from collections import defaultdict
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RateLimited:
    """429, and after how many seconds to come back; a global one is for every request."""

    after: float = 1
    is_global: bool = False


@dataclass(frozen=True, slots=True)
class ServerError:
    """A failure, before anything was done or, `stored`, after all was done as asked."""

    status: int = 500
    stored: bool = False


@dataclass(frozen=True, slots=True)
class Drop:
    """The connection ends without an answer; all is done as asked unless it is not `stored`."""

    stored: bool = True


@dataclass(frozen=True, slots=True)
class Refuse:
    """An answer in Discord's own words."""

    status: int
    code: int
    message: str = "refused on purpose"


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
    """What is still to go wrong, by `POST /channels/{channel_id}/messages` or `gateway`."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[Fault]] = defaultdict(list)

    def add(self, name: str, fault: Fault, times: int) -> None:
        """Let the next `times` requests of a name meet a fault, after those asked for before."""
        self._waiting[name].extend([fault] * times)

    def take(self, name: str, host: str = "") -> Fault | None:  # noqa: ARG002 - of others who decide by it
        """Return what happens to this request."""
        waiting = self._waiting[name]
        return waiting.pop(0) if waiting else None
