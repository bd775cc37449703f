"""What a look at the queue found, to be taken up piece by piece."""

import math
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field

from bot.clock import Clock
from bot.coordination.stale_work import Watching
from bot.posting.delivery.capacity import Hands
from bot.posting.delivery.cooldowns import Rests
from bot.posting.delivery.timing import Pace
from bot.posting.delivery.unconfirmed import Awaiting
from store.database import Database
from store.posting import queue
from store.posting.queue import Queue, ReadyDelivery


@dataclass(slots=True)
class _Offer:
    """What was found for a platform, by id, and whether more is behind it."""

    ready: dict[int, ReadyDelivery] = field(default_factory=dict)
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

    def __iter__(self) -> Iterator[ReadyDelivery]:
        """Give what may be taken up, in the order that it was found in."""
        for offer in self._offers.values():
            if self._is_fresh(offer):
                yield from offer.ready.values()

    @property
    def left(self) -> float:
        """For how many seconds there is something that may be taken up."""
        until = [each.found_at + self._fresh for each in self._offers.values() if each.ready]
        return max(max(until, default=0.0) - self._seconds(), 0.0)

    def put(
        self, found: Iterable[ReadyDelivery], platforms: Collection[str], *, has_more: bool
    ) -> None:
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


# So many are found by one look, which is good for so many seconds.
_MOST = 200
_FRESH = 2.0
_NOTHING = Queue([], [], None)


class Finding:
    """Finds what is ready, and what a holder that is gone left.

    Args:
        database: the store.
        platforms: the names of those that are served.
        hands: what is in hand already.
        rests: knows what is to be left alone.
        wall: the time that no setting moves.
        pace: how long a lease is, and between two looks at most.
        seconds: a clock that only goes forward.
        owner: this process, as the store knows it.
        awaiting: knows of what this process holds when it is to be looked for.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what it is made of is handed over piece by piece
        self,
        database: Database,
        platforms: Collection[str],
        hands: Hands,
        rests: Rests,
        wall: Clock,
        pace: Pace,
        seconds: Callable[[], float],
        owner: str,
        awaiting: Awaiting,
    ) -> None:
        self._owner = owner
        self._awaiting = awaiting
        self._database = database
        self._platforms = platforms
        self._hands = hands
        self._rests = rests
        self._wall = wall
        self._seconds = seconds
        self._fresh = min(_FRESH, pace.idle)
        self._offers = Offers(self._fresh, seconds)
        self._watching: Watching[ReadyDelivery] = Watching(pace.lease, seconds)
        self._found = _NOTHING
        self._looked_at = -math.inf
        self._spin = 0

    async def look(self, platforms: Collection[str]) -> bool:
        """Find what is ready on some platforms; return whether there is more than was found.

        Raises:
            StoreError: where the store can't be read.
        """
        found = self._found = await self._database.read(
            queue.find_ready,
            tuple(self._platforms),
            self._wall.now(),
            _MOST,
            busy=self._hands.channels,
            full=self._hands.full | frozenset(self._rests.resting()),
            closed=[each for each in self._platforms if each not in platforms],
            rotation=self._spin,
        )
        has_more = len(found.ready) >= _MOST
        # Where more wait than are found, the next look finds those of other workspaces.
        self._spin = secrets.randbits(16) if has_more else 0
        overdue = self._watching.overdue(found.claimed, self._hands)
        taken = [*overdue, *self._awaited(found), *found.ready]
        self._offers.put(taken, platforms, has_more=has_more)
        self._looked_at = self._seconds()
        return has_more

    def _awaited(self, found: Queue) -> list[ReadyDelivery]:
        """Return what this process keeps and is to look for now; forget what it lost."""
        due = self._awaiting.due()
        kept = [each for each, owner in found.claimed if owner == self._owner and each.id in due]
        for lost in due.difference(each.id for each in kept):
            self._awaiting.forget(lost)
        return [each for each in kept if each.id not in self._hands]

    def offered(self, platform: str) -> list[ReadyDelivery]:
        """Return what may be taken up on a platform, in the order that it was found in."""
        resting = self._rests.resting()
        return [
            each
            for each in self._offers
            if each.platform == platform and each.workspace not in resting
        ]

    def drop(self, ids: Iterable[int]) -> None:
        """Leave out what was taken up, or is gone."""
        self._offers.drop(ids)

    def wanting(self, platforms: Collection[str]) -> list[str]:
        """Return those of some platforms that are to be looked at again."""
        return self._offers.wanting(platforms)

    @property
    def is_late(self) -> bool:
        """Whether the last look is so long ago that others may have left something."""
        return self._seconds() - self._looked_at >= self._fresh

    @property
    def nothing(self) -> bool:
        """Whether nothing was ready at the last look, and nothing in anybody's hands."""
        return not self._found.ready and not self._found.claimed

    @property
    def offers_more(self) -> bool:
        """Whether something may be taken up."""
        return self._offers.left > 0

    @property
    def left(self) -> float:
        """For how many seconds nothing new is worth a look; `inf` where nothing waits."""
        next_look = self._awaiting.next_at
        until_look = math.inf if next_look is None else next_look - self._seconds()
        if self._found.next_at is None:
            return until_look
        until_next = (self._found.next_at - self._wall.now()).total_seconds()
        return min(max(until_next, self._offers.left), until_look)
