"""Workspaces that asked to be left alone for a while."""

from collections.abc import Callable

from store.queue import LONGEST_WAIT


class Rests:
    """Until when which workspace is sent nothing, by a clock that only goes forward.

    It is known to this process alone: another one is told by the platform as well.

    Args:
        seconds: that clock.
    """

    def __init__(self, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        self._until: dict[int, float] = {}

    def rest(self, workspace: int, seconds: float) -> None:
        """Send a workspace nothing for so many seconds."""
        until = self._seconds() + min(seconds, LONGEST_WAIT.total_seconds())
        self._until[workspace] = max(until, self._until.get(workspace, until))

    def left(self, workspace: int) -> float:
        """Return for how many seconds a workspace is still sent nothing."""
        return max(self._until.get(workspace, 0.0) - self._seconds(), 0.0)

    def resting(self) -> dict[int, float]:
        """Return the workspaces that are sent nothing, and for how many seconds."""
        self._until = {each: until for each, until in self._until.items() if self.left(each)}
        return {each: self.left(each) for each in self._until}
