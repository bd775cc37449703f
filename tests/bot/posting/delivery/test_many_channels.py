"""Many channels: turns are fair, written down together, and handed over at the end."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field, replace

import pytest
from sqlalchemy import select, text
from sqlmodel import col

from bot.clock import SystemClock
from bot.coordination.rate_limiter import RateLimit
from bot.errors import RetryLater
from bot.posting.delivery.capacity import Cooldowns, InFlight
from bot.posting.delivery.timing import Clocks, Timing
from bot.posting.delivery.transition_batches import TransitionBatcher
from bot.posting.delivery.worker import DeliveryWorker
from bot.posting.ports import Message, PostedMessage
from store.database import Database, Session
from store.errors import LeaseLost, StoreBusy, StoreError
from store.posting import claim, queue
from store.posting.claim import ClaimedDelivery, DeliveryClaim
from store.posting.queue import ReadyDelivery
from store.posting.transitions import PartBegun, PartSent
from store.records import Channel, DeliveryState, Part, Workspace
from store.tables.posting import DeliveryRow
from tests.bot.posting.delivery.setup import DUE, PATIENCE, QUICK, Stage, channel, until
from tests.conftest import on_both
from tests.fakes.channel_client import MemoryChannelClient

pytestmark = pytest.mark.on_sqlite

# A lease that nobody waits for.
LONG = replace(QUICK, send=30.0, lease=60.0)


async def _all_sent(stage: Stage) -> None:
    """Wait until the ledger says so of all deliveries."""
    async with asyncio.timeout(PATIENCE):
        while {each.state for each in await stage.deliveries()} != {DeliveryState.SENT}:  # noqa: ASYNC110 - a store has no event
            await asyncio.sleep(0.01)


@dataclass
class BusyWorkspace(MemoryChannelClient):
    """Has all the time in the world for one workspace."""

    share: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    has_its_share: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, message: Message) -> PostedMessage:
        """Take a message, unless it is for the busy one."""
        workspace = message.channel.workspace.external_id
        self.asked[workspace] += 1
        if workspace == "T1":
            if self.asked[workspace] == self.share:
                self.has_its_share.set()
            await asyncio.Event().wait()
        return await MemoryChannelClient.send(self, message)


async def test_a_workspace_with_many_channels_leaves_room_for_others(database: Database) -> None:
    """No more of one are in flight than its share, whatever waits and however long it has."""
    client = BusyWorkspace(share=3)
    stage = Stage(database, client, timing=replace(LONG, per_platform=6, per_workspace=3))
    await stage.takes_in()
    await stage.all_ordered(*(channel(f"C{number}") for number in range(30)))
    await stage.all_ordered(*(channel(f"D{number}", f"T{number + 2}") for number in range(8)))
    await stage.tick()
    async with stage.sending():
        async with asyncio.timeout(PATIENCE):
            await client.has_its_share.wait()
        await stage.stands(8)
    assert client.asked["T1"] == 3


@dataclass
class OrderedClient(MemoryChannelClient):
    """Notes whose messages came in what order."""

    order: list[str] = field(default_factory=list)

    async def send(self, message: Message) -> PostedMessage:
        """Take a message."""
        self.order.append(message.channel.workspace.external_id)
        return await MemoryChannelClient.send(self, message)


async def test_workspaces_take_turns(database: Database) -> None:
    """What was ordered first by one does not go before the first of all others."""
    client = OrderedClient()
    stage = Stage(database, client, timing=replace(LONG, per_platform=1))
    await stage.takes_in()
    for workspace in ("T1", "T2", "T3"):
        await stage.all_ordered(
            *(channel(f"{workspace}-{number}", workspace) for number in range(5))
        )
    await stage.tick()
    async with stage.sending():
        await stage.stands(15)
    assert sorted(client.order[:3]) == ["T1", "T2", "T3"]
    assert sorted(client.order[3:6]) == ["T1", "T2", "T3"]


@dataclass
class SlowClient(MemoryChannelClient):
    """Takes one message in a while from a workspace, whatever the channel."""

    every: float = 5.0

    def rate_limits(self, channel: Channel) -> list[RateLimit]:
        """Return the workspace's."""
        return [RateLimit(channel.workspace.external_id, self.every)]


async def test_what_waits_for_its_turn_is_handed_over_at_the_end(database: Database) -> None:
    """It is ready at once for whoever goes on, and was no attempt."""
    stage = Stage(database, SlowClient(), timing=LONG)
    await stage.takes_in()
    await stage.all_ordered(*(channel(f"C{number}") for number in range(3)))
    await stage.tick()
    async with stage.sending() as worker:
        await stage.stands(1)
        await stage.until(DeliveryState.CLAIMED)
        async with asyncio.timeout(PATIENCE):
            await worker.stop(PATIENCE)
        found = await database.read(queue.find_ready, ["test"], DUE.replace(year=2090), 9)
        assert found.claimed == []
        assert len(found.ready) == 2
    stage.client = MemoryChannelClient(messages=stage.client.messages)
    async with stage.sending():
        await stage.stands(3)
    assert len({each.message.channel for each in stage.client.messages}) == 3
    # What waited was no attempt: only whoever sent it counts.
    async with stage.sending():
        await stage.until(DeliveryState.SENT, lambda each: each.id == 3)
    assert [each.attempts for each in await stage.deliveries()] == [1, 1, 1]


async def test_a_lane_that_is_crowded_costs_no_attempt(database: Database) -> None:
    """Whoever would wait too long is put off, and sent in the end without an error."""
    stage = Stage(database, SlowClient(every=0.15), timing=replace(QUICK, send=1.0, lease=2.0))
    await stage.takes_in()
    await stage.all_ordered(*(channel(f"C{number}") for number in range(6)))
    await stage.tick()
    async with stage.sending():
        await stage.stands(6)
        await _all_sent(stage)
    assert [(each.attempts, each.error) for each in await stage.deliveries()] == [(1, None)] * 6


@dataclass
class OnceLimited(MemoryChannelClient):
    """Asks to wait with the first message of all."""

    asked: int = 0

    async def send(self, message: Message) -> PostedMessage:
        """Refuse the first message for a while."""
        self.asked += 1
        if self.asked == 1:
            raise RetryLater("Send less for a while.", after=30.0)
        return await MemoryChannelClient.send(self, message)


@on_both
async def test_a_workspace_that_asks_one_process_to_wait_is_left_alone_by_all(
    database: Database,
) -> None:
    """What the platform said to one the others find in the store, and other workspaces go on."""
    stage = Stage(database, OnceLimited(), timing=replace(LONG, per_platform=1))
    await stage.due()
    async with stage.sending():
        await stage.until(DeliveryState.RETRY)
    await stage.ordered(channel=channel("C2"))
    await stage.ordered(channel=channel("C3", "T2"))
    await stage.tick()
    async with stage.sending():
        await stage.stands(1)
        await asyncio.sleep(0.2)
    assert [each.message.channel for each in stage.client.messages] == [channel("C3", "T2")]


class Counting(Database):
    """A store that counts what is written through."""

    through = 0

    async def write_durably(self, fn: object, *args: object, **kwargs: object) -> object:  # type: ignore[override] # it passes anything on
        """Count, and write."""
        self.through += 1
        return await super().write_durably(fn, *args, **kwargs)  # type: ignore[arg-type] # the same


async def test_what_is_noted_at_once_is_one_transaction(database: Database) -> None:
    """Steps of many deliveries share commits; each is noted before and after it is sent."""
    stage = Stage(database, timing=LONG)
    await stage.takes_in()
    await stage.all_ordered(*(channel(f"C{number}", f"T{number}") for number in range(40)))
    await stage.tick()
    async with Counting(database.url.render_as_string(hide_password=False)) as counting:
        async with replace(stage, database=counting).sending():
            await stage.stands(40)
            await _all_sent(stage)
        assert counting.through < 40


async def _claimed(stage: Stage, count: int) -> list[ClaimedDelivery]:
    await stage.takes_in()
    await stage.all_ordered(*(channel(f"C{number}") for number in range(count)))
    await stage.tick()
    found = await stage.database.read(queue.find_ready, ["test"], DUE.replace(year=2090), 99)
    return await stage.database.write_locking_rows(claim.claim_deliveries, found.ready, "here", 99)


@on_both
async def test_one_that_was_taken_over_leaves_what_is_noted_with_it(database: Database) -> None:
    """Its step is lost and says so, and the others' stand."""
    works = await _claimed(Stage(database), 3)
    steps = [
        PartBegun(work.claim, 1, DUE, work, (Part(1, f"k{work.claim.id}", ()),)) for work in works
    ]
    steps[1] = replace(steps[1], claim=replace(steps[1].claim, fencing_token=99))
    batcher = TransitionBatcher(database)
    noted = await asyncio.gather(*map(batcher.record, steps), return_exceptions=True)
    assert [type(each) for each in noted] == [DeliveryClaim, LeaseLost, DeliveryClaim]


@on_both
async def test_one_that_can_not_be_noted_leaves_what_is_noted_with_it(database: Database) -> None:
    """What the store fails at nobody foresaw is told to its own delivery alone."""
    works = await _claimed(Stage(database), 3)
    steps = [
        PartBegun(work.claim, 1, DUE, work, (Part(1, f"k{work.claim.id}", ()),)) for work in works
    ]
    steps[1] = replace(steps[1], at=DUE.replace(tzinfo=None))
    batcher = TransitionBatcher(database)
    noted = await asyncio.gather(*map(batcher.record, steps), return_exceptions=True)
    assert [isinstance(each, DeliveryClaim) for each in noted] == [True, False, True]
    held = noted[0]
    assert isinstance(held, DeliveryClaim)
    assert isinstance(
        await batcher.record(PartSent(held, Part(1, "k", (), message="1"), DUE)), DeliveryClaim
    )


@on_both
async def test_what_the_store_refuses_of_one_leaves_what_is_noted_with_it(
    database: Database,
) -> None:
    """A value that it does not take is told to its own delivery alone."""
    works = await _claimed(Stage(database), 3)
    steps = [
        PartBegun(work.claim, 1, DUE, work, (Part(1, f"k{work.claim.id}", ()),)) for work in works
    ]
    steps[1] = replace(steps[1], planned=(Part(1, None, ()),))  # type: ignore[arg-type] # what is refused
    batcher = TransitionBatcher(database)
    noted = await asyncio.gather(*map(batcher.record, steps), return_exceptions=True)
    assert [type(each) for each in noted] == [DeliveryClaim, StoreError, DeliveryClaim]


class Away(Database):
    """A store that takes nothing."""

    async def write_durably(self, *_: object, **__: object) -> object:  # type: ignore[override] # it takes anything
        """Refuse."""
        raise StoreBusy


async def test_a_store_that_is_away_is_told_to_all(database: Database) -> None:
    """Whoever waits for a note hears of it, and the next note is tried."""
    works = await _claimed(Stage(database), 2)
    async with Away(database.url.render_as_string(hide_password=False)) as away:
        batcher = TransitionBatcher(away)
        steps = [PartBegun(work.claim, 1, DUE, work) for work in works]
        noted = await asyncio.gather(*map(batcher.record, steps), return_exceptions=True)
        assert [type(each) for each in noted] == [StoreBusy, StoreBusy]
        with pytest.raises(StoreBusy):
            await batcher.record(steps[0])


def _owners(session: Session) -> dict[int, str | None]:
    query = select(col(DeliveryRow.id), col(DeliveryRow.owner))
    return {row.id: row.owner for row in session.connection().execute(query)}


@on_both
async def test_what_one_can_not_even_read_is_put_off_and_the_rest_taken(
    database: Database,
) -> None:
    """A row that is broken is claimed by nobody, and the batch it was found in is."""
    stage = Stage(database, timing=replace(LONG, longest_wait=60.0))
    await stage.takes_in()
    await stage.all_ordered(*(channel(f"C{number}") for number in range(5)))
    await stage.tick()

    def breaks(session: Session) -> None:
        broken = "UPDATE subscription SET topics = '5' WHERE id = 3"
        session.connection().execute(text(broken))

    await database.write(breaks)
    async with stage.sending():
        await stage.stands(4)
    assert channel("C2") not in {each.message.channel for each in stage.client.messages}
    assert (await database.read(_owners))[3] is None


async def test_hands_take_up_more_before_they_are_empty() -> None:
    """A look is worth while when a quarter is free, of a platform and of a workspace."""
    in_flight = InFlight(Timing(per_platform=8, per_workspace=4))
    ready = [ReadyDelivery(n, 0, "test", 1 if n < 4 else n, n) for n in range(7)]
    for each in ready:
        in_flight.add(each, asyncio.create_task(asyncio.sleep(0)))
    assert (in_flight.room("test"), in_flight.room("other")) == (1, 8)
    assert set(in_flight.full_workspaces) == {1}
    assert not in_flight.wants_more(ready[0])
    more = [ReadyDelivery(10, 0, "test", 1, 10), ReadyDelivery(11, 0, "test", 9, 11)]
    assert in_flight.choose(more) == more[1:]
    in_flight.remove(ready[0])
    assert in_flight.room("test") == 2
    assert not in_flight.full_workspaces
    assert in_flight.wants_more(ready[0])
    # Longest ago something was taken up for the other one.
    assert in_flight.choose(more) == more[::-1]
    await asyncio.gather(*in_flight.tasks)


@dataclass
class NeverClient(MemoryChannelClient):
    """Has no answer for anybody."""

    async def send(self, message: Message) -> PostedMessage:
        """Wait for ever."""
        self.calls.append(str(message.channel))
        await asyncio.Event().wait()
        raise AssertionError


async def test_a_platform_that_is_slow_leaves_the_others_their_hands(database: Database) -> None:
    """Whatever waits for one, another one's posts are sent meanwhile."""
    never, quick = NeverClient(), MemoryChannelClient()
    stage = Stage(database, quick, timing=replace(LONG, per_platform=4))
    await stage.takes_in()
    await stage.all_ordered(
        *(Channel(Workspace("never", f"N{number}"), "C1") for number in range(120))
    )
    await stage.all_ordered(*(channel(f"C{number}") for number in range(10)))
    await stage.tick()
    worker = DeliveryWorker(
        database,
        {"never": never, "test": quick},
        stage.clock,
        stage.wake_up,
        stage.metrics,
        timing=stage.timing,
    )
    running = asyncio.create_task(worker.run())
    await stage.stands(10)
    assert len(never.calls) == 4
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await worker.stop(0)


@dataclass
class PacedClient(MemoryChannelClient):
    """Takes a moment for each message."""

    async def send(self, message: Message) -> PostedMessage:
        """Take a message."""
        await asyncio.sleep(0.02)
        return await MemoryChannelClient.send(self, message)


async def test_what_a_process_left_is_taken_over_while_hundreds_wait(database: Database) -> None:
    """A process without capacity still takes over stale claims, and sends them soon."""
    stage = Stage(database, PacedClient(), timing=replace(QUICK, per_platform=4))
    [left] = await _claimed(stage, 1)
    await stage.all_ordered(*(channel(f"D{number}", f"D{number}") for number in range(300)))
    await stage.tick()
    async with stage.sending():
        await until(
            lambda: channel("C0") in {each.message.channel for each in stage.client.messages}
        )
        assert len(stage.client.messages) < 200
    assert left.claim.owner == "here"


async def test_an_exhausted_limit_pauses_no_attempt_in_flight(database: Database) -> None:
    """It only starts nothing more; a cooldown that the platform requests pauses attempts too."""
    cooldowns = Cooldowns(database, Clocks(SystemClock(), seconds=lambda: 5.0))
    cooldowns.exhausted(7, 3.0)
    assert (cooldowns.pause(7), cooldowns.active()) == (None, {7: 3.0})
    await cooldowns.request(7, 9.0)
    assert (cooldowns.pause(7), cooldowns.active()) == (9.0, {7: 9.0})
