"""Deliveries taken into this process's hands, many at once."""

import logging
from collections.abc import Sequence
from datetime import timedelta

from bot.clock import Clock
from bot.operations.health import unforeseen
from bot.operations.metrics import Metrics
from bot.posting.delivery.timing import Pace
from store.database import Database
from store.errors import StoreError
from store.posting import claim, queue
from store.posting.claim import ClaimedDelivery
from store.posting.queue import ReadyDelivery

_log = logging.getLogger(__name__)


class Claiming:
    """Claims deliveries.

    Args:
        database: the store.
        owner: the process that claims them.
        metrics: counts those that can't even be read.
        wall: the time that no setting moves.
        pace: tells how long these wait.
    """

    def __init__(
        self, database: Database, owner: str, metrics: Metrics, wall: Clock, pace: Pace
    ) -> None:
        self._database = database
        self._owner = owner
        self._metrics = metrics
        self._wall = wall
        self._pace = pace

    async def claimed(
        self, candidates: Sequence[ReadyDelivery], most: int
    ) -> list[ClaimedDelivery]:
        """Claim so many, in order, but for those that somebody else took.

        Raises:
            StoreError: where nothing could be written.
        """
        try:
            return await self._database.write_locking_rows(
                claim.claim_deliveries, candidates, self._owner, most
            )
        except StoreError:
            raise
        except Exception:  # noqa: BLE001 - one of them; the others are to be sent
            _log.exception("deliveries_not_claimed")
        claimed: list[ClaimedDelivery] = []
        for ready in candidates[:most]:
            claimed += await self._alone(ready)
        return claimed

    async def _alone(self, ready: ReadyDelivery) -> list[ClaimedDelivery]:
        """Claim one delivery; one that can't even be read waits."""
        try:
            return await self._database.write_locking_rows(
                claim.claim_deliveries, [ready], self._owner, 1
            )
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - the same
            facts = {"delivery": ready.id, "platform": ready.platform}
            _log.exception("delivery_failed", extra=facts)
            self._metrics.delivered(ready.platform, "failed")
            until = self._wall.now() + timedelta(seconds=self._pace.longest_wait)
            await self._database.write(queue.postpone, ready, until, unforeseen(error))
            return []
