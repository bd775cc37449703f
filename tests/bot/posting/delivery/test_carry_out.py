"""Deliveries driven one by one, as another engine would drive them."""

import asyncio
import time
from dataclasses import replace

from bot.clock import SystemClock
from bot.coordination.wakeup import WakeUp
from bot.operations.metrics import Metrics
from bot.posting.delivery.worker import DeliveryWorker
from store.database import Database
from store.posting import claim, queue
from store.records import DeliveryState
from tests.bot.posting.delivery.setup import DUE, QUICK, Stage
from tests.fakes.channel_client import Fault

LONG = replace(QUICK, send=30.0, lease=60.0)


def _worker(stage: Stage, replica: str = "") -> DeliveryWorker:
    return DeliveryWorker(
        stage.database,
        {"test": stage.client},
        SystemClock(),
        WakeUp(),
        Metrics(),
        timing=stage.timing,
        replica=replica,
    )


async def _due(stage: Stage) -> int:
    await stage.takes_in()
    await stage.ordered()
    await stage.tick()
    [delivery] = await stage.deliveries()
    return delivery.id


async def _state(stage: Stage) -> DeliveryState:
    [delivery] = await stage.deliveries()
    return delivery.state


async def test_a_delivery_that_is_carried_out_twice_is_sent_once(database: Database) -> None:
    """At the same time, by one process and by two, and again later."""
    stage = Stage(database, timing=LONG)
    delivery = await _due(stage)
    one, other = _worker(stage), _worker(stage)
    made = await asyncio.gather(*(w.carry_out(delivery) for w in (one, one, other, other)))
    assert sorted(made) == [False, False, False, True]
    assert not await one.carry_out(delivery)
    assert stage.client.calls == ["send"]
    assert await _state(stage) is DeliveryState.SENT


async def test_what_is_not_due_is_not_carried_out(database: Database) -> None:
    """A delivery that waits for its retry waits; one that does not exist is nothing."""
    stage = Stage(database, timing=replace(LONG, first_wait=600.0))
    stage.client.faults.append(Fault.UNAVAILABLE)
    delivery = await _due(stage)
    worker = _worker(stage)
    assert await worker.carry_out(delivery)
    assert await _state(stage) is DeliveryState.RETRY
    assert not await worker.carry_out(delivery)
    assert not await worker.carry_out(delivery + 1)
    assert stage.client.calls == ["send"]


async def test_a_message_that_may_have_arrived_is_looked_for(database: Database) -> None:
    """The next call finds it, and sends nothing again."""
    stage = Stage(database)
    stage.client.faults.append(Fault.LOST_AFTER)
    delivery = await _due(stage)
    worker = _worker(stage)
    assert await worker.carry_out(delivery)
    async with asyncio.timeout(20):
        while await _state(stage) is not DeliveryState.SENT:
            await worker.carry_out(delivery)
            await asyncio.sleep(0.02)
    assert stage.client.calls[0] == "send"
    assert set(stage.client.calls[1:]) == {"find"}


async def test_a_claim_of_a_process_that_is_gone_is_taken_over_after_its_lease(
    database: Database,
) -> None:
    """Not before this process saw it unchanged for as long."""
    stage = Stage(database)
    delivery = await _due(stage)
    found = await database.read(queue.find_ready, ["test"], DUE.replace(year=2090), 9)
    await database.write_locking_rows(claim.claim_deliveries, found.ready, "gone", 9)
    worker = _worker(stage, "here")
    assert not await worker.carry_out(delivery)
    seen = time.monotonic()
    async with asyncio.timeout(20):
        while not await worker.carry_out(delivery):  # noqa: ASYNC110 - a claim has no event
            await asyncio.sleep(0.02)
    assert time.monotonic() - seen >= QUICK.lease - 0.1
    assert await _state(stage) is DeliveryState.SENT


async def test_a_worker_that_stops_carries_nothing_out(database: Database) -> None:
    """What is due stays due for another process."""
    stage = Stage(database, timing=LONG)
    delivery = await _due(stage)
    worker = _worker(stage)
    await worker.stop(1)
    assert not await worker.carry_out(delivery)
    assert await _worker(stage).carry_out(delivery)
