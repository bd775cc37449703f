"""What is sent without being asked for: imports that alerts match, and waiting for the worker."""

import asyncio

from bot.coordination.wakeup import WakeUp
from bot.library.content import FRESH_SECONDS
from bot.posting.alerts import AlertMatching
from bot.posting.delivery.timing import Clocks
from store.database import Database
from store.posting.deliveries import list_deliveries
from store.posting.personal_deliveries import enqueue_digest
from store.posting.subscriptions import list_subscriptions
from store.records import DeliveryState
from tests.adapters.common.services import NOW
from tests.bot.conftest import FixedClock
from tests.pictures.editions import import_list

_SECONDS = 30


async def alerts_sent(database: Database) -> None:
    """Import the list of a team, and wait until its alerts are sent."""
    await import_list(database)
    clock = FixedClock(NOW)
    await AlertMatching(database, Clocks(clock, clock), WakeUp()).run(0)
    await all_sent(database)
    # A bot sees what another process imported after so long: all scenes after this have the list.
    await asyncio.sleep(FRESH_SECONDS)


async def digest_sent(database: Database) -> None:
    """Have the first subscription to a personal digest be due, and wait until it is sent."""
    every = await database.read(list_subscriptions)
    due = [each.id for each in every if each.personal and each.id]
    await database.write(enqueue_digest, due[:1], NOW, NOW)
    await all_sent(database)


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
