"""Stale work: claims whose process is gone."""

from collections.abc import Callable, Container, Hashable, Sequence
from typing import Generic, Protocol, TypeVar


class ClaimedWork(Protocol):
    """Work that a process has claimed."""

    @property
    def id(self) -> Hashable:
        """Its identifier."""

    @property
    def fencing_token(self) -> int:
        """A number that rises with each recorded step."""


W = TypeVar("W", bound=ClaimedWork)


class StaleWork(Generic[W]):
    """Finds claims that kept their fencing token for longer than a lease.

    That is measured by `seconds`, a monotonic clock of this process, so that a machine whose time
    was changed takes nothing from a process that is at work.
    """

    def __init__(self, lease: float, seconds: Callable[[], float]) -> None:
        self._lease = lease
        self._seconds = seconds
        self._seen: dict[Hashable, tuple[int, str, float]] = {}

    def overdue(self, claimed: Sequence[tuple[W, str]], own: Container[Hashable]) -> list[W]:
        """Return what may be taken over of all claims with their owners, except one's own."""
        others = [(work, owner) for work, owner in claimed if work.id not in own]
        ids = {work.id for work, _ in others}
        self._seen = {key: seen for key, seen in self._seen.items() if key in ids}
        return [work for work, owner in others if self.is_stale(work, owner)]

    def is_stale(self, work: W, owner: str) -> bool:
        """Note a claim as it is stored now; tell whether it may be taken over."""
        now = self._seconds()
        token, holder, since = self._seen.get(work.id, (-1, "", now))
        if (token, holder) != (work.fencing_token, owner):
            since = now
        self._seen[work.id] = work.fencing_token, owner, since
        return now - since >= self._lease
