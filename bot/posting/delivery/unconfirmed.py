"""Unconfirmed messages: calls that ended without an answer, and when to look for their messages."""

from dataclasses import dataclass

from bot.posting.delivery.timing import Clocks, Timing
from store.records import Workspace

# The first look comes so many seconds after the call; each next one after so many times as long.
_FIRST, _GROWTH = 1.0, 5.0
# So many of a workspace are looked for early. With more the platform has trouble, and each look
# takes the slot of one that could settle something.
_EARLY = 4


@dataclass(slots=True)
class _Wait:
    """The end of a call, the time until its message may appear, and that of the next look."""

    workspace: Workspace
    ended: float
    until: float
    look_at: float


class UnconfirmedMessages:
    """The deliveries of this process whose last message may still appear.

    A message that is found was sent. One that is not found is only certainly absent after it can
    no longer appear: until then it is looked for again, and not sent.
    """

    def __init__(self, timing: Timing, clocks: Clocks) -> None:
        self._lease, self._send = timing.lease, timing.send
        self._seconds = clocks.seconds
        self._waits: dict[int, _Wait] = {}

    def add(self, delivery_id: int, workspace: Workspace, within: float | None) -> None:
        """Note that a call ended just now whose message may appear within so many seconds.

        `None` means that the time is unknown; it is never longer than a lease.
        """
        now = self._seconds()
        until = now + (self._lease if within is None else min(within, self._lease))
        early = sum(
            wait.workspace == workspace and wait.look_at < wait.until
            for wait in self._waits.values()
        )
        look_at = until if early >= _EARLY else min(now + _FIRST, until)
        self._waits[delivery_id] = _Wait(workspace, now, until, look_at)

    def add_found(self, delivery_id: int, workspace: Workspace) -> None:
        """Note a message whose call another attempt began, at least a lease ago.

        That call may have lasted as long as one may; its message appears within a lease after.
        """
        if delivery_id not in self._waits:
            self.add(delivery_id, workspace, self._send)

    def may_appear(self, delivery_id: int) -> bool:
        """Tell whether a message that was not found may still appear."""
        wait = self._waits.get(delivery_id)
        return wait is not None and self._seconds() < wait.until

    def look_later(self, delivery_id: int) -> None:
        """Plan the next look for a message."""
        wait = self._waits[delivery_id]
        passed = max(self._seconds() - wait.ended, _FIRST)
        wait.look_at = min(wait.ended + passed * _GROWTH, wait.until)

    def remove(self, delivery_id: int) -> None:
        """Look for the message of a delivery no more."""
        self._waits.pop(delivery_id, None)

    def due(self) -> set[int]:
        """Return the deliveries whose message is to be looked for now."""
        now = self._seconds()
        return {delivery_id for delivery_id, wait in self._waits.items() if wait.look_at <= now}

    @property
    def next_at(self) -> float | None:
        """The monotonic time of the next look that is not due yet."""
        now = self._seconds()
        return min((w.look_at for w in self._waits.values() if w.look_at > now), default=None)
