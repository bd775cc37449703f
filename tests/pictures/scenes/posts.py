"""Waiting for posts, which a worker sends."""

import asyncio

from store.database import Database
from store.posting.deliveries import list_deliveries
from store.records import DeliveryState

_SECONDS = 30


async def all_sent(database: Database) -> None:
    """Wait until every delivery is sent.

    Raises:
        TimeoutError: if that takes half a minute.
    """
    async with asyncio.timeout(_SECONDS):
        while not await _are_sent(database):  # noqa: ASYNC110 - a store has no event
            await asyncio.sleep(0.02)


async def _are_sent(database: Database) -> bool:
    made = await database.read(list_deliveries)
    return bool(made) and all(each.state is DeliveryState.SENT for each in made)
