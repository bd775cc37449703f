"""Transitions of deliveries, recorded in batches: those that come during a write share the next."""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence

from store.database import Database
from store.errors import StoreError
from store.posting import transitions
from store.posting.claim import DeliveryClaim
from store.posting.transitions import Transition

_log = logging.getLogger(__name__)
_BATCH = 100
_Waiting = tuple[Transition, asyncio.Future[DeliveryClaim]]


class TransitionBatcher:
    """Records the transitions of all attempts in flight.

    An attempt awaits each transition before the next, so those of one delivery keep their order.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: deque[_Waiting] = deque()
        self._writing: asyncio.Task[None] | None = None

    async def record(self, transition: Transition) -> DeliveryClaim:
        """Record a transition durably; return the claim with its new fencing token.

        Raises:
            LeaseLost: if another process has claimed the delivery.
            StoreError: if it can't be recorded.
        """
        recorded: asyncio.Future[DeliveryClaim] = asyncio.get_running_loop().create_future()
        self._waiting.append((transition, recorded))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write(), name="transitions")
        return await recorded

    async def _write(self) -> None:
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), _BATCH))]
            try:
                await self._write_batch(batch)
            except StoreError as error:
                if type(error) is StoreError:  # one statement was refused
                    await self._write_singly(batch)
                else:
                    await _resolve(batch, [error] * len(batch))
            except Exception:  # noqa: BLE001 - one transition failed; the others are recorded
                _log.exception("transitions_not_recorded")
                await self._write_singly(batch)

    async def _write_batch(self, batch: list[_Waiting]) -> None:
        steps = [step for step, _ in batch]
        await _resolve(
            batch, await self._database.write_durably(transitions.record_transitions, steps)
        )

    async def _write_singly(self, batch: list[_Waiting]) -> None:
        for waiting in batch:
            try:
                await self._write_batch([waiting])
            except Exception as error:  # noqa: BLE001 - raised in the attempt that waits
                await _resolve([waiting], [error])


async def _resolve(batch: list[_Waiting], results: Sequence[DeliveryClaim | Exception]) -> None:
    """Resolve the futures one after another, so that the event loop is not held up."""
    for (_, recorded), result in zip(batch, results, strict=True):
        if recorded.done():  # the attempt was cancelled
            continue
        if isinstance(result, Exception):
            recorded.set_exception(result)
        else:
            recorded.set_result(result)
        await asyncio.sleep(0)
