"""The tick: what is due gets into the queue within one of them, and nothing twice."""

import asyncio
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from bot.domain.drafts import DocumentKind
from bot.operations.health import State
from bot.posting.scheduler import Scheduler
from bot.posting.tick import Ticker
from store.database import Database, Session
from store.posting import editions_to_post, queue
from store.posting.change_subscription import change, post_now
from store.posting.subscriptions import add_subscription, by_id, list_subscriptions
from store.posting.transitions import DeliveryCorrected, PartBegun, PartSent
from store.records import Channel, DeliveryState, Part, Subscription, SubscriptionState, Workspace
from store.workspaces.workspaces import mark_left, mark_returned
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import take_in
from tests.bot.posting.delivery.setup import DUE, ORDER, Stage, channel
from tests.conftest import on_both, on_postgres
from tests.store.posting.delivery_rows import became, claimed, noted, ready

pytestmark = pytest.mark.on_sqlite


def _runner(stage: Stage) -> Ticker:
    return Ticker(stage.database, stage.clock, stage.wake_up, stage.metrics, 1.0)


async def test_hundreds_of_orders_are_enqueued_in_one_tick(database: Database) -> None:
    """As many as are due at nine, each once, however often the tick comes."""
    stage = Stage(database)
    await stage.takes_in()
    await stage.all_ordered(*(channel(f"C{number}") for number in range(250)))
    for _ in range(2):
        await stage.tick()
    deliveries = await stage.deliveries()
    assert sorted(each.subscription_id or 0 for each in deliveries) == list(range(1, 251))
    assert {each.state for each in deliveries} == {DeliveryState.PENDING}
    assert {each.due_at for each in deliveries} == {DUE}


@on_both
async def test_two_ticks_at_once_enqueue_once(database: Database) -> None:
    """As two processes tick that share a store."""
    stage = Stage(database)
    await stage.takes_in()
    await stage.ordered()
    await asyncio.gather(*(_runner(stage).tick() for _ in range(4)))
    assert len(await stage.deliveries()) == 1


@on_postgres
async def test_replicas_share_out_what_is_due(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Three that tick at once enqueue each of hundreds once, and none of them fails."""
    replicas = [Database(database_url) for _ in range(3)]
    stages = [Stage(each) for each in replicas]
    await stages[0].takes_in()
    channels = [
        Channel(Workspace("test", f"T{n % 9}"), f"C{n}") for n in range(600)
    ]  # in batches of 500
    await replicas[0].write_each(_add, channels)
    runners = [_runner(stage) for stage in stages]
    await asyncio.gather(*(runner.tick() for runner in runners))
    # What another had locked right then is found to be done, or is done, by the next tick.
    await asyncio.gather(*(runner.tick() for runner in runners))
    deliveries = await stages[0].deliveries()
    orders = await replicas[0].read(list_subscriptions)
    for each in replicas:
        each.close()
    assert sorted(each.subscription_id or 0 for each in deliveries) == list(range(1, 601))
    assert {each.attempts for each in deliveries} == {0}
    assert {each.next_due_at for each in orders} == {DUE + timedelta(days=7)}
    assert caplog.records == []


def _add(session: Session, channel: Channel) -> None:
    add_subscription(session, replace(ORDER, channel=channel))


@on_both
async def test_an_order_that_is_paused_while_a_tick_enqueues_posts_nothing(
    database: Database,
) -> None:
    """Whoever pauses it at that moment finds what was enqueued, though it had looked before."""
    stage = Stage(database)
    await stage.ordered(sources=("dair", "paperdive"))
    runner = _runner(stage)
    await runner.tick()
    await stage.takes_in()
    loop = asyncio.get_running_loop()
    looked: list[Subscription | None] = []

    def pause(session: Session) -> None:
        looked.append(by_id(session, 1))
        # SQLite has one writer, so that nobody comes in between there.
        if len(looked) == 1 and not database.is_sqlite:
            asyncio.run_coroutine_threadsafe(runner.tick(), loop).result()
        change(session, 1, _paused, None, at=DUE, now=DUE)

    if database.is_sqlite:
        await runner.tick()
    await database.write(pause)
    assert [each.state for each in await stage.deliveries()] == [DeliveryState.SKIPPED]
    assert len(looked) == (1 if database.is_sqlite else 2)


@on_both
async def test_an_order_that_waits_is_not_passed_over(database: Database) -> None:
    """Where somebody alters it while the tick that sees the import runs, the tick waits for that.

    No later tick would look at it before its patience ends.
    """
    stage = Stage(database)
    await stage.ordered()
    runner = _runner(stage)
    await runner.tick()
    await stage.takes_in()
    loop = asyncio.get_running_loop()
    ticking = []

    def alter_slowly(session: Session) -> None:
        connection = session.connection()
        connection.execute(text("UPDATE subscription SET size = 5"))
        ticking.append(asyncio.run_coroutine_threadsafe(runner.tick(), loop))
        # SQLite's one writer has the whole file: the tick can't but come afterwards.
        while not database.is_sqlite and not ticking[0].done():
            if connection.scalar(_WAITED_FOR):
                break
            time.sleep(0.01)

    await database.write(alter_slowly)
    await asyncio.gather(*(asyncio.wrap_future(each) for each in ticking))
    assert len(await stage.deliveries()) == 1
    assert (await stage.order()).size == 5


_WAITED_FOR = text("SELECT count(*) FROM pg_locks WHERE NOT granted")


def _paused(order: Subscription) -> Subscription:
    return replace(order, state=SubscriptionState.PAUSED, next_due_at=None, open_due_at=None)


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


@pytest.mark.parametrize("days", [1, 4])
async def test_what_comes_while_the_bot_is_down_is_judged_by_when_it_came(
    database: Database, days: int
) -> None:
    """In time it is posted late; after the patience ended it waits, and what was missed is noted.

    That it was corrected since does not make it late.
    """
    stage = Stage(database)
    await stage.ordered()
    await stage.takes_in(at=DUE + timedelta(days=days))
    await stage.takes_in(entry(1, "Another paper"), at=DUE + timedelta(days=5))
    stage.clock.at = DUE + timedelta(days=6)
    await stage.tick()
    in_time = days == 1
    assert [each.due_at for each in await stage.deliveries()] == [DUE] * in_time
    assert (await stage.order()).missed_at == (None if in_time else DUE)
    stage.clock.at = DUE + timedelta(days=7)
    await stage.tick()
    [delivery] = await stage.deliveries()
    assert delivery.due_at == (DUE if in_time else stage.clock.at)


async def test_what_grew_until_patience_had_ended_came_too_late(database: Database) -> None:
    """A ranking is there to be due once its week is over, whenever it was first stored."""
    stage = Stage(database)
    draft = edition(entry(1, "Risen"), kind=DocumentKind.HF_DAILY)
    saturday = datetime.combine(draft.last_day - timedelta(days=1), DUE.time(), UTC)
    await stage.ordered(
        sources=("hf-daily",), weekday=5, next_due_at=saturday, patience=timedelta(days=1)
    )
    await database.write(take_in, draft, "hf-daily", saturday - timedelta(days=4))
    stage.clock.at = saturday + timedelta(days=3)
    await stage.tick()
    assert await stage.deliveries() == []
    stage.clock.at = saturday + timedelta(days=7)
    await stage.tick()
    assert [each.due_at for each in await stage.deliveries()] == [stage.clock.at]


async def test_patience_ends_though_nothing_is_imported(database: Database) -> None:
    """The subscription says what was missed; the next Monday is not touched by it."""
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
    from bot.ingest.samples import add_samples

    stage = Stage(database)
    await add_samples(database, DUE)
    await stage.ordered(sources=("all",))
    await stage.tick()
    assert await stage.deliveries() == []


async def test_what_still_grows_is_not_owed(database: Database) -> None:
    """A ranking that is open until its week ends is due once it has."""
    draft = edition(entry(1, "Risen"), kind=DocumentKind.NEWSLETTER)
    await database.write(take_in, draft, "hf-daily")

    def ranking(session: Session) -> None:
        session.connection().execute(text("UPDATE edition SET kind = 'hf-daily'"))

    await database.write(ranking)
    sunday, monday = draft.last_day, draft.last_day + timedelta(days=1)
    assert await database.read(editions_to_post.newest_editions, sunday) == {}
    assert list(await database.read(editions_to_post.newest_editions, monday)) == ["hf-daily"]


async def test_nothing_is_owed_where_the_bot_no_longer_is(database: Database) -> None:
    """A workspace that was left gets nothing until the bot is back."""
    stage = Stage(database)
    await stage.takes_in()
    await stage.ordered()
    await database.write(mark_left, ORDER.channel.workspace, DUE)
    await stage.tick()
    assert await stage.deliveries() == []
    await database.write(mark_returned, ORDER.channel.workspace)
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
    await stage.ordered(channel=channel("C2"))
    await stage.tick()
    assert [each.subscription_id for each in await stage.deliveries()] == [2]
    assert [record.msg for record in caplog.records] == ["subscription_failed"]


@on_both
async def test_an_order_that_the_store_can_not_read_holds_nobody_up(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """One whose row makes no sense is told from the others of its transaction, and logged."""
    stage = Stage(database)
    await stage.takes_in()
    await stage.all_ordered(*(channel(f"C{number}") for number in range(5)))

    def spoil(session: Session) -> None:
        session.connection().execute(text("UPDATE subscription SET sources = '5' WHERE id = 3"))

    await database.write(spoil)
    await stage.tick()
    assert [each.subscription_id for each in await stage.deliveries()] == [1, 2, 4, 5]
    assert [record.msg for record in caplog.records] == ["subscription_failed"]
    assert caplog.records[0].__dict__["subscription"] == 3


async def test_what_is_older_than_what_was_delivered_is_not_owed(database: Database) -> None:
    """Also where that is no longer the newest edition that may be due."""
    stage = Stage(database)
    await stage.takes_in()
    await stage.takes_in(week=1)
    await stage.ordered()
    newer = (await database.read(editions_to_post.newest_editions, DUE.date()))["dair"]
    await database.write(queue.enqueue, [1], newer.id, DUE - timedelta(days=7), DUE)

    def withdraw(session: Session) -> None:
        statement = text("UPDATE edition SET sample = true WHERE id = :id")
        session.connection().execute(statement, {"id": newer.id})

    await database.write(withdraw)
    assert (await database.read(editions_to_post.newest_editions, DUE.date()))[
        "dair"
    ].id != newer.id
    await stage.tick()
    assert len(await stage.deliveries()) == 1
    assert (await stage.order()).open_due_at == DUE


async def test_what_is_dead_is_owed_at_the_next_time(database: Database) -> None:
    """Not before, and as long as no newer edition came; it is the same delivery."""
    stage = Stage(database)
    await stage.due()
    await database.write(became, 1, DeliveryState.DEAD)
    await stage.tick()
    assert [each.state for each in await stage.deliveries()] == [DeliveryState.DEAD]
    stage.clock.at += timedelta(days=7)
    await stage.tick()
    [delivery] = await stage.deliveries()
    assert (delivery.state, delivery.due_at) == (DeliveryState.RETRY, stage.clock.at)


async def test_what_was_delivered_by_hand_meanwhile_serves_what_waits(database: Database) -> None:
    """A Monday that waited is served by Tuesday's `post_now`: nothing was missed."""
    stage = Stage(database)
    order = await stage.ordered()
    runner = _runner(stage)
    await runner.tick()
    stage.clock.at += timedelta(days=1)
    await stage.takes_in()
    await database.write(post_now, order, None, stage.clock.at, stage.clock.at)
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
    await database.write(post_now, order, None, future, future)
    await stage.tick()
    assert (await stage.order()).open_due_at == DUE


async def test_what_waits_is_told_by_platform(database: Database) -> None:
    """A scrape sees how many posts are still to be sent."""
    stage = Stage(database)
    await stage.due()
    told, _ = stage.metrics.text()
    assert b'broadsheet_deliveries_waiting{platform="test"} 1.0' in told
    await stage.posted()
    await stage.tick()
    told, _ = stage.metrics.text()
    assert b'broadsheet_deliveries_waiting{platform="test"} 0.0' in told


async def test_gauges_are_counted_once_a_minute(database: Database) -> None:
    """To count takes longer than to look, and a scrape is content with it."""
    passed = [0.0]
    stage = Stage(database)
    runner = Ticker(
        stage.database, stage.clock, stage.wake_up, stage.metrics, 1.0, seconds=lambda: passed[0]
    )
    counted = []
    for seconds in (0.0, 59.0, 60.0):
        passed[0] = seconds
        await runner.tick()
        await stage.ordered(channel=channel(f"C{seconds}"))
        told, _ = stage.metrics.text()
        [line] = [each for each in told.decode().splitlines() if each.startswith(_ACTIVE)]
        counted.append(line.removeprefix(_ACTIVE))
    assert counted == ["0.0", "0.0", "2.0"]


_ACTIVE = 'broadsheet_subscriptions{state="active"} '


@on_both
async def test_replicas_correct_once(database_url: str) -> None:
    """Three that find a correction at once put each post there once."""
    replicas = [Database(database_url) for _ in range(3)]
    stage = Stage(replicas[0])
    await stage.takes_in()
    await stage.all_ordered(*(channel(f"C{number}") for number in range(20)))
    await stage.tick()

    def send(session: Session) -> None:
        session.connection().execute(_SENT)

    await replicas[0].write(send)
    await stage.corrects()
    found = await asyncio.gather(*(each.read(queue.list_outdated) for each in replicas))
    done = await asyncio.gather(
        *(
            each.write_locking_rows(queue.enqueue_corrections, ids, DUE)
            for each, ids in zip(replicas, found, strict=True)
        )
    )
    waiting = await replicas[0].read(queue.list_outdated)
    for each in replicas:
        each.close()
    assert found == [list(range(1, 21))] * 3
    assert (sum(done), waiting) == (20, [])


_SENT = text(
    "UPDATE delivery SET state = 'sent', ready_at = NULL,"
    " content_at = (SELECT changed_at FROM edition WHERE edition.id = edition_id)"
)


async def test_an_edition_that_changes_while_it_is_sent_is_corrected(database: Database) -> None:
    """The tick that saw the change found it unsent; it is looked through when it is sent."""
    stage = Stage(database)
    await stage.takes_in()
    await stage.ordered()
    runner = _runner(stage)
    await runner.tick()
    [found] = await database.read(ready, at=datetime.now(UTC))
    work = await database.write_locking_rows(claimed, found)
    part = Part(1, "k1", ())
    held = await database.write_locking_rows(noted, PartBegun(work.claim, 1, DUE, work, (part,)))
    await stage.corrects()
    await runner.tick()
    await database.write_locking_rows(noted, PartSent(held, replace(part, message="1"), DUE))
    [found] = await database.read(ready, at=datetime.now(UTC))
    assert (found.id, (await stage.deliveries())[0].state) == (1, DeliveryState.SENT)


async def test_an_edition_that_changes_while_it_is_corrected_is_corrected_again(
    database: Database,
) -> None:
    """The tick that saw the change found it in flight; it is looked through once more."""
    stage = Stage(database)
    await stage.sent()
    await stage.corrects()
    await stage.tick()
    [found] = await database.read(ready, at=datetime.now(UTC))
    work = await database.write_locking_rows(claimed, found)
    await stage.takes_in(entry(1, "Another paper"), at=DUE + timedelta(hours=2))
    await stage.tick()
    await database.write_locking_rows(noted, DeliveryCorrected(work.claim, work.post.changed_at))
    [found] = await database.read(ready, at=datetime.now(UTC))
    work = await database.write_locking_rows(claimed, found)
    await database.write_locking_rows(noted, DeliveryCorrected(work.claim, work.post.changed_at))
    assert await database.read(ready, at=datetime.now(UTC)) == []


async def test_what_was_being_noted_as_an_edition_changed_is_found_by_the_next_tick(
    database: Database,
) -> None:
    """On Postgres it may stand after the tick that saw the change, and know nothing of that."""
    stage = Stage(database)
    await stage.sent()
    runner = _runner(stage)
    await runner.tick()
    await stage.corrects()
    await database.write(_held)
    await runner.tick()
    await database.write(_let_go)
    assert await database.read(ready, at=datetime.now(UTC)) == []
    await runner.tick()
    assert len(await database.read(ready, at=datetime.now(UTC))) == 1


def _held(session: Session) -> None:
    session.connection().execute(text("UPDATE delivery SET owner = 'one'"))


def _let_go(session: Session) -> None:
    session.connection().execute(text("UPDATE delivery SET owner = NULL"))


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
    [found] = await database.read(ready, at=datetime.now(UTC))
    work = await database.write_locking_rows(claimed, found)
    assert work.is_correction
    assert work.enqueued_at >= asked


async def test_what_goes_to_a_workspace_that_was_left_waits(database: Database) -> None:
    """It is neither sent nor corrected before the bot is back."""
    stage = Stage(database)
    await stage.due()
    await database.write(mark_left, ORDER.channel.workspace, DUE)
    now = datetime.now(UTC)
    assert await database.read(ready, at=now) == []
    await database.write(mark_returned, ORDER.channel.workspace)
    assert len(await database.read(ready, at=now)) == 1


async def test_a_runner_that_does_not_look_is_failing(database: Database) -> None:
    """Health tells of ticks that stopped, and of those that fail."""
    passed = [0.0]
    stage = Stage(database)
    runner = Ticker(
        stage.database, stage.clock, stage.wake_up, stage.metrics, 10.0, seconds=lambda: passed[0]
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


async def test_a_call_that_the_end_breaks_off_is_no_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It hung, as where the database is silent, and was given its time."""
    begun = asyncio.Event()

    async def tick() -> None:
        begun.set()
        await asyncio.Event().wait()

    scheduler = Scheduler(tick, 0.05)
    scheduler.start()
    await begun.wait()
    await scheduler.stop(0.01)
    await asyncio.sleep(0.05)
    assert not caplog.records


async def test_an_edition_that_lay_ahead_stops_no_post(database: Database) -> None:
    """Where a program before posted one of a year that is not yet, the next real one is owed."""
    stage = Stage(database)
    await stage.takes_in(week=300)
    order = await stage.ordered()

    def posted(session: Session) -> None:
        [last] = editions_to_post.newest_editions(
            session, (DUE + timedelta(weeks=301)).date()
        ).values()
        queue.enqueue(session, [order], last.id, DUE - timedelta(days=7), DUE - timedelta(days=7))

    await database.write(posted)
    real = await stage.takes_in()
    await stage.tick()
    assert real.first_day in [each.first_day for each in await stage.deliveries()]
