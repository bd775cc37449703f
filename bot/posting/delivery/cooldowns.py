"""What is sent nothing for a while: workspaces that asked for that or are crowded."""

import logging
from collections.abc import Callable
from datetime import timedelta

from bot.clock import Clock
from bot.posting.delivery.capacity import Hands
from store.database import Database
from store.errors import StoreError
from store.posting.queue import LONGEST_WAIT
from store.workspaces import workspaces

_log = logging.getLogger(__name__)


class Rests:
    """Until when which workspace is sent nothing, by a clock that only goes forward.

    What a platform asked for stands in the store as well, where other processes find it before
    they take anything up; what this one has in hand goes by this. Where it is only crowded, what
    has its turn already uses that.

    Args:
        database: the store.
        wall: the time that no setting moves.
        hands: the deliveries in hand.
        seconds: that clock.
    """

    def __init__(
        self, database: Database, wall: Clock, hands: Hands, seconds: Callable[[], float]
    ) -> None:
        self._database = database
        self._wall = wall
        self._hands = hands
        self._seconds = seconds
        self._asked: dict[int, float] = {}
        self._crowded: dict[int, float] = {}
        self.stopping = False

    def pause(self, delivery: int) -> float | None:
        """Return for how many seconds a delivery is to pause, `None` where it may go on."""
        if self.stopping:
            return 0.0
        left = self._asked.get(self._hands.workspace(delivery), 0.0) - self._seconds()
        return left if left > 0 else None

    def crowd(self, delivery: int, seconds: float) -> None:
        """Take nothing up for a delivery's workspace: what is in hand takes so many seconds."""
        self._rest(self._crowded, delivery, seconds)

    async def ask(self, delivery: int, seconds: float) -> None:
        """Leave a delivery's workspace alone, as the platform asked; so do the others."""
        self._rest(self._asked, delivery, seconds)
        workspace = self._hands.workspace(delivery)
        until = self._wall.now() + min(timedelta(seconds=seconds), LONGEST_WAIT)
        try:
            await self._database.write_locking_rows(workspaces.start_cooldown, workspace, until)
        except StoreError as error:
            # The platform tells the others as well.
            _log.warning("rest_not_noted", extra={"reason": error.sentence})

    def resting(self) -> dict[int, float]:
        """Return the workspaces that are sent nothing, and for how many seconds."""
        now, left = self._seconds(), dict[int, float]()
        for rests in (self._asked, self._crowded):
            for each, until in [*rests.items()]:
                if until > now:
                    left[each] = max(until - now, left.get(each, 0.0))
                else:
                    del rests[each]
        return left

    def _rest(self, rests: dict[int, float], delivery: int, seconds: float) -> None:
        workspace = self._hands.workspace(delivery)
        until = self._seconds() + min(seconds, LONGEST_WAIT.total_seconds())
        rests[workspace] = max(until, rests.get(workspace, until))
