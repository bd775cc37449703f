"""Deliveries claimed for this process, many at once."""

import logging
from collections.abc import Sequence
from datetime import timedelta

from bot.operations.health import unforeseen
from bot.operations.metrics import Metrics
from bot.posting.delivery.timing import Clocks, Timing
from store.database import Database
from store.errors import StoreError
from store.posting import claim, queue
from store.posting.claim import ClaimedDelivery
from store.posting.queue import ReadyDelivery

_log = logging.getLogger(__name__)


class Claimer:
    """Claims deliveries for a process, its `owner`; raises `StoreError` if it can't write."""

    def __init__(
        self, database: Database, owner: str, metrics: Metrics, clocks: Clocks, timing: Timing
    ) -> None:
        self._database = database
        self._owner = owner
        self._metrics = metrics
        self._clocks = clocks
        self._timing = timing

    async def claim(self, candidates: Sequence[ReadyDelivery], limit: int) -> list[ClaimedDelivery]:
        """Claim up to `limit` candidates in order, except those that other processes claimed."""
        try:
            return await self._database.write_locking_rows(
                claim.claim_deliveries, candidates, self._owner, limit
            )
        except StoreError:
            raise
        except Exception:  # noqa: BLE001 - one of them failed; the others are claimed
            _log.exception("deliveries_not_claimed")
        claimed: list[ClaimedDelivery] = []
        for ready in candidates[:limit]:
            claimed += await self._claim_singly(ready)
        return claimed

    async def _claim_singly(self, ready: ReadyDelivery) -> list[ClaimedDelivery]:
        """Claim one delivery; postpone one that can't be read."""
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
            until = self._clocks.now() + timedelta(seconds=self._timing.longest_wait)
            await self._database.write(queue.postpone, ready, until, unforeseen(error))
            return []
