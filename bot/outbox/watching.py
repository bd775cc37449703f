"""Deliveries in others' hands, watched for those whose holder is gone."""

from collections.abc import Callable, Container, Sequence

from store.queue import Ready


class Watching:
    """Tells what stayed in somebody's hands for longer than a lease without another beat.

    That is measured here, so that a machine whose time was changed takes nothing from one that is
    at work.

    Args:
        lease: how many seconds that is.
        seconds: a clock that only goes forward.
    """

    def __init__(self, lease: float, seconds: Callable[[], float]) -> None:
        self._lease = lease
        self._seconds = seconds
        self._seen: dict[int, tuple[int, str, float]] = {}

    def overdue(self, held: Sequence[tuple[Ready, str]], own: Container[int]) -> list[Ready]:
        """Return what may be taken over of what is held now, but for one's own."""
        seen, overdue = {}, []
        for ready, owner in held:
            if ready.id in own:
                continue
            beat, holder, since = self._seen.get(ready.id, (-1, "", 0.0))
            if (beat, holder) != (ready.beat, owner):
                since = self._seconds()
            seen[ready.id] = (ready.beat, owner, since)
            if self._seconds() - since >= self._lease:
                overdue.append(ready)
        self._seen = seen
        return overdue
