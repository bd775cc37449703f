"""What a process has in hand, and how much more it may take up."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from operator import itemgetter

from bot.posting.delivery.timing import Pace
from store.posting.queue import ReadyDelivery

# More is taken up when no more than this share is left: not every end is followed by a look.
_REFILLED = 0.75


@dataclass(frozen=True, slots=True)
class _Run:
    """A delivery that is being carried out."""

    ready: ReadyDelivery
    task: asyncio.Task[None]


class Hands:
    """The deliveries that are being carried out, so many of a platform and of a workspace at most.

    What waits for one platform's limits leaves the others' hands free.

    Args:
        pace: tells how many.
    """

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._runs: dict[int, _Run] = {}
        self._on: Counter[str] = Counter()
        self._of: Counter[int] = Counter()
        # When something was last taken up for a workspace, as a number that is counted up.
        self._served: dict[int, int] = {}
        self._takes = 0

    def __contains__(self, delivery: object) -> bool:
        return delivery in self._runs

    @property
    def tasks(self) -> set[asyncio.Task[None]]:
        """What carries them out."""
        return {run.task for run in self._runs.values()}

    def room(self, platform: str) -> int:
        """Return how many more of a platform there may be."""
        return max(self._pace.together - self._on[platform], 0)

    @property
    def channels(self) -> frozenset[int]:
        """The channels that they go to, by ids of the database."""
        return frozenset(run.ready.channel for run in self._runs.values())

    @property
    def full(self) -> frozenset[int]:
        """The workspaces of which there may be no more, by ids of the database."""
        return frozenset(each for each in self._of if self._of[each] >= self._pace.of_one)

    def want_more(self, like: ReadyDelivery) -> bool:
        """Tell whether so few are left of one's platform and workspace that more is to be taken."""
        few = self._on[like.platform] <= _REFILLED * self._pace.together
        return few and self._of[like.workspace] <= _REFILLED * self._pace.of_one

    def workspace(self, delivery: int) -> int:
        """Return the workspace of a delivery in hand."""
        return self._runs[delivery].ready.workspace

    def chosen(self, candidates: Iterable[ReadyDelivery]) -> list[ReadyDelivery]:
        """Return the candidates that there is room for as far as their workspaces go, in order.

        First comes one of each workspace, of that first for which nothing was taken up for longest.
        """
        of, chosen, turns = self._of.copy(), [], Counter[int]()
        for ready in candidates:
            if ready.id not in self._runs and of[ready.workspace] < self._pace.of_one:
                of[ready.workspace] += 1
                turns[ready.workspace] += 1
                chosen.append((turns[ready.workspace], self._served.get(ready.workspace, 0), ready))
        return [ready for _, _, ready in sorted(chosen, key=itemgetter(0, 1))]

    def take(self, ready: ReadyDelivery, task: asyncio.Task[None]) -> None:
        """Take a delivery up, carried out by a task."""
        self._runs[ready.id] = _Run(ready, task)
        self._on[ready.platform] += 1
        self._of[ready.workspace] += 1
        self._takes += 1
        self._served[ready.workspace] = self._takes

    def let_go(self, ready: ReadyDelivery) -> None:
        """Let go of a delivery."""
        del self._runs[ready.id]
        self._on[ready.platform] -= 1
        self._of[ready.workspace] -= 1
        if not self._of[ready.workspace]:
            del self._of[ready.workspace]
