"""What an operator is told of subscriptions and deliveries, and how one is sent again."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

import pytest

from store.database import Database, Session
from store.posting import queue
from store.posting.change_subscription import change
from store.posting.claim import ClaimedDelivery, Outcome
from store.posting.deliveries import list_deliveries
from store.posting.editions_to_post import newest_editions
from store.posting.subscriptions import add_subscription, save_channel_facts
from store.posting.transitions import AttemptSettled, PartBegun, PartSent
from store.records import (
    Channel,
    ChannelFacts,
    DeliveryState,
    Layout,
    Part,
    Refusal,
    Subscription,
    SubscriptionState,
    Workspace,
)
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import take_in
from tests.flows.program import Program
from tests.store.posting.delivery_rows import claimed, noted, ready

DUE = datetime(2026, 1, 12, 8, 0, tzinfo=UTC)
ML = Subscription(
    channel=Channel(Workspace("slack", "T1"), "C1"),
    facts=ChannelFacts("ml"),
    weekday=0,
    local_time=time(9),
    zone="Europe/Berlin",
    next_due_at=DUE + timedelta(days=7),
    sources=("dair", "paperdive"),
    topics=("agents", "rag"),
    not_topics=("vision",),
    size=5,
    layout=Layout.THREAD,
    owner="U1",
)
GUILD = replace(
    ML,
    channel=Channel(Workspace("discord", "77"), "7001"),
    facts=ChannelFacts("evil\x1b[2Jname"),
    sources=("dair",),
    topics=(),
    not_topics=(),
    layout=Layout.COMPACT,
)
# Each of another channel.
ORDERS = (ML, GUILD, replace(ML, channel=Channel(ML.channel.workspace, "C2")))
PARTS = tuple(Part(number, f"d1-{number}", refs=()) for number in (1, 2))


@dataclass(frozen=True)
class Ledger:
    """The store of a program, written to as the bot writes."""

    database: Database
    program: Program

    async def order(self, order: Subscription) -> int:
        """Give an order and note what its channel is called."""
        added = await self.database.write(add_subscription, order)
        await self.database.write(save_channel_facts, order.channel, order.facts)
        return added

    async def claimed(self, order: int) -> ClaimedDelivery:
        """Owe the newest edition to an order, and begin to work on it."""
        return await self.database.write(_claimed, order)

    async def settled(self, order: int, outcome: Outcome) -> None:
        """Let an attempt for an order end in an outcome, before any part was planned."""
        work = await self.claimed(order)
        await self.database.write_locking_rows(
            noted, AttemptSettled(work.claim, None, outcome, DUE)
        )

    async def posted(self, order: int) -> None:
        """Post an edition in two messages."""
        work = await self.claimed(order)
        await self.database.write(_posted, work)

    async def states(self) -> list[DeliveryState]:
        """Return the states of all deliveries by id."""
        return [each.state for each in await self.database.read(list_deliveries)]


def _claimed(session: Session, order: int) -> ClaimedDelivery:
    [dair] = newest_editions(session, DUE.date()).values()
    queue.enqueue(session, [order], dair.id, DUE, DUE)
    return claimed(session, ready(session, "slack", "discord", most=1)[0])


def _posted(session: Session, work: ClaimedDelivery) -> None:
    held, planned = work.claim, tuple(PARTS)
    for part in PARTS:
        held = noted(session, PartBegun(held, part.number, DUE, work, planned))
        planned = ()
        there = replace(part, place="C1", message=f"17.{part.number}", url=f"https://x/{part.key}")
        held = noted(session, PartSent(held, there, DUE + timedelta(seconds=9)))


@pytest.fixture
def kept(broadsheet: Program) -> Iterator[Ledger]:
    """Return a ledger over a store with one edition."""
    with closing(Database(f"sqlite:///{broadsheet.folder / 'broadsheet.db'}")) as database:
        asyncio.run(database.write(take_in, edition(entry(1, "One"), entry(2, "Two"))))
        yield Ledger(database, broadsheet)


async def test_orders_are_told(kept: Ledger) -> None:
    """To programs under the platforms' own ids, instants in UTC; to people in lines.

    In these the state stands first, and nothing could steer a terminal.
    """
    refusal = Refusal("Slack has no such channel.", "Give the order elsewhere.", "is_archived")
    await kept.order(ML)
    refused = replace(GUILD, state=SubscriptionState.REFUSED, next_due_at=None, refusal=refusal)
    await kept.order(replace(refused, missed_at=DUE))
    ran = kept.program("subscriptions", "list", "--json")
    assert (ran.code, ran.err) == (0, "")
    first, second = json.loads(ran.out)
    assert first == {
        "id": 1,
        "platform": "slack",
        "workspace": "T1",
        "channel": "C1",
        "channel_name": "ml",
        "owner": "U1",
        "personal": False,
        "state": "active",
        "day": "monday",
        "time": "09:00",
        "zone": "Europe/Berlin",
        "sources": ["dair", "paperdive"],
        "topics": ["agents", "rag"],
        "not_topics": ["vision"],
        "size": 5,
        "layout": "thread",
        "patience": 259_200,
        "paused_until": None,
        "next_due_at": "2026-01-19T08:00:00+00:00",
        "missed_at": None,
        "refusal": None,
    }
    assert (second["id"], second["state"], second["next_due_at"]) == (2, "refused", None)
    assert second["missed_at"] == "2026-01-12T08:00:00+00:00"
    assert second["refusal"] == {
        "sentence": "Slack has no such channel.",
        "remedy": "Give the order elsewhere.",
        "code": "is_archived",
    }
    wanted = "dair, paperdive · topics agents, rag · without vision"
    ran = kept.program("subscriptions", "list")
    assert ran.out.splitlines() == [
        "active     1  #ml (slack T1 C1)",
        "              monday 09:00 Europe/Berlin, next 2026-01-19 08:00 UTC",
        f"              {wanted} · at most 5 papers · thread",
        "refused    2  #evil[2Jname (discord 77 7001)",
        "              monday 09:00 Europe/Berlin",
        "              dair · at most 5 papers · compact",
        "              nothing came within 3 days of 2026-01-12 08:00 UTC",
        "              Slack has no such channel. Give the order elsewhere.",
    ]


async def test_deliveries_are_told(kept: Ledger) -> None:
    """To programs with each part, its key and message; to people by channel, with what went wrong.

    On request only those that failed are shown.
    """
    await kept.posted(await kept.order(ML))
    await kept.settled(await kept.order(GUILD), Outcome(DeliveryState.DEAD, error="No channel."))
    ran = kept.program("deliveries", "list", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out) == [
        {
            "id": 1,
            "kind": "post",
            "subscription": 1,
            "platform": ML.channel.workspace.platform,
            "workspace": ML.channel.workspace.external_id,
            "channel": ML.channel.external_id,
            "source": "dair",
            "first_day": "2026-01-05",
            "state": "sent",
            "attempts": 1,
            "next_try_at": None,
            "parts": [
                {"key": "d1-1", "message": "17.1", "state": "sent", "url": "https://x/d1-1"},
                {"key": "d1-2", "message": "17.2", "state": "sent", "url": "https://x/d1-2"},
            ],
            "due_at": "2026-01-12T08:00:00+00:00",
            "sent_at": "2026-01-12T08:00:09+00:00",
            "error": None,
            "url": "https://x/d1-1",
        },
        {
            "id": 2,
            "kind": "post",
            "subscription": 2,
            "platform": GUILD.channel.workspace.platform,
            "workspace": GUILD.channel.workspace.external_id,
            "channel": GUILD.channel.external_id,
            "source": "dair",
            "first_day": "2026-01-05",
            "state": "dead",
            "attempts": 1,
            "next_try_at": None,
            "parts": [],
            "due_at": "2026-01-12T08:00:00+00:00",
            "sent_at": None,
            "error": "No channel.",
            "url": None,
        },
    ]
    times = "due 2026-01-12 08:00 UTC, sent 2026-01-12 08:00 UTC"
    sent = [
        "sent       1  dair 2026-01-05, subscription 1, #ml (slack T1 C1)",
        f"              {times}, 1 attempt, 2 of 2 messages",
        "              https://x/d1-1",
    ]
    dead = [
        "dead       2  dair 2026-01-05, subscription 2, #evil[2Jname (discord 77 7001)",
        "              due 2026-01-12 08:00 UTC, 1 attempt",
        "              No channel.",
    ]
    assert kept.program("deliveries", "list").out.splitlines() == [*sent, *dead]
    assert kept.program("deliveries", "list", "--failed").out.splitlines() == dead


async def test_what_there_is_none_of_is_said(kept: Ledger) -> None:
    """In words to people, as an empty list to programs; an order that was taken back is none."""
    await kept.order(replace(ML, cancelled_at=DUE))
    assert kept.program("subscriptions", "list").out == "None yet.\n"
    assert json.loads(kept.program("subscriptions", "list", "--json").out) == []
    assert kept.program("deliveries", "list").out == "None yet.\n"
    assert kept.program("deliveries", "list", "--failed").out == "None.\n"
    assert json.loads(kept.program("deliveries", "list", "--failed", "--json").out) == []


async def test_what_failed_is_shown_by_itself(kept: Ledger) -> None:
    """A delivery that is unknown, dead or being tried again is one that failed."""
    states = (DeliveryState.UNKNOWN, DeliveryState.DEAD, DeliveryState.RETRY)
    for order, state in zip(ORDERS, states, strict=True):
        await kept.settled(await kept.order(order), Outcome(state, error="No."))
    failed = json.loads(kept.program("deliveries", "list", "--failed", "--json").out)
    told = [(each["state"], each["error"]) for each in failed]
    assert told == [(state.value, "No.") for state in states]


async def test_what_waits_for_its_turn_is_told(kept: Ledger) -> None:
    """No attempt was made and nothing failed; when it is tried next is said to both."""
    until = datetime.now(UTC).replace(microsecond=0) + timedelta(minutes=5)
    waits = Outcome(DeliveryState.PENDING, ready_at=until, counts=False)
    await kept.settled(await kept.order(ML), waits)
    assert kept.program("deliveries", "list", "--failed").out == "None.\n"
    [listed] = json.loads(kept.program("deliveries", "list", "--json").out)
    assert (listed["state"], listed["attempts"], listed["error"]) == ("pending", 0, None)
    assert listed["next_try_at"] == until.isoformat()
    said = kept.program("deliveries", "list").out
    assert f"0 attempts, next {until:%Y-%m-%d %H:%M} UTC" in said


async def test_what_was_given_up_is_sent_again(kept: Ledger) -> None:
    """It waits for the running bot, which looks for work at every tick."""
    states = (DeliveryState.UNKNOWN, DeliveryState.DEAD, DeliveryState.SKIPPED)
    for order, state in zip(ORDERS, states, strict=True):
        await kept.settled(await kept.order(order), Outcome(state, error="No."))
    for number in range(1, 4):
        ran = kept.program("deliveries", "retry", str(number))
        assert (ran.code, ran.err) == (0, "")
        said = f"The running bot sends delivery {number} (dair 2026-01-05) within a tick.\n"
        assert ran.out == said
    assert await kept.states() == [DeliveryState.RETRY] * 3
    found = await kept.database.read(ready, "slack", "discord", at=datetime.now(UTC))
    assert {each.id for each in found} == {1, 2, 3}


async def test_work_in_hand_is_left_alone(kept: Ledger) -> None:
    """A delivery that goes on by itself needs no help, and that is no error."""
    await kept.claimed(await kept.order(ML))
    ran = kept.program("deliveries", "retry", "1")
    said = "Delivery 1 (dair 2026-01-05) is claimed: it goes on by itself.\n"
    assert (ran.code, ran.out) == (0, said)
    assert await kept.states() == [DeliveryState.CLAIMED]


async def test_what_was_posted_is_not_posted_again(kept: Ledger) -> None:
    """Whoever asks is told when it was posted and where it stands."""
    await kept.posted(await kept.order(ML))
    ran = kept.program("deliveries", "retry", "1")
    assert (ran.code, ran.out) == (1, "")
    assert "Delivery 1 (dair 2026-01-05) was posted on 2026-01-12 08:00 UTC." in ran.err
    assert "It is at https://x/d1-1" in ran.err
    assert await kept.states() == [DeliveryState.SENT]


async def test_what_nobody_wants_any_more_is_not_sent(kept: Ledger) -> None:
    """The order is to be given again first."""
    order = await kept.order(ML)
    await kept.settled(order, Outcome(DeliveryState.DEAD, error="No."))
    await kept.database.write(
        change, order, lambda given: replace(given, cancelled_at=DUE), None, at=DUE, now=DUE
    )
    ran = kept.program("deliveries", "retry", "1")
    assert (ran.code, ran.out) == (1, "")
    assert "Subscription 1, which delivery 1 (dair 2026-01-05) is for, was cancelled." in ran.err
    assert "/papers resume 1 in its channel gives it again." in ran.err
    assert await kept.states() == [DeliveryState.DEAD]


async def test_the_doctor_tells_of_orders_that_would_not_work(kept: Ledger) -> None:
    """A refused order is a problem, what was not delivered last and a moved clock are notes."""
    await kept.order(replace(GUILD, refusal=Refusal("It is archived.", "Unarchive it.")))
    await kept.settled(await kept.order(ML), Outcome(DeliveryState.DEAD, error="No."))
    ran = kept.program("doctor", BROADSHEET_CLOCK_OFFSET="3600")
    assert ran.code == 1
    lines = ran.out.splitlines()
    assert "problem  subscriptions: Subscription 1 is refused: It is archived." in lines
    assert "         Unarchive it." in lines
    assert "note     deliveries: Dead: 1." in lines
    assert "note     clock: The clock is moved by 3600 s, for trials." in lines


@pytest.mark.parametrize(
    ("number", "code", "words"),
    [("7", 1, "There is no delivery 7."), ("0", 2, "0 is not in the range"), ("x", 2, "'x' is")],
)
def test_a_delivery_that_is_none_is_named(
    broadsheet: Program, number: str, code: int, words: str
) -> None:
    """What can't be an id is wrong usage; an id that nothing has is an error in words."""
    ran = broadsheet("deliveries", "retry", number)
    assert (ran.code, ran.out) == (code, "")
    assert words in ran.err
