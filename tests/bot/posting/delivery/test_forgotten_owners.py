"""Subscriptions whose owner had everything about them deleted."""

from store.database import Database
from store.posting.notices import list_notices
from store.records import DeliveryState, SubscriptionState
from tests.bot.posting.delivery.setup import Stage
from tests.fakes.channel_client import Fault


async def test_an_order_of_nobody_ends_without_telling_anyone(database: Database) -> None:
    """It is refused as any other, and what its owner was to be told is forgotten."""
    stage = Stage(database)
    stage.client.faults.append(Fault.FORBIDDEN)
    await stage.takes_in()
    await stage.ordered(owner="")
    await stage.tick()
    async with stage.sending():
        await stage.until(DeliveryState.DEAD)
        while await database.read(list_notices, stage.clock.now()):
            stage.wake_up.notify()
            await stage.until(DeliveryState.DEAD)
    assert (await stage.order()).state is SubscriptionState.REFUSED
    assert stage.client.notifications == []
