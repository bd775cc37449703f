"""What is due is sent once, whatever happens in between."""

import asyncio
import time
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import pairwise

import pytest
from sqlmodel import col, select

from bot.clock import SystemClock
from bot.domain.drafts import DocumentKind, ParsedDocument
from bot.ingest.pipeline import ImportOptions, ingest
from bot.posting.delivery.timing import Timing
from bot.posting.ports import Message, PostedMessage
from store.database import Database, Session
from store.posting import queue
from store.readers import seen_lists
from store.records import DeliveryState, Layout, SeenList, SubscriptionState
from store.tables.library import EditionRow
from store.tables.posting import DeliveryRow
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.formats.newsletter.printer import print_newsletter
from tests.bot.posting.delivery.setup import DUE, ORDER, QUICK, Stage, papers
from tests.conftest import on_both
from tests.fakes.channel_client import Fault, MemoryChannelClient

pytestmark = pytest.mark.on_sqlite

PARTS = {Layout.COMPACT: 1, Layout.FULL: 1, Layout.THREAD: 4}


@pytest.mark.parametrize("layout", Layout)
async def test_what_is_due_is_posted_once(database: Database, layout: Layout) -> None:
    """A due subscription gets its edition once, in the messages of its layout."""
    stage = Stage(database)
    delivery = await stage.sent(layout)
    assert len(stage.client.messages) == PARTS[layout]
    assert [part.state for part in delivery.parts] == [DeliveryState.SENT] * PARTS[layout]
    assert [part.message for part in delivery.parts] == [each.id for each in stage.client.messages]
    assert delivery.sent_at == DUE
    await stage.tick()
    async with stage.sending():
        await stage.tick()
    assert len(stage.client.messages) == PARTS[layout]


@pytest.mark.parametrize("layout", Layout)
async def test_a_post_is_the_list_of_its_channel(database: Database, layout: Layout) -> None:
    """In each layout the store knows which papers the last post shows, in order."""
    stage = Stage(database)
    await stage.takes_in(*papers(10))
    await stage.ordered(layout, size=4)
    await stage.posted()
    refs = tuple(f"dair:2026-01-05#{rank}" for rank in range(1, 5))
    shown = await database.read(seen_lists.last_post_of, ORDER.channel.workspace, "C1")
    assert shown == SeenList(refs, 1, None, None, None, DUE)


async def test_a_thread_has_one_reply_an_entry_in_order(database: Database) -> None:
    """The first message stands in the channel; each paper replies to it, in one thread."""
    stage = Stage(database)
    await stage.takes_in(*papers(10))
    await stage.ordered(Layout.THREAD)
    await stage.posted()
    root, *replies = [each.message for each in stage.client.messages]
    assert (root.root, root.threaded) == (None, False)
    assert len(replies) == 10
    for rank, reply in enumerate(replies, 1):
        assert reply.threaded
        assert reply.root is not None
        assert reply.root.message == "1"
        assert reply.thread == (None if rank == 1 else "thread-1")
        assert f"Paper {rank}" in stage.client.messages[rank].text


@pytest.mark.parametrize(
    ("database_url", "layout"),
    [("postgres", Layout.COMPACT), ("sqlite", Layout.THREAD)],
    indirect=["database_url"],
)
@pytest.mark.parametrize(
    "fault",
    [
        Fault.LOST_BEFORE, Fault.LOST_AFTER, Fault.STUCK_BEFORE, Fault.STUCK_AFTER,
        Fault.RATE_LIMITED, Fault.UNAVAILABLE, Fault.TOKEN_REVOKED,
    ],
)  # fmt: skip
async def test_a_fault_is_made_good(database: Database, layout: Layout, fault: Fault) -> None:
    """Whatever meets any one message, in the end all stand there once and in order."""
    for week, number in enumerate(sorted({0, 1, PARTS[layout] - 1} & {*range(PARTS[layout])})):
        stage = Stage(database)
        stage.client.faults.extend([*[None] * number, fault])
        await stage.takes_in(week=week)
        await stage.ordered(layout) if week == 0 else None
        stage.clock.at = DUE + timedelta(weeks=week)
        await stage.tick()
        async with stage.sending():
            await stage.until(DeliveryState.SENT, lambda each: each.id == week + 1)  # noqa: B023 - awaited here
        keys = [each.message.key for each in stage.client.messages]
        assert len(set(keys)) == len(keys) == PARTS[layout]


@pytest.mark.parametrize("fault", [Fault.STUCK_BEFORE, Fault.STUCK_AFTER])
@pytest.mark.parametrize("number", range(4))
async def test_a_crash_between_sending_and_noting_doubles_nothing(
    database: Database, fault: Fault, number: int
) -> None:
    """Killed while a part is on its way, another process finds out whether it stands."""
    stage = Stage(database)
    stage.client.faults.extend([*[None] * number, fault])
    await stage.due(Layout.THREAD)
    async with stage.sending():
        while stage.client.calls.count("send") != number + 1:
            stage.client.reached.clear()
            await stage.client.reached.wait()
    [delivery] = await stage.deliveries()
    assert delivery.state is DeliveryState.SENDING
    async with stage.sending():
        await stage.until(DeliveryState.SENT)
    assert len(stage.client.messages) == 4
    assert len({each.message.key for each in stage.client.messages}) == 4
    assert "find" in stage.client.calls


@on_both
async def test_what_nobody_can_tell_is_unknown_until_somebody_decides(database: Database) -> None:
    """Where the history can't be read nothing is repeated; sending it again takes a person."""
    stage = Stage(database)
    stage.client.faults.append(Fault.LOST_BEFORE)
    stage.client.find_fault = Fault.FORBIDDEN
    await stage.due()
    async with stage.sending():
        delivery = await stage.until(DeliveryState.UNKNOWN)
        assert "may not post" in (delivery.error or "")
        assert stage.client.messages == []
        assert await database.write(queue.retry, delivery.id, DUE)
        stage.wake_up.notify()
        await stage.until(DeliveryState.SENT)
    assert len(stage.client.messages) == 1


async def test_insisting_lasts_for_one_attempt(database: Database) -> None:
    """Where that attempt's outcome is unknown too, nothing is repeated before somebody insists."""
    stage = Stage(database)
    stage.client.faults.extend([Fault.LOST_BEFORE, Fault.LOST_AFTER])
    stage.client.find_fault = Fault.FORBIDDEN
    await stage.due()
    async with stage.sending():
        delivery = await stage.until(DeliveryState.UNKNOWN)
        await database.write(queue.retry, delivery.id, DUE)
        await stage.until(DeliveryState.UNKNOWN, lambda each: each.attempts > delivery.attempts + 1)
    assert stage.client.calls.count("send") == 2


@pytest.mark.parametrize("fault", [Fault.FORBIDDEN, Fault.GONE])
@on_both
async def test_an_order_that_can_not_be_carried_out_is_refused(
    database: Database, fault: Fault
) -> None:
    """Its owner is told once, with the remedy, whatever else goes wrong; nothing more is tried."""
    stage = Stage(database)
    stage.client.faults.append(fault)
    stage.client.notify_faults.extend([Fault.RATE_LIMITED, Fault.LOST_AFTER])
    await stage.due()
    async with stage.sending():
        await stage.until(DeliveryState.DEAD)
        while not stage.client.notifications or stage.client.notify_faults:
            stage.wake_up.notify()
            await stage.until(DeliveryState.DEAD)
    order = await stage.order()
    assert order.state is SubscriptionState.REFUSED
    assert order.refusal is not None
    [(_, told)] = stage.client.notifications
    assert told.startswith("U1: ")
    assert order.refusal.sentence in told
    stage.clock.at += timedelta(days=7)
    await stage.takes_in(week=1)
    await stage.tick()
    assert len(await stage.deliveries()) == 1


async def test_a_form_that_is_refused_ends_one_delivery_only(database: Database) -> None:
    """The subscription goes on with the next edition."""
    stage = Stage(database)
    stage.client.faults.append(Fault.REJECTED)
    await stage.due()
    async with stage.sending():
        await stage.until(DeliveryState.DEAD)
    assert (await stage.order()).state is SubscriptionState.ACTIVE
    assert stage.client.notifications == []


async def test_filters_that_keep_nothing_skip_the_edition(database: Database) -> None:
    """It is skipped with the reason, and nothing is posted."""
    stage = Stage(database)
    await stage.due(topics=("robotics",))
    async with stage.sending():
        delivery = await stage.until(DeliveryState.SKIPPED)
    assert delivery.error == "The filters keep nothing of it."
    assert stage.client.messages == []


@on_both
async def test_a_newer_edition_overtakes_what_is_unsent(database: Database) -> None:
    """Where last week's could not be sent, this week's is posted alone."""
    stage = Stage(database)
    await stage.due()
    await stage.takes_in(week=1)
    stage.clock.at += timedelta(days=7)
    await stage.tick()
    async with stage.sending():
        await stage.until(DeliveryState.SENT)
        await stage.until(DeliveryState.SKIPPED)
    [post] = stage.client.messages
    assert "Jan 12" in post.text


@on_both
async def test_a_correction_edits_what_stands_once(database: Database) -> None:
    """What changed is edited where it stands; what is the same is not touched, nothing is added."""
    stage = Stage(database)
    await stage.sent(Layout.THREAD)
    first, second, third = papers(3)
    mended = replace(second, summary="What paper 2 really found.")
    await stage.takes_in(first, mended, third, at=DUE + timedelta(hours=1))
    await stage.tick()
    async with stage.sending():
        while await database.read(_unsettled):  # noqa: ASYNC110 - a row has no event
            await asyncio.sleep(0.01)
        await stage.tick()
        await stage.tick()
    # The root of the thread has a line on it too.
    assert [each.edits for each in stage.client.messages] == [1, 0, 1, 0]
    assert "really found" in stage.client.messages[2].text


@on_both
async def test_what_was_posted_of_papers_that_were_replaced_is_left(database: Database) -> None:
    """An operator who has other papers taken for a week changes no message, then or later."""
    stage = Stage(database)
    await stage.sent()
    before = [each.text for each in stage.client.messages]
    title = "The Top AI Papers of the Week (January 5-11)"
    for hours, verb in ((1, "Stirs"), (2, "Really stirs")):
        spoons = (entry(rank, f"Spoon {rank}", f"{verb} soup {rank}.") for rank in range(1, 4))
        text = print_newsletter(
            ParsedDocument(DocumentKind.NEWSLETTER, "dair", "T", (edition(*spoons, title=title),))
        )
        at, word = DUE + timedelta(hours=hours), ImportOptions(replace=True)
        report = await ingest(database, "week.txt", text.encode(), word, at)
        assert [each.outcome for each in report.editions] == ["changed"]
        await stage.tick()
        async with stage.sending():
            while await database.read(_unsettled):  # noqa: ASYNC110 - a row has no event
                await asyncio.sleep(0.01)
    assert [each.text for each in stage.client.messages] == before
    assert [each.edits for each in stage.client.messages] == [0] * len(before)


def _unsettled(session: Session) -> bool:
    """Tell whether something posted is still to be compared with its edition."""
    changed = col(EditionRow.changed_at) != col(DeliveryRow.content_at)
    asked = select(DeliveryRow.id).where(col(EditionRow.id) == DeliveryRow.edition_id, changed)
    return session.exec(asked).first() is not None


async def test_a_message_that_was_removed_is_left_alone(database: Database) -> None:
    """A correction does not bring back what somebody took away, and edits the rest."""
    stage = Stage(database)
    await stage.sent(Layout.THREAD)
    removed = stage.client.messages.pop(2)
    mended = [replace(each, summary="Corrected.") for each in papers(3)]
    await stage.takes_in(*mended, at=DUE + timedelta(hours=1))
    await stage.tick()
    async with stage.sending():
        await stage.until(
            DeliveryState.SENT, lambda each: any(part.message is None for part in each.parts)
        )
        while stage.client.calls.count("edit") < 3:
            await stage.until(DeliveryState.SENT)
    assert removed.id not in {each.id for each in stage.client.messages}
    assert len(stage.client.messages) == 3


async def test_a_correction_is_tried_until_it_is_taken(database: Database) -> None:
    """A platform that is busy, or breaks off, is asked again; an edit twice is as good as once."""
    stage = Stage(database)
    await stage.sent()
    stage.client.edit_faults.extend([Fault.RATE_LIMITED, Fault.LOST_BEFORE])
    mended = [replace(each, title=f"{each.title}, corrected") for each in papers(3)]
    await stage.takes_in(*mended, at=DUE + timedelta(hours=1))
    await stage.tick()
    async with stage.sending():
        while not stage.client.messages[0].edits:
            await stage.until(DeliveryState.SENT)
    assert stage.client.calls.count("edit") == 3


def test_a_lease_outlasts_what_is_done_under_it() -> None:
    """A pace by which a delivery could be taken over while it is being sent is refused."""
    with pytest.raises(ValueError, match="longer"):
        Timing(send=10, lease=10)


@pytest.mark.parametrize("hours", [-30, 30])
async def test_a_wrong_clock_doubles_nothing(database: Database, hours: int) -> None:
    """What may stand is looked for by the platform's time, not by that of the machine."""
    stage = Stage(database, wall=SystemClock(timedelta(hours=hours)))
    stage.client.faults.append(Fault.LOST_AFTER)
    await stage.due()
    async with stage.sending():
        await stage.until(DeliveryState.SENT)
    assert len(stage.client.messages) == 1
    assert stage.client.calls == ["send", "find"]


@dataclass
class TimedClient(MemoryChannelClient):
    """Notes when it is reached."""

    at: list[float] = field(default_factory=list)

    async def send(self, message: Message) -> PostedMessage:
        """Take a message."""
        self.at.append(time.monotonic())
        return await MemoryChannelClient.send(self, message)


async def test_messages_to_one_channel_keep_their_distance(database: Database) -> None:
    """Two subscriptions of one channel wait for each other as the messages of one post do."""
    client = TimedClient(gap=0.5)
    stage = Stage(database, client, timing=replace(QUICK, send=10.0, lease=20.0))
    await stage.takes_in()
    await stage.ordered(Layout.THREAD)
    await stage.ordered()
    await stage.tick()
    async with stage.sending():
        await stage.until(DeliveryState.SENT, lambda each: each.id == 1)
        await stage.until(DeliveryState.SENT, lambda each: each.id == 2)
    assert len(client.at) == 5
    # A message may leave up to 0.25 seconds after its slot, and the next one at its own slot.
    assert all(later - earlier >= 0.15 for earlier, later in pairwise(client.at))


@pytest.mark.parametrize(("fault", "refused"), [(Fault.FORBIDDEN, True), (Fault.GONE, False)])
async def test_a_reply_that_may_not_be_sent_ends_the_order(
    database: Database, fault: Fault, *, refused: bool
) -> None:
    """Each week would bring a lone card otherwise; a thread that is gone is no reason."""
    stage = Stage(database)
    stage.client.faults.extend([None, fault])
    await stage.due(Layout.THREAD)
    async with stage.sending():
        await stage.until(DeliveryState.DEAD)
    state = (await stage.order()).state
    assert state is (SubscriptionState.REFUSED if refused else SubscriptionState.ACTIVE)
