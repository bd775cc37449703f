"""Standing orders: facts kept, and found where they belong, on both databases."""

from dataclasses import replace
from datetime import UTC, datetime, time

import pytest
from sqlalchemy.exc import StatementError

from store.database import Database
from store.posting.subscriptions import (
    add_subscription,
    by_id,
    find,
    last_of_channel,
    list_subscriptions,
    of_channel,
    of_workspace,
    save_channel_facts,
)
from store.records import (
    Channel,
    ChannelFacts,
    DeliveryState,
    Layout,
    Subscription,
    SubscriptionState,
    Workspace,
)

OURS = Workspace("slack", "T1")
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


async def test_orders_are_found_where_they_belong(database: Database) -> None:
    """By channel, by workspace and by number; what was taken back only by number."""
    elsewhere = replace(ORDER, channel=Channel(Workspace("slack", "T2"), "C1"))
    beside = replace(ORDER, channel=Channel(OURS, "C2"))
    gone = replace(ORDER, cancelled_at=DUE, weekday=3)
    ids = [
        await database.write(add_subscription, each) for each in (ORDER, elsewhere, beside, gone)
    ]
    orders = [
        replace(order, id=number)
        for order, number in zip((ORDER, elsewhere, beside, gone), ids, strict=True)
    ]
    assert await database.read(of_channel, ORDER.channel) == [orders[0]]
    assert await database.read(of_workspace, OURS) == [orders[0], orders[2]]
    assert await database.read(last_of_channel, ORDER.channel) == orders[3]
    assert await database.read(find, OURS, ids[3]) == orders[3]
    assert await database.read(find, OURS, ids[1]) is None
    assert await database.read(find, Workspace("discord", "T1"), ids[0]) is None
    assert await database.read(by_id, ids[1]) == orders[1]


async def test_a_channel_is_known_by_what_was_noted_last(database: Database) -> None:
    """Its name and whether it is private follow what is seen of it, for each of its orders."""
    for _ in range(2):
        await database.write(add_subscription, ORDER)
    for facts in (ChannelFacts("ml"), ChannelFacts("papers", private=True)):
        await database.write(save_channel_facts, ORDER.channel, facts)
        found = await database.read(of_channel, ORDER.channel)
        assert [each.facts for each in found] == [facts, facts]


def test_states_are_the_words_of_the_glossary() -> None:
    """The states that are stored are the words that `deliveries list` prints."""
    assert [state.value for state in SubscriptionState] == ["active", "paused", "refused"]
    assert len(DeliveryState) == 8
