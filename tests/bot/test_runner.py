"""The tick: what is due gets into the queue within one of them, and nothing twice."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from bot.health import State
from bot.ingest.drafts import DocumentKind
from bot.runner import Runner
from bot.scheduler import Scheduler
from store import due, ledger, queue
from store.database import Database, Session
from store.orders import deliver
from store.records import Channel, DeliveryState, Part, SubscriptionState, Workspace
from store.workspaces import left, returned
from tests.bot.ingest.drafting import edition, entry
from tests.bot.ingest.importing import take_in
from tests.bot.outbox.stage import DUE, ORDER, Stage
from tests.store.ledgers import became


def _runner(stage: Stage) -> Runner:
    return Runner(stage.database, stage.clock, stage.bell, stage.metrics, 1.0)


async def test_hundreds_of_orders_are_enqueued_in_one_tick(database: Database) -> None:
    """As many as are due at nine, each once, however often the tick comes."""
    stage = Stage(database)
    await stage.takes_in()
    for number in range(250):
        await stage.ordered(channel=Channel(Workspace("test", "T1"), f"C{number}"))
    for _ in range(2):
        await stage.tick()
    deliveries = await stage.deliveries()
    assert sorted(each.subscription_id for each in deliveries) == list(range(1, 251))
    assert {each.state for each in deliveries} == {DeliveryState.PENDING}
    assert {each.due_at for each in deliveries} == {DUE}


async def test_two_ticks_at_once_enqueue_once(database: Database) -> None:
    """As two processes tick that share a store."""
    stage = Stage(database)
    await stage.takes_in()
    await stage.ordered()
    await asyncio.gather(*(_runner(stage).tick() for _ in range(4)))
    assert len(await stage.deliveries()) == 1


async def test_what_comes_while_an_order_waits_is_enqueued_by_the_next_tick(
    database: Database,
) -> None:
    """A tick after the import, of the same runner, sees it."""
    stage = Stage(database)
    await stage.ordered()
    runner = _runner(stage)
    await runner.tick()
    assert (await stage.order()).open_due_at == DUE
    stage.clock.at += timedelta(hours=30)
    await stage.takes_in()
    await runner.tick()
    [delivery] = await stage.deliveries()
    assert (delivery.state, delivery.due_at) == (DeliveryState.PENDING, DUE)


async def test_patience_ends_though_nothing_is_imported(database: Database) -> None:
    """The order says what was missed; the next Monday is not touched by it."""
    stage = Stage(database)
    await stage.ordered()
    runner = _runner(stage)
    await runner.tick()
    stage.clock.at += ORDER.patience
    await runner.tick()
    order = await stage.order()
    assert (order.missed_at, order.open_due_at) == (DUE, None)
    assert order.next_due_at == DUE + timedelta(days=7)


async def test_samples_are_never_owed(database: Database) -> None:
    """Nothing bundled is posted to anybody."""
    from bot.samples import add_samples

    stage = Stage(database)
    await add_samples(database, DUE)
    await stage.ordered(sources=("all",))
    await stage.tick()
    assert await stage.deliveries() == []


async def test_what_still_grows_is_not_owed(database: Database) -> None:
    """A ranking that is open until its week ends is owed once it has."""
    draft = edition(entry(1, "Risen"), kind=DocumentKind.NEWSLETTER)
    await database.write(take_in, draft, "hf-daily")

    def ranking(session: Session) -> None:
        from sqlalchemy import text

        session.connection().execute(text("UPDATE edition SET kind = 'hf-daily'"))

    await database.write(ranking)
    sunday, monday = draft.last_day, draft.last_day + timedelta(days=1)
    assert await database.read(due.newest, sunday) == {}
    assert list(await database.read(due.newest, monday)) == ["hf-daily"]


async def test_nothing_is_owed_where_the_bot_no_longer_is(database: Database) -> None:
    """A workspace that was left gets nothing until the bot is back."""
    stage = Stage(database)
    await stage.takes_in()
    await stage.ordered()
    await database.write(left, ORDER.channel.workspace, DUE)
    await stage.tick()
    assert await stage.deliveries() == []
    await database.write(returned, ORDER.channel.workspace)
    await stage.tick()
    assert len(await stage.deliveries()) == 1


async def test_a_pause_ends_within_a_tick(database: Database) -> None:
    """Whoever paused until a day need not resume."""
    stage = Stage(database)
    await stage.ordered(
        state=SubscriptionState.PAUSED, paused_until=DUE + timedelta(days=1), next_due_at=None
    )
    await stage.tick()
    assert (await stage.order()).state is SubscriptionState.PAUSED
    stage.clock.at += timedelta(days=1)
    await stage.tick()
    order = await stage.order()
    assert order.state is SubscriptionState.ACTIVE
    assert order.next_due_at == DUE + timedelta(days=7)


async def test_an_order_that_can_not_be_read_holds_nobody_up(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """One in a zone that the machine no longer knows is logged, and the others get theirs."""
    stage = Stage(database)
    await stage.takes_in()
    await stage.ordered(zone="Atlantis/Poseidonis")
    await stage.ordered(channel=Channel(Workspace("test", "T1"), "C2"))
    await stage.tick()
    assert [each.subscription_id for each in await stage.deliveries()] == [2]
    assert [record.msg for record in caplog.records] == ["order_failed"]


async def test_what_is_dead_is_owed_at_the_next_time(database: Database) -> None:
    """Not before, and as long as no newer edition came; it is the same delivery."""
    stage = Stage(database)
    await stage.takes_in()
    await stage.ordered()
    await stage.tick()
    await database.write(became, 1, DeliveryState.DEAD)
    await stage.tick()
    assert [each.state for each in await stage.deliveries()] == [DeliveryState.DEAD]
    stage.clock.at += timedelta(days=7)
    await stage.tick()
    [delivery] = await stage.deliveries()
    assert (delivery.state, delivery.due_at) == (DeliveryState.RETRY, stage.clock.at)


async def test_what_was_delivered_by_hand_meanwhile_serves_what_waits(database: Database) -> None:
    """A Monday that waited is served by Tuesday's `deliver`: nothing was missed."""
    stage = Stage(database)
    order = await stage.ordered()
    runner = _runner(stage)
    await runner.tick()
    stage.clock.at += timedelta(days=1)
    await stage.takes_in()
    await database.write(deliver, order, None, stage.clock.at, stage.clock.at)
    await runner.tick()
    stage.clock.at += ORDER.patience
    await runner.tick()
    stored = await stage.order()
    assert (stored.open_due_at, stored.missed_at) == (None, None)


async def test_what_was_delivered_by_a_clock_ahead_serves_nothing(database: Database) -> None:
    """A delivery that is due in the future does not close the Monday that waits."""
    stage = Stage(database)
    order = await stage.ordered()
    await stage.takes_in()
    future = DUE + timedelta(days=700)
    await database.write(deliver, order, None, future, future)
    await stage.tick()
    assert (await stage.order()).open_due_at == DUE


async def test_what_waits_is_told_by_platform(database: Database) -> None:
    """A scrape sees how many posts are still to be sent."""
    stage = Stage(database)
    await stage.takes_in()
    await stage.ordered()
    await stage.tick()
    told, _ = stage.metrics.text()
    assert b'broadsheet_deliveries_waiting{platform="test"} 1.0' in told
    await stage.posted()
    await stage.tick()
    told, _ = stage.metrics.text()
    assert b'broadsheet_deliveries_waiting{platform="test"} 0.0' in told


async def test_an_edition_that_changes_while_it_is_sent_is_corrected(database: Database) -> None:
    """The tick that saw the change found it unsent; it is looked through when it is sent."""
    stage = Stage(database)
    await stage.takes_in()
    await stage.ordered()
    runner = _runner(stage)
    await runner.tick()
    [ready] = await database.read(queue.list_ready, ["test"], datetime.now(UTC), 9)
    work = await database.write(ledger.claim, ready, "here")
    assert work is not None
    held = await database.write(ledger.plan, work.held, [Part(1, "k1", ())], work)
    await stage.corrects()
    await runner.tick()
    held = await database.write(ledger.begin, held, 1, DUE)
    await database.write(ledger.sent, held, Part(1, "k1", (), message="1"), DUE)
    [found] = await database.read(queue.list_ready, ["test"], datetime.now(UTC), 9)
    assert (found.id, (await stage.deliveries())[0].state) == (1, DeliveryState.SENT)


async def test_a_correction_is_new_to_the_queue(database: Database) -> None:
    """However long ago the post was sent, there is as much time for it as for a post."""
    stage = Stage(database)
    await stage.takes_in()
    await stage.ordered()
    runner = _runner(stage)
    await runner.tick()
    async with stage.sending():
        await stage.until(DeliveryState.SENT)
    asked = datetime.now(UTC)
    await stage.corrects()
    await runner.tick()
    [ready] = await database.read(queue.list_ready, ["test"], datetime.now(UTC), 9)
    work = await database.write(ledger.claim, ready, "here")
    assert work is not None
    assert work.is_correction
    assert work.enqueued_at >= asked


async def test_what_goes_to_a_workspace_that_was_left_waits(database: Database) -> None:
    """It is neither sent nor corrected before the bot is back."""
    stage = Stage(database)
    await stage.takes_in()
    await stage.ordered()
    await stage.tick()
    await database.write(left, ORDER.channel.workspace, DUE)
    now = datetime.now(UTC)
    assert await database.read(queue.list_ready, ["test"], now, 9) == []
    assert await database.read(queue.next_ready_at, ["test"]) is None
    await database.write(returned, ORDER.channel.workspace)
    assert len(await database.read(queue.list_ready, ["test"], now, 9)) == 1


async def test_a_runner_that_does_not_look_is_failing(database: Database) -> None:
    """Health tells of ticks that stopped, and of those that fail."""
    passed = [0.0]
    stage = Stage(database)
    runner = Runner(
        stage.database, stage.clock, stage.bell, stage.metrics, 10.0, passed=lambda: passed[0]
    )
    await runner.tick()
    assert runner.condition().state is State.OK
    passed[0] = 61.0
    assert runner.condition().state is State.FAILING
    await runner.tick()
    assert runner.condition().state is State.OK


async def test_the_scheduler_goes_on_where_its_clock_was_set_back() -> None:
    """A machine whose time jumps back an hour does not stop ticking for that hour."""
    ticks = asyncio.Queue[int]()

    async def tick() -> None:
        ticks.put_nowait(1)

    scheduler = Scheduler(tick, 0.05)
    scheduler.start()
    await ticks.get()
    # As it is to APScheduler when the time is an hour earlier than it was.
    ahead = datetime.now(UTC) + timedelta(hours=1)
    scheduler._scheduler.modify_job("tick", next_run_time=ahead)  # noqa: SLF001 - no test can set the machine's clock
    async with asyncio.timeout(10):
        for _ in range(3):
            await ticks.get()
    await scheduler.stop(1)
