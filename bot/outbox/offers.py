"""What a look at the queue found, to be taken up piece by piece."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field

from store.posting.queue import Ready


@dataclass(slots=True)
class _Offer:
    """What was found for a platform, by id, and whether more is behind it."""

    ready: dict[int, Ready] = field(default_factory=dict)
    has_more: bool = False
    found_at: float = 0.0


class Offers:
    """What was found for each platform, good for a moment.

    To look takes as long as much is ready, and at a peak there is room for more many times a
    second. Whatever somebody else took since, a claim leaves out.

    Args:
        fresh: for how many seconds: at a peak, what gets ready is found so much later at most.
        seconds: a clock that only goes forward.
    """

    def __init__(self, fresh: float, seconds: Callable[[], float]) -> None:
        self._fresh = fresh
        self._seconds = seconds
        self._offers: dict[str, _Offer] = {}

    def __iter__(self) -> Iterator[Ready]:
        """Give what may be taken up, in the order that it was found in."""
        for offer in self._offers.values():
            if self._is_fresh(offer):
                yield from offer.ready.values()

    @property
    def left(self) -> float:
        """For how many seconds there is something that may be taken up."""
        until = [each.found_at + self._fresh for each in self._offers.values() if each.ready]
        return max(max(until, default=0.0) - self._seconds(), 0.0)

    def put(self, found: Iterable[Ready], platforms: Collection[str], *, has_more: bool) -> None:
        """Take in what a look at these platforms found, in place of what was found before."""
        now = self._seconds()
        self._offers |= {each: _Offer({}, has_more, now) for each in platforms}
        for ready in found:
            if ready.platform in platforms:
                self._offers[ready.platform].ready[ready.id] = ready

    def drop(self, ids: Iterable[int]) -> None:
        """Leave out what was taken up, or is gone."""
        for each in ids:
            for offer in self._offers.values():
                offer.ready.pop(each, None)

    def wanting(self, platforms: Iterable[str]) -> list[str]:
        """Return those of some platforms that are to be looked at again."""
        return [each for each in platforms if self._wants(self._offers.get(each))]

    def _wants(self, offer: _Offer | None) -> bool:
        if offer is None or not self._is_fresh(offer):
            return True
        return offer.has_more and not offer.ready

    def _is_fresh(self, offer: _Offer) -> bool:
        return self._seconds() - offer.found_at < self._fresh
