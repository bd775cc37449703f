"""Standing orders given, altered and refused: each in one transaction, on both databases."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from store.coordination.request_claims import Claim
from store.database import Database, Session
from store.posting.change_subscription import (
    REMOVED,
    AddedSubscription,
    ChangedSince,
    add_once,
    change,
    mark_of,
    post_again,
    post_now,
    refuse_workspace,
    restore_workspace,
)
from store.posting.deliveries import list_deliveries
from store.posting.notices import list_notices
from store.posting.subscriptions import by_id, list_subscriptions
from store.records import (
    Channel,
    ChannelFacts,
    DeliveryState,
    Refusal,
    Subscription,
    SubscriptionState,
    Workspace,
)
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import take_in
from tests.store.posting.delivery_rows import became
from tests.store.posting.test_subscriptions import ORDER, OURS

NOW = datetime(2026, 1, 12, 8, 0, tzinfo=UTC)
GONE = Refusal("Broadsheet was removed.", "Add it again.", REMOVED)


def _paused(order: Subscription) -> Subscription:
    return replace(order, state=SubscriptionState.PAUSED)


def _active(order: Subscription) -> Subscription:
    return replace(order, state=SubscriptionState.ACTIVE, cancelled_at=None)


def _ended(order: Subscription) -> Subscription:
    return replace(order, cancelled_at=NOW)


async def _owed(database: Database) -> int:
    """Store an edition and an order that is owed it; return the order's id."""
    await database.write(take_in, edition(entry(1, "One")))
    given = await database.write(add_once, ORDER)
    assert given.subscription.id is not None
    await database.write(post_now, given.subscription.id, None, NOW, NOW)
    return given.subscription.id


async def _states(database: Database) -> list[DeliveryState]:
    return [each.state for each in await database.read(list_deliveries)]


async def test_the_same_order_is_given_once_whoever_gives_it(database: Database) -> None:
    """Eight that give it at the same moment add one, and are told which."""
    order = replace(ORDER, facts=ChannelFacts("ml", private=True))
    given: Sequence[AddedSubscription] = await asyncio.gather(
        *(database.write(add_once, replace(order, owner=f"U{n}")) for n in range(8))
    )
    assert sorted(each.is_new for each in given) == [False] * 7 + [True]
    [stored] = await database.read(list_subscriptions)
    assert {each.subscription.id for each in given} == {stored.id}
    assert stored.facts == order.facts


async def test_a_request_adds_once(database: Database) -> None:
    """It is told the same when it comes again; what was taken back since is not added anew."""
    request = Claim("slack:T1:1", NOW)
    first = await database.write(add_once, ORDER, request)
    assert await database.write(add_once, ORDER, request) == first
    assert first.subscription.id is not None
    await database.write(change, first.subscription.id, _ended, None, at=NOW, now=NOW)
    with pytest.raises(LookupError):
        await database.write(add_once, ORDER, request)
    assert await database.read(list_subscriptions) == []


@pytest.mark.parametrize("stopped", [_paused, _ended])
async def test_what_is_stopped_is_owed_nothing_until_it_goes_on(
    database: Database, stopped: Callable[[Subscription], Subscription]
) -> None:
    """What was not sent is skipped, and sent after all once the order is carried out again."""
    order = await _owed(database)
    done = await database.write(change, order, stopped, None, at=NOW, now=NOW)
    assert await database.read(by_id, order) == done.after
    assert await _states(database) == [DeliveryState.SKIPPED]
    await database.write(change, order, _active, None, at=NOW, now=NOW)
    assert await _states(database) == [DeliveryState.RETRY]


async def test_a_request_alters_once(database: Database) -> None:
    """One that comes again is told how the order stands, and that it had been carried out."""
    order, request = await _owed(database), Claim("slack:T1:1", NOW)
    first = await database.write(change, order, _paused, request, at=NOW, now=NOW)
    assert (first.is_new, first.after.state) == (True, SubscriptionState.PAUSED)
    await database.write(change, order, _active, None, at=NOW, now=NOW)
    second = await database.write(change, order, _paused, request, at=NOW, now=NOW)
    assert (second.is_new, second.after.state) == (False, SubscriptionState.ACTIVE)
    assert await _states(database) == [DeliveryState.RETRY]


async def test_a_request_delivers_once(database: Database) -> None:
    """One that comes again is told what is owed, and revives nothing."""
    order, request = await _owed(database), Claim("slack:T1:1", NOW)
    await database.write(became, 1, DeliveryState.DEAD, error="No.")
    [asked] = await database.write(post_now, order, request, NOW, NOW)
    assert (asked.delivery.id, asked.is_new) == (1, True)
    await database.write(became, 1, DeliveryState.DEAD, error="No.")
    [again] = await database.write(post_now, order, request, NOW, NOW)
    assert (again.delivery.id, again.is_new) == (1, False)
    assert await _states(database) == [DeliveryState.DEAD]


async def test_a_request_posts_again_once(database: Database) -> None:
    """What nobody knows of is sent once more for one press of a button."""
    await _owed(database)
    request = Claim("slack:T1:1", NOW)
    await database.write(became, 1, DeliveryState.UNKNOWN)
    assert await database.write(post_again, 1, request, NOW)
    await database.write(became, 1, DeliveryState.UNKNOWN)
    assert await database.write(post_again, 1, request, NOW)
    assert await _states(database) == [DeliveryState.UNKNOWN]


async def test_orders_where_the_bot_is_no_more_are_refused(database: Database) -> None:
    """Each owner is told once, what waits is skipped, and other workspaces go on."""
    order = await _owed(database)
    paused = replace(ORDER, weekday=2, state=SubscriptionState.PAUSED, next_due_at=None)
    await database.write(add_once, paused)
    elsewhere = replace(ORDER, channel=Channel(Workspace("slack", "T2"), "C1"))
    await database.write(add_once, elsewhere)
    for _ in range(2):
        await database.write(refuse_workspace, OURS, GONE, NOW)
    found = await database.read(list_subscriptions)
    assert [(each.state, each.refusal) for each in found] == [
        (SubscriptionState.REFUSED, GONE),
        (SubscriptionState.PAUSED, None),
        (SubscriptionState.ACTIVE, None),
    ]
    assert await _states(database) == [DeliveryState.SKIPPED]
    told = await database.read(list_notices, NOW)
    assert [(each.subscription.id, each.refusal.sentence) for each in told] == [
        (order, GONE.sentence)
    ]
    assert len(told[0].key) <= 25


async def test_orders_go_on_where_the_bot_is_again(database: Database) -> None:
    """What it was refused for is over; what was refused for another reason stays so."""
    order = await _owed(database)
    other = replace(
        ORDER,
        weekday=2,
        state=SubscriptionState.REFUSED,
        refusal=Refusal("The channel is archived.", "", "is_archived"),
    )
    await database.write(add_once, other)
    await database.write(refuse_workspace, OURS, GONE, NOW)
    later = NOW + timedelta(days=3)
    await database.write(restore_workspace, OURS, later, later)
    found = await database.read(list_subscriptions)
    assert found[0] == replace(ORDER, id=order)
    assert found[1].refusal == other.refusal
    assert await _states(database) == [DeliveryState.RETRY]


async def test_only_owners_that_can_be_reached_are_told(database: Database) -> None:
    """However many wait elsewhere, those of a platform that is there come first."""
    gone = Workspace("gone", "T9")

    def add_many(session: Session) -> None:
        for number in range(120):
            add_once(session, replace(ORDER, channel=Channel(gone, f"C{number}")))

    await database.write(add_many)
    await database.write(refuse_workspace, gone, GONE, NOW)
    order = await _owed(database)
    await database.write(refuse_workspace, OURS, GONE, NOW + timedelta(minutes=1))
    later = NOW + timedelta(minutes=2)
    assert order not in {each.subscription.id for each in await database.read(list_notices, later)}
    [told] = await database.read(list_notices, later, [OURS.platform])
    assert told.subscription.id == order


async def test_a_clock_that_was_ahead_keeps_no_owner_waiting(database: Database) -> None:
    """What was noted by it is told at once all the same."""
    await _owed(database)
    await database.write(refuse_workspace, OURS, GONE, NOW + timedelta(hours=2))
    assert len(await database.read(list_notices, NOW)) == 1


async def test_what_is_over_is_not_told(database: Database) -> None:
    """An owner who was not told yet that posts stopped is not told once they go on."""
    order = await _owed(database)
    await database.write(refuse_workspace, OURS, GONE, NOW)
    assert len(await database.read(list_notices, NOW)) == 1
    await database.write(restore_workspace, OURS, NOW, NOW)
    assert await database.read(list_notices, NOW) == []
    await database.write(refuse_workspace, OURS, GONE, NOW)
    await database.write(change, order, _active, None, at=NOW, now=NOW)
    assert await database.read(list_notices, NOW) == []


async def test_a_change_of_what_was_seen_is_of_that_alone(database: Database) -> None:
    """A mark is the same when it is read again; of two at once who saw it the second is refused."""
    given = (await database.write(add_once, ORDER)).subscription
    number = given.id or 0
    stored = await database.read(by_id, number)
    assert stored is not None
    assert mark_of(stored) == mark_of(given)

    async def pause(key: str) -> bool:
        done = await database.write(
            change, number, _paused, Claim(key, NOW), at=NOW, now=NOW, seen=mark_of(given)
        )
        return done.is_new

    done = await asyncio.gather(pause("a"), pause("b"), return_exceptions=True)
    assert sorted(map(type, done), key=str) == [bool, ChangedSince]
    first = "a" if done[0] is True else "b"
    assert await pause(first) is False
    with pytest.raises(ChangedSince):
        await pause("c")


async def test_a_mark_tells_what_people_set_and_no_more(database: Database) -> None:
    """Each thing that they set changes it; when it is due, and a pause's hour, do not."""
    given = (await database.write(add_once, ORDER)).subscription
    until = datetime(2026, 12, 24, tzinfo=UTC)
    paused = replace(_paused(given), zone="UTC", paused_until=until)
    others = (
        given, replace(given, size=3), replace(given, topics=("agents",)), _paused(given), paused,
        _ended(given), _ended(paused), replace(paused, paused_until=until + timedelta(days=1)),
    )  # fmt: skip
    assert len({mark_of(each) for each in others}) == len(others)
    assert mark_of(replace(given, next_due_at=NOW)) == mark_of(given)
    assert mark_of(replace(paused, paused_until=until - timedelta(hours=3))) == mark_of(paused)
