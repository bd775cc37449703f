"""Messages of which nobody knows whether they arrived: until when each may, and when to look."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.posting.delivery.timing import Pace
from store.records import Workspace

# Looked for so many seconds after the call ended, and then when so many times as long has passed.
_FIRST, _GROWTH = 1.0, 5.0
# So many of a workspace are looked for before they are certain. Where it is more, something is
# wrong with the platform, and each look takes the slot of one that could settle something.
_EARLY = 4


@dataclass(slots=True)
class _Wait:
    """When a call ended, until when its message may appear, and when it is looked for next."""

    workspace: Workspace
    ended: float
    until: float
    look_at: float


class Awaiting:
    """Deliveries whose last message may still appear, as this process knows.

    What is found early is sent. What is not found is certainly not there only after the message
    can no longer appear: before that it is looked for again, and not sent.

    Args:
        pace: its lease bounds how long a message may take to appear.
        seconds: a clock that only goes forward.
    """

    def __init__(self, pace: Pace, seconds: Callable[[], float]) -> None:
        self._lease = pace.lease
        self._seconds = seconds
        self._waits: dict[int, _Wait] = {}

    def expect(self, delivery: int, workspace: Workspace, within: float | None) -> None:
        """Note that a call ended just now whose message may appear within so many seconds.

        `None` is where nobody can say; nothing takes longer than a lease.
        """
        now = self._seconds()
        until = now + (self._lease if within is None else min(within, self._lease))
        early = sum(
            each.workspace == workspace and each.look_at < each.until
            for each in self._waits.values()
        )
        look_at = until if early >= _EARLY else min(now + _FIRST, until)
        self._waits[delivery] = _Wait(workspace, now, until, look_at)

    def may_appear(self, delivery: int) -> bool:
        """Tell whether a message may still appear that was not found."""
        wait = self._waits.get(delivery)
        return wait is not None and self._seconds() < wait.until

    def look_again(self, delivery: int) -> None:
        """Have a delivery looked for once more, later than before."""
        wait = self._waits[delivery]
        passed = max(self._seconds() - wait.ended, _FIRST)
        wait.look_at = min(wait.ended + passed * _GROWTH, wait.until)

    def forget(self, delivery: int) -> None:
        """Look for a delivery no more."""
        self._waits.pop(delivery, None)

    def due(self) -> set[int]:
        """Return the deliveries that are to be looked for now."""
        now = self._seconds()
        return {each for each, wait in self._waits.items() if wait.look_at <= now}

    @property
    def next_at(self) -> float | None:
        """When the next of those that are not due yet is, by that clock."""
        now = self._seconds()
        return min((w.look_at for w in self._waits.values() if w.look_at > now), default=None)
