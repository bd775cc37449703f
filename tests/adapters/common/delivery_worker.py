"""A delivery worker that sends through a platform's channel client in tests."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from bot.coordination.wakeup import WakeUp
from bot.operations.metrics import Metrics
from bot.posting.delivery.timing import Timing
from bot.posting.delivery.worker import DeliveryWorker
from bot.posting.ports import ChannelClient
from store.database import Database, Session
from tests.adapters.common.services import NOW
from tests.bot.conftest import FixedClock

_QUICK = Timing(idle=0.1)


@asynccontextmanager
async def sending(database: Database, platform: str, client: ChannelClient) -> AsyncIterator[None]:
    """Send and edit posts until the block ends, looking for them ten times a second."""
    clock = FixedClock(NOW)
    outbox = DeliveryWorker(database, {platform: client}, clock, WakeUp(), Metrics(), timing=_QUICK)
    task = asyncio.create_task(outbox.run())
    try:
        yield
    finally:
        await outbox.stop(1)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(holds: Callable[[], bool], seconds: float = 15) -> None:
    """Wait until something holds.

    Raises:
        TimeoutError: if it doesn't in time.
    """
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - what is looked at has no event
            await asyncio.sleep(0.02)


async def until_seen(database: Database, papers: int) -> None:
    """Wait until so many papers are noted as seen by people, which happens behind answers.

    Raises:
        TimeoutError: if they aren't in time.
    """

    def noted(session: Session) -> int:
        rows = session.connection().exec_driver_sql("SELECT count(*) FROM seen_paper")
        return int(rows.scalar_one())

    async with asyncio.timeout(15):
        while await database.read(noted) < papers:  # noqa: ASYNC110 - a store has no event
            await asyncio.sleep(0.02)
