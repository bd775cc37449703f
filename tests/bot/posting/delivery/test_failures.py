"""What goes wrong with one delivery leaves the others alone, and says so."""

import asyncio
import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import text

from bot.coordination.wakeup import WakeUp
from bot.errors import RetryLater
from bot.operations.health import State
from bot.operations.metrics import Metrics
from bot.posting.delivery.timing import Timing
from bot.posting.delivery.worker import DeliveryWorker
from bot.posting.ports import Message, PostedMessage
from store.database import Database, Session
from store.errors import LeaseLost, StoreBusy
from store.posting import queue, transitions
from store.posting.change_subscription import change
from store.posting.claim import DeliveryClaim
from store.posting.notices import refuse_subscription
from store.posting.transitions import PartBegun, PartSent
from store.records import DeliveryState, Layout, Part, Refusal, Subscription
from tests.bot.posting.delivery.setup import DUE, PATIENCE, QUICK, MovedClock, Stage, channel, until
from tests.fakes.channel_client import Fault, MemoryChannelClient
from tests.store.posting.delivery_rows import taken

pytestmark = pytest.mark.on_sqlite

PATIENT = replace(QUICK, send=30.0, lease=60.0)


@pytest.mark.parametrize("layout", [Layout.COMPACT, Layout.THREAD])
@pytest.mark.parametrize("fault", [Fault.BUG_BEFORE, Fault.BUG_AFTER])
async def test_what_nobody_foresaw_is_gone_on_with(
    database: Database, fault: Fault, layout: Layout
) -> None:
    """The delivery says what happened, waits for its lease, and is looked for: it stands once."""
    stage = Stage(database, timing=replace(QUICK, lease=1.5))  # as long it can be seen to wait
    stage.client.faults.append(fault)
    await stage.due(layout)
    async with stage.sending():
        delivery = await stage.until(DeliveryState.RETRY)
        assert delivery.error == "Something unforeseen went wrong (KeyError)."
        await stage.until(DeliveryState.SENT)
    keys = [each.message.key for each in stage.client.messages]
    assert len(set(keys)) == len(keys) == (1 if layout is Layout.COMPACT else 4)
    told, _ = stage.metrics.text()
    assert b'broadsheet_deliveries_total{outcome="failed",platform="test"} 1.0' in told


async def test_a_correction_that_nobody_foresaw_to_fail_is_made(database: Database) -> None:
    """It is tried again, and what was sent stays sent meanwhile."""
    stage = Stage(database)
    await stage.sent()
    stage.client.edit_faults.append(Fault.BUG_BEFORE)
    await stage.corrects()
    await stage.tick()
    async with stage.sending(), asyncio.timeout(PATIENCE):
        while not stage.client.messages[0].edits:
            assert [each.state for each in await stage.deliveries()] == [DeliveryState.SENT]
            await asyncio.sleep(0.01)


async def test_what_can_not_be_read_holds_nobody_up(database: Database) -> None:
    """A row that is broken is noted as that, tried now and then, and the other is sent."""
    stage = Stage(database, timing=replace(QUICK, longest_wait=60.0))
    await stage.takes_in()
    await stage.ordered()
    await stage.ordered(channel=channel("C2"))
    await stage.tick()

    def breaks(session: Session) -> None:
        connection, columns = session.connection(), "delivery_id, number, key, refs, state"
        broken = f"INSERT INTO delivery_part ({columns}) VALUES (1, 1, 'k', '5', 'pending')"  # noqa: S608 - nothing of it is given
        connection.execute(text(broken))
        connection.execute(text("UPDATE delivery SET state = 'retry' WHERE id = 1"))

    await database.write(breaks)

    def told(session: Session) -> tuple[str | None, int]:
        query = text("SELECT error, fencing_token FROM delivery WHERE id = 1")
        found = session.connection().execute(query).one()
        return found.error, found.fencing_token

    async with stage.sending():
        await stage.stands(1)
        await asyncio.sleep(0.2)
        assert await database.read(told) == ("Something unforeseen went wrong (TypeError).", 1)
    assert stage.client.messages[0].message.channel == channel("C2")


@dataclass
class StuckClient(MemoryChannelClient):
    """Never has an answer for one channel."""

    async def send(self, message: Message) -> PostedMessage:
        """Wait for ever, or take a message."""
        if message.channel.external_id == "C1":
            self.calls.append("stuck")
            await asyncio.Event().wait()
        return await MemoryChannelClient.send(self, message)


async def test_a_channel_that_is_stuck_holds_no_other_up(database: Database) -> None:
    """However much is due to it, and before the others."""
    stage = Stage(database, StuckClient(), timing=PATIENT)
    await stage.takes_in()
    for number in range(120):
        await stage.ordered(owner=f"U{number}")
    await stage.ordered(channel=channel("C2"))
    await stage.tick()
    async with stage.sending():
        await stage.stands(1)
    assert stage.client.messages[0].message.channel == channel("C2")
    assert stage.client.calls.count("stuck") <= 1


@dataclass
class LimitedClient(MemoryChannelClient):
    """Asks a workspace to wait with the first message that goes there."""

    limited: str = "T1"
    seconds: float = 0.5
    asked: list[str] = field(default_factory=list)

    async def send(self, message: Message) -> PostedMessage:
        """Refuse the first message to one workspace for a while."""
        workspace = message.channel.workspace.external_id
        self.asked.append(workspace)
        if workspace == self.limited and self.asked.count(workspace) == 1:
            raise RetryLater("Send less for a while.", after=self.seconds)
        return await MemoryChannelClient.send(self, message)


async def test_a_workspace_that_asks_to_wait_is_left_alone(database: Database) -> None:
    """What goes to its other channels waits as long, and what goes elsewhere does not."""
    stage = Stage(database, LimitedClient(), timing=replace(QUICK, per_platform=1))
    await stage.takes_in()
    await stage.ordered()
    await stage.ordered(channel=channel("C2"))
    await stage.ordered(channel=channel("C3", "T2"))
    await stage.tick()
    async with stage.sending():
        await stage.stands(3)
    assert isinstance(stage.client, LimitedClient)
    # Either workspace may be first; the other's post does not wait for the refused one.
    assert sorted(stage.client.asked[:2]) == ["T1", "T2"]
    assert stage.client.asked[2:] == ["T1", "T1"]


async def test_a_thread_pauses_where_its_workspace_asks_to_wait(database: Database) -> None:
    """What was begun side by side stops at its next message, and goes on there."""
    client = LimitedClient(gap=0.1, limited="T1", seconds=0.4)
    stage = Stage(database, client, timing=replace(QUICK, lease=30.0))
    await stage.takes_in()
    await stage.ordered(Layout.THREAD)
    await stage.ordered(Layout.THREAD, channel=channel("C2"))
    await stage.tick()
    async with stage.sending():
        await stage.stands(8)
        await stage.until(DeliveryState.SENT, lambda each: each.id == 2)
    keys = [each.message.key for each in stage.client.messages]
    assert len(set(keys)) == 8
    assert stage.client.calls.count("send") == 8
    # What the platform puts off is no attempt.
    attempts = [each.attempts for each in await stage.deliveries()]
    assert attempts == [1, 1]


@dataclass
class DeafClient(MemoryChannelClient):
    """Never has an answer for what people are told."""

    asked: asyncio.Event = field(default_factory=asyncio.Event)

    async def notify_user(self, *_: object) -> None:
        """Wait for ever."""
        self.asked.set()
        await asyncio.Event().wait()


async def test_owners_hold_no_post_up(database: Database) -> None:
    """A platform that does not take what an owner is told takes posts, and the end is not late."""
    client = DeafClient()
    stage = Stage(database, client, timing=PATIENT)
    stage.client.faults.append(Fault.GONE)
    await stage.due()
    async with stage.sending() as worker:
        await stage.until(DeliveryState.DEAD)
        await client.asked.wait()
        await stage.ordered(channel=channel("C2"))
        await stage.tick()
        await stage.stands(1)
        async with asyncio.timeout(PATIENCE):
            await worker.stop(0.1)


@dataclass
class GatedClient(DeafClient):
    """Takes what people are told when its gate opens."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)

    async def notify_user(self, *said: Any) -> None:
        """Wait for the gate, and take it."""
        self.asked.set()
        await self.gate.wait()
        await MemoryChannelClient.notify_user(self, *said)


async def test_at_the_end_no_further_owner_is_told(database: Database) -> None:
    """Who is being told is; the others are told by whoever goes on."""
    client = GatedClient()
    stage = Stage(database, client, timing=PATIENT)
    for number in range(3):
        order = await stage.ordered(channel=channel(f"C{number}"))
        refusal = Refusal("It is gone.", "Look for it.")
        await database.write(refuse_subscription, order, refusal, f"k{number}", datetime.now(UTC))
    async with stage.sending() as worker:
        await client.asked.wait()
        ending = asyncio.create_task(worker.stop(PATIENCE))
        await asyncio.sleep(0)
        client.gate.set()
        await ending
    assert len(client.notifications) == 1


async def test_a_notice_that_can_not_be_read_is_logged(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody is told then, and it is tried again: posts go on, and so does looking."""
    stage = Stage(database)
    await stage.takes_in()
    order = await stage.ordered()
    await database.write(
        refuse_subscription, order, Refusal("It is gone.", ""), "k1", datetime.now(UTC)
    )

    def breaks(session: Session) -> None:
        session.connection().execute(text("UPDATE subscription SET topics = '5'"))

    await database.write(breaks)
    async with stage.sending():
        await until(lambda: caplog.messages.count("delivery_worker_failed") > 1)


@pytest.mark.parametrize("fault", [Fault.STUCK_BEFORE, Fault.STUCK_AFTER])
async def test_an_end_while_sending_leaves_what_can_be_gone_on_with(
    database: Database, fault: Fault
) -> None:
    """What does not arrive in time stays `sending`, and the next process makes one of it."""
    stage = Stage(database)
    stage.client.faults.append(fault)
    await stage.due()
    async with stage.sending() as worker:
        await stage.client.reached.wait()
        await worker.stop(0.05)
        assert [each.state for each in await stage.deliveries()] == [DeliveryState.SENDING]
    async with stage.sending():
        await stage.until(DeliveryState.SENT)
    assert len(stage.client.messages) == 1


class FullDisk(Database):
    """A store that is read and takes nothing down."""

    writes = 0

    async def write(self, *_: object, **__: object) -> object:  # type: ignore[override] # it takes anything
        """Refuse."""
        self.writes += 1
        raise StoreBusy

    write_locking_rows = write_durably = write  # type: ignore[assignment] # the same


async def test_a_store_that_takes_nothing_down_is_left_alone(database: Database) -> None:
    """It is tried once in a while, and health says so; nothing is sent that can't be noted."""
    stage = Stage(database)
    await stage.due()
    async with FullDisk(database.url.render_as_string(hide_password=False)) as full:
        hindered = replace(stage, database=full, timing=replace(QUICK, idle=0.2))
        async with hindered.sending() as worker:
            begun = time.monotonic()
            for _ in range(500):
                if worker.condition().state is State.FAILING:
                    break
                await asyncio.sleep(0.02)
            assert worker.condition().state is State.FAILING
            await asyncio.sleep(0.4)
            assert 1 <= full.writes <= 2 + (time.monotonic() - begun) / hindered.timing.idle
    assert stage.client.messages == []
    async with stage.sending() as worker:
        await stage.until(DeliveryState.SENT)
        assert worker.condition().state is State.OK


async def test_a_pause_takes_what_nobody_sent_from_whoever_holds_it(database: Database) -> None:
    """What was claimed and not begun is not sent after a pause; what was begun is."""
    stage = Stage(database)
    await stage.takes_in()
    for number in (1, 2):
        await stage.ordered(channel=channel(f"C{number}"))
    await stage.tick()
    found = await database.read(queue.find_ready, ["test"], MovedClock().at.replace(year=2090), 9)
    works = await taken(database, found.ready, "here", 9)
    first, second = (
        PartBegun(work.claim, 1, DUE, work, (Part(1, f"k{work.claim.id}", ()),)) for work in works
    )
    [begun] = await database.write_durably(transitions.record_transitions, [second])
    assert isinstance(begun, DeliveryClaim)
    for number in (1, 2):
        await database.write(queue.skip_unsent, number, "Paused.")
    assert [each.state for each in await stage.deliveries()] == [
        DeliveryState.SKIPPED,
        DeliveryState.SENDING,
    ]
    there = PartSent(begun, Part(1, "k2", (), message="1"), DUE)
    lost, held = await database.write_durably(transitions.record_transitions, [first, there])
    assert isinstance(lost, LeaseLost)
    assert isinstance(held, DeliveryClaim)
    assert (await stage.deliveries())[1].state is DeliveryState.SENT


def test_health_tells_of_an_outbox_that_does_not_look(database: Database) -> None:
    """As long as nothing runs it is failing after a while, however well the store is."""
    passed = [0.0]
    worker = DeliveryWorker(
        database, {}, MovedClock(), WakeUp(), Metrics(), timing=Timing(), seconds=lambda: passed[0]
    )
    assert worker.condition().state is State.OK
    passed[0] = 60.0
    assert worker.condition().state is State.FAILING


@pytest.mark.parametrize("fault", [Fault.LOST_BEFORE, Fault.LOST_AFTER])
async def test_what_was_taken_back_while_nobody_knew_is_not_sent(
    database: Database, fault: Fault
) -> None:
    """Where it did not arrive it is left at that; where it did, the ledger says so."""
    stage = Stage(database)
    stage.client.faults.append(fault)
    stage.client.find_fault = Fault.UNAVAILABLE
    order = await stage.due()
    async with stage.sending():
        await stage.until(DeliveryState.RETRY)
        await database.write(change, order, _ended, None, at=DUE, now=DUE)
        stage.client.find_fault = None
        arrived = fault is Fault.LOST_AFTER
        await stage.until(DeliveryState.SENT if arrived else DeliveryState.SKIPPED)
    assert len(stage.client.messages) == arrived
    assert stage.client.calls.count("send") == 1


async def test_a_thread_that_was_begun_is_completed(database: Database) -> None:
    """A subscription that is cancelled while its thread is half there leaves no half thread."""
    stage = Stage(database, MemoryChannelClient(gap=0.05))
    order = await stage.due(Layout.THREAD)
    async with stage.sending():
        await stage.stands(2)
        await database.write(change, order, _ended, None, at=DUE, now=DUE)
        await stage.until(DeliveryState.SENT)
    assert len(stage.client.messages) == 4


async def test_a_workspace_that_asks_to_wait_with_an_edit_is_left_alone(
    database: Database,
) -> None:
    """Its posts wait as long as its corrections."""
    stage = Stage(database, timing=replace(QUICK, per_platform=1))
    await stage.sent()
    client = stage.client = LimitedEdits(messages=stage.client.messages)
    await stage.corrects()
    await stage.tick()
    await stage.ordered(channel=channel("C2"))
    await stage.tick()
    async with stage.sending():
        await stage.stands(2)
        async with asyncio.timeout(PATIENCE):
            await client.edited.wait()
    assert client.waited >= 0.3


def _ended(order: Subscription) -> Subscription:
    return replace(order, cancelled_at=DUE)


@dataclass
class LimitedEdits(MemoryChannelClient):
    """Asks to wait with the first edit."""

    refused_at: float = 0.0
    waited: float = 0.0
    edited: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, message: Message) -> PostedMessage:
        """Take a message, and note how long after the refusal."""
        if self.refused_at:
            self.waited = time.monotonic() - self.refused_at
        return await MemoryChannelClient.send(self, message)

    async def edit(self, posted: PostedMessage, message: Message) -> None:
        """Refuse the first."""
        if not self.refused_at:
            self.refused_at = time.monotonic()
            raise RetryLater("Edit less for a while.", after=0.3)
        await MemoryChannelClient.edit(self, posted, message)
        self.edited.set()


class SlowStore(Database):
    """Takes as long over noting what is about to be sent as nobody waits."""

    slow = 2

    async def write_durably(self, fn: object, *args: object, **kwargs: object) -> object:  # type: ignore[override] # it passes anything on
        """Write, the first beginnings late."""
        done: object = await super().write_durably(fn, *args, **kwargs)  # type: ignore[arg-type] # the same
        [noted] = args
        assert isinstance(noted, list)
        if self.slow and any(isinstance(each, PartBegun) for each in noted):
            self.slow -= 1
            await asyncio.sleep(QUICK.lease - QUICK.send / 2)
        return done


async def test_what_there_was_no_time_to_send_is_known_not_to_stand(database: Database) -> None:
    """It is sent anew without a look, though nobody could look."""
    stage = Stage(database)
    stage.client.find_fault = Fault.FORBIDDEN
    await stage.due()
    slow = SlowStore(database.url.render_as_string(hide_password=False))
    async with slow, replace(stage, database=slow).sending():
        await stage.until(DeliveryState.SENT)
    assert stage.client.calls == ["send"]
