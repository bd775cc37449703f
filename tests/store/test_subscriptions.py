"""Standing orders and the ledger: facts kept, and nothing owed twice, on both databases."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, time

import pytest
from sqlalchemy.exc import StatementError

from store.database import Database, Session
from store.deliveries import list_deliveries, owe
from store.records import (
    Channel,
    DeliveryState,
    Layout,
    Subscription,
    SubscriptionState,
    Workspace,
)
from store.subscriptions import add_subscription, list_subscriptions
from tests.bot.ingest.drafting import MONDAY, edition, entry
from tests.bot.ingest.importing import take_in

DUE = datetime(2026, 1, 12, 8, 0, tzinfo=UTC)
ORDER = Subscription(
    channel=Channel(Workspace("slack", "T1"), "C1"),
    weekday=0,
    local_time=time(9),
    zone="Europe/Berlin",
    next_due_at=DUE,
    sources=("dair",),
    not_topics=("robotics", "vision"),
    layout=Layout.THREAD,
)


async def test_a_subscription_keeps_every_fact(database: Database) -> None:
    """What was ordered is read back the same, with its id."""
    added = await database.write(add_subscription, ORDER)
    assert await database.read(list_subscriptions) == [replace(ORDER, id=added)]


async def test_channels_of_one_name_in_two_workspaces_are_two(database: Database) -> None:
    """A channel belongs to its workspace: the same id elsewhere is another channel."""
    elsewhere = replace(ORDER, channel=Channel(Workspace("slack", "T2"), "C1"))
    for order in (ORDER, elsewhere, ORDER):
        await database.write(add_subscription, order)
    workspaces = [
        order.channel.workspace.external_id for order in await database.read(list_subscriptions)
    ]
    assert workspaces == ["T1", "T2", "T1"]


async def test_a_state_that_is_none_is_refused(database: Database) -> None:
    """A word that is no state never reaches the table."""
    asleep = replace(ORDER, state="asleep")  # type: ignore[arg-type] # the point of the test
    with pytest.raises((StatementError, LookupError)):
        await database.write(add_subscription, asleep)
    assert await database.read(list_subscriptions) == []


async def test_an_edition_is_owed_once_whoever_notes_it(database: Database) -> None:
    """Eight that find the same edition owed at the same moment note it once."""
    await database.write(take_in, edition(entry(1, "One")))
    order = await database.write(add_subscription, ORDER)
    noted = await asyncio.gather(
        *(database.write(owe, order, "dair", MONDAY, DUE) for _ in range(8))
    )
    assert sorted(noted) == [False] * 7 + [True]
    [delivery] = await database.read(list_deliveries)
    assert (delivery.state, delivery.due_at) == (DeliveryState.PENDING, DUE)
    assert (delivery.source, delivery.first_day) == ("dair", MONDAY)


async def test_an_edition_that_is_not_stored_is_owed_to_nobody(database: Database) -> None:
    """A delivery needs an edition that exists."""

    def owe_nothing(session: Session) -> bool:
        return owe(session, 1, "dair", MONDAY, DUE)

    with pytest.raises(LookupError, match="2026-01-05"):
        await database.write(owe_nothing)


def test_states_are_the_words_of_the_glossary() -> None:
    """The states that are stored are the words that `deliveries list` prints."""
    assert [state.value for state in SubscriptionState] == ["active", "paused", "refused"]
    assert len(DeliveryState) == 8
