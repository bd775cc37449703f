"""Work in others' hands, watched for what was left lying by a process that is gone."""

from collections.abc import Callable, Container, Hashable, Sequence
from typing import Generic, Protocol, TypeVar


class Watched(Protocol):
    """Something that a process works on; `fencing_token` counts what was noted of it."""

    @property
    def id(self) -> Hashable:
        """What names it."""

    @property
    def fencing_token(self) -> int:
        """How often something was noted of it."""


W = TypeVar("W", bound=Watched)


class Watching(Generic[W]):
    """Tells what stayed in somebody's hands for longer than a lease without another fencing_token.

    That is measured here, so that a machine whose time was changed takes nothing from one that is
    at work.

    Args:
        lease: how many seconds that is.
        seconds: a clock that only goes forward.
    """

    def __init__(self, lease: float, seconds: Callable[[], float]) -> None:
        self._lease = lease
        self._seconds = seconds
        self._seen: dict[Hashable, tuple[int, str, float]] = {}

    def overdue(self, held: Sequence[tuple[W, str]], own: Container[Hashable]) -> list[W]:
        """Return what may be taken over of what is held now, but for one's own."""
        seen, overdue = {}, []
        for each, owner in held:
            if each.id in own:
                continue
            fencing_token, holder, since = self._seen.get(each.id, (-1, "", 0.0))
            if (fencing_token, holder) != (each.fencing_token, owner):
                since = self._seconds()
            seen[each.id] = (each.fencing_token, owner, since)
            if self._seconds() - since >= self._lease:
                overdue.append(each)
        self._seen = seen
        return overdue
