"""Stored servers: left, joined again, and deleted after 30 days."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

import pytest

from adapters.discord.posts.channel_client import RETENTION
from adapters.discord.servers import MissedChanges, ServerCleanup, missed_changes
from store.database import Database
from store.posting.notices import list_notices
from store.posting.subscriptions import add_subscription, list_subscriptions
from store.records import Channel, Subscription, SubscriptionState, Workspace, WorkspaceSettings
from store.workspaces.workspaces import change_settings, list_left, list_present, read_settings

NOW = datetime(2026, 1, 12, 8, 0, tzinfo=UTC)
IN_BERLIN = WorkspaceSettings(zone="Europe/Berlin")


@dataclass
class SetClock:
    """A clock that is set by hand."""

    at: datetime = NOW

    def now(self) -> datetime:
        """Return the instant that it was set to."""
        return self.at


def _server(name: object) -> Workspace:
    return Workspace("discord", str(name))


def _ours(_guild_id: int) -> bool:
    return True


async def _settle(database: Database, *names: object) -> None:
    for name in names:
        await database.write(change_settings, _server(name), {"zone": "Europe/Berlin"})


@pytest.mark.parametrize(
    ("present", "left", "ids", "moves"),
    [
        ([], [], [1], ([], [])),
        ([1, 2], [3], [1, 2], ([], [])),
        ([1, 2], [3], [1, 3, 4], ([2], [3])),
        ([1, 5], [], [], ([1], [])),
        (["@7", "@8"], ["@9"], [9], ([], [])),
    ],
)
def test_unseen_moves_are_found(
    present: Iterable[object],
    left: Iterable[object],
    ids: list[int],
    moves: tuple[list[object], list[object]],
) -> None:
    """Missing servers of this process were left, listed ones joined; users are ignored."""
    gone, back = moves
    assert missed_changes(
        map(_server, present), map(_server, left), ids, lambda guild_id: guild_id != 5
    ) == MissedChanges(tuple(map(_server, gone)), tuple(map(_server, back)))


async def test_a_server_that_returns_within_a_month_finds_its_data(database: Database) -> None:
    """Settings from before the removal apply again."""
    clock = SetClock()
    cleanup = ServerCleanup(database, clock)
    await _settle(database, 1, 2)
    await cleanup.mark_left(1)
    clock.at = NOW + RETENTION - timedelta(seconds=1)
    assert await cleanup.delete_old() == 0
    await cleanup.mark_joined(1)
    clock.at = NOW + 3 * RETENTION
    assert await cleanup.delete_old() == 0
    assert await database.read(read_settings, _server(1)) == IN_BERLIN


async def test_a_server_that_stays_away_is_forgotten(database: Database) -> None:
    """After 30 days nothing of it is left, and all of every other is."""
    clock = SetClock()
    cleanup = ServerCleanup(database, clock)
    await _settle(database, 1, 2, "@1")
    await cleanup.mark_left(1)
    await cleanup.mark_left(3)
    clock.at = NOW + RETENTION
    assert await cleanup.delete_old() == 1
    assert await database.read(read_settings, _server(1)) == WorkspaceSettings()
    assert await database.read(list_present, "discord") == [_server(2), _server("@1")]
    await cleanup.mark_joined(1)
    assert await database.read(read_settings, _server(1)) == WorkspaceSettings()


async def test_moves_that_nobody_heard_of_are_caught_up_with(database: Database) -> None:
    """A server that is missing from the list is left, one that is back is joined."""
    clock = SetClock()
    cleanup = ServerCleanup(database, clock)
    await _settle(database, 1, 2, 3)
    await cleanup.mark_left(3)
    clock.at = NOW + timedelta(days=1)
    await cleanup.catch_up([1, 3], _ours)
    assert await database.read(list_present, "discord") == [_server(1), _server(3)]
    assert await database.read(list_left, "discord") == [_server(2)]
    clock.at = NOW + RETENTION
    assert await cleanup.delete_old() == 0
    await cleanup.catch_up([1, 3], _ours)
    clock.at = NOW + RETENTION + timedelta(days=1)
    assert await cleanup.delete_old() == 1


async def test_a_server_that_returned_while_nobody_ran_is_not_forgotten(database: Database) -> None:
    """A start marks returned servers before it deletes old ones."""
    clock = SetClock()
    cleanup = ServerCleanup(database, clock)
    await _settle(database, 1, 2)
    for guild_id in (1, 2):
        await cleanup.mark_left(guild_id)
    clock.at = NOW + 2 * RETENTION
    await cleanup.catch_up([1], _ours)
    assert await database.read(list_present, "discord") == [_server(1)]
    assert await database.read(list_left, "discord") == []


async def test_another_shards_servers_are_let_be(database: Database) -> None:
    """A process that does not hear of a server does not take it for left."""
    cleanup = ServerCleanup(database, SetClock())
    await _settle(database, 1, 2)
    await cleanup.catch_up([2], lambda guild_id: guild_id != 1)
    assert await database.read(list_left, "discord") == []


async def test_orders_end_with_the_bot_and_hold_again_with_it(database: Database) -> None:
    """The subscriber is notified of the removal once; the subscription is restored with the bot."""
    clock = SetClock()
    cleanup = ServerCleanup(database, clock, clock)
    for name in (1, 2):
        await _order(database, name)
    await _order(database, 1, SubscriptionState.PAUSED)
    for _ in range(2):
        await cleanup.mark_left(1)
    states = [SubscriptionState.REFUSED, SubscriptionState.ACTIVE, SubscriptionState.PAUSED]
    assert [each.state for each in await database.read(list_subscriptions)] == states
    [notice] = await database.read(list_notices, NOW)
    assert (notice.subscription.owner, notice.refusal.sentence, notice.refusal.remedy) == (
        "7",
        "Broadsheet was removed from the server.",
        "Once somebody adds it again, within 30 days, its posts go on by themselves.",
    )
    await cleanup.mark_joined(1)
    back = [SubscriptionState.ACTIVE, SubscriptionState.ACTIVE, SubscriptionState.PAUSED]
    assert [each.state for each in await database.read(list_subscriptions)] == back
    assert (await database.read(list_subscriptions))[0].refusal is None


async def test_orders_follow_moves_that_nobody_heard_of(database: Database) -> None:
    """The same becomes of them where the bot came or went while no process ran."""
    cleanup = ServerCleanup(database, SetClock())
    for name in (1, 2):
        await _order(database, name)
    await cleanup.catch_up([2], _ours)
    await cleanup.catch_up([2], _ours)
    refused = [each.refusal for each in await database.read(list_subscriptions)]
    assert [each.code if each else None for each in refused] == ["removed", None]
    await cleanup.catch_up([1, 2], _ours)
    assert [each.refusal for each in await database.read(list_subscriptions)] == [None, None]


async def _order(
    database: Database, server: int, state: SubscriptionState = SubscriptionState.ACTIVE
) -> None:
    """Subscribe a channel of a server."""
    order = Subscription(
        Channel(_server(server), f"{server}{state}"),
        state=state,
        weekday=0,
        local_time=time(9),
        zone="UTC",
        owner="7",
        sources=("dair",),
        next_due_at=NOW + timedelta(days=7),
    )
    await database.write(add_subscription, order)
