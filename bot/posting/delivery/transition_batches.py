"""Steps of deliveries noted together: what comes while one transaction is written shares the next.

Each delivery's own steps stay in their order, for it takes none before the last was noted.
"""

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
_AT_ONCE = 100
_Waiting = tuple[Transition, asyncio.Future[DeliveryClaim]]


class Noting:
    """Notes steps.

    Args:
        database: the store.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: deque[_Waiting] = deque()
        self._writing: asyncio.Task[None] | None = None

    async def note(self, step: Transition) -> DeliveryClaim:
        """Note a step, to outlast a power cut, and return how the delivery is held now.

        Raises:
            LeaseLost: where somebody else holds it.
            StoreError: where it could not be noted.
        """
        noted: asyncio.Future[DeliveryClaim] = asyncio.get_running_loop().create_future()
        self._waiting.append((step, noted))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write(), name="noting")
        return await noted

    async def _write(self) -> None:
        while self._waiting:
            most = min(len(self._waiting), _AT_ONCE)
            batch = [self._waiting.popleft() for _ in range(most)]
            try:
                await self._note(batch)
            except StoreError as error:
                if type(error) is StoreError:  # a statement was refused: that of one of them
                    await self._one_by_one(batch)
                else:
                    await _tell(batch, [error] * len(batch))
            except Exception:  # noqa: BLE001 - one of them; the others are to be noted
                _log.exception("steps_not_noted")
                await self._one_by_one(batch)

    async def _note(self, batch: list[_Waiting]) -> None:
        noted = await self._database.write_durably(
            transitions.record_transitions, [step for step, _ in batch]
        )
        await _tell(batch, noted)

    async def _one_by_one(self, batch: list[_Waiting]) -> None:
        for each in batch:
            try:
                await self._note([each])
            except Exception as error:  # noqa: BLE001 - whoever waits is told
                await _tell([each], [error])


async def _tell(batch: list[_Waiting], noted: Sequence[DeliveryClaim | Exception]) -> None:
    """Tell whoever waits, one after the other: what each does next is not done in one go."""
    for (_, waiting), each in zip(batch, noted, strict=True):
        if waiting.done():  # whoever waited was ended
            continue
        if isinstance(each, Exception):
            waiting.set_exception(each)
        else:
            waiting.set_result(each)
        await asyncio.sleep(0)
