"""Several processes on one store: leases of shards, their handover, posts of all."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from adapters.discord.platform import DiscordPlatform
from bot.coordination.leases import LeaseTerm
from bot.operations.health import Condition, State
from bot.posting.ports import Message
from bot.replies.blocks import Reply, Text, Visibility
from store.database import Database
from store.posting import subscriptions
from store.records import Channel, SubscriptionState, Workspace
from tests.adapters.discord.connected_bot import TERM, platform_over, settled, until
from tests.fakes.discord import FakeDiscord, Permission
from tests.fakes.discord.guild import Server
from tests.fakes.discord.interactions import Interaction
from tests.fakes.discord.records import Channel as Room
from tests.fakes.discord.users.users import Person

STANDBY = Condition(
    State.STANDBY, "Another process holds the connection to Discord's gateway; this one posts."
)


@pytest.fixture
def stores(database_url: str) -> Iterator[Sequence[Database]]:
    """Return what three processes have of one store."""
    found = [Database(database_url) for _ in range(3)]
    yield found
    for each in found:
        each.close()


@asynccontextmanager
async def _started(
    database: Database, discord: FakeDiscord, shards: int | None = None, term: LeaseTerm = TERM
) -> AsyncIterator[DiscordPlatform]:
    platform = platform_over(database, discord, shards=shards, term=term)
    try:
        await platform.start()
        yield platform
    finally:
        await platform.drain()
        await platform.stop()


async def _post(platform: DiscordPlatform, server: Server, room: Room, key: str) -> None:
    channel = Channel(Workspace("discord", str(server.id)), str(room.id))
    reply = Reply((Text(f"Papers of {key}"),), Visibility.CHANNEL)
    await platform.channel_client.send(Message(channel, key, reply, kind="text"))


def _server(discord: FakeDiscord) -> tuple[Server, Room, Person]:
    guild = discord.add_guild("G")
    return (
        guild,
        guild.add_channel("papers"),
        guild.add_member("ann", permissions=Permission.MANAGE_GUILD | Permission.VIEW_CHANNEL),
    )


async def test_one_connects_and_both_post(stores: Sequence[Database]) -> None:
    """The other process is in standby, which is healthy."""
    async with FakeDiscord() as discord, AsyncExitStack() as stack:
        guild, room, ann = _server(discord)
        first = await stack.enter_async_context(_started(stores[0], discord))
        await settled(first, State.OK)
        second = await stack.enter_async_context(_started(stores[1], discord))
        await settled(second, State.STANDBY)
        assert await second.condition() == STANDBY
        assert STANDBY.healthy
        for key, platform in (("one", first), ("two", second)):
            await _post(platform, guild, room, key)
        assert [post.text for post in room.posts] == ["Papers of one", "Papers of two"]
        assert (await ann.asks(room, "help")).message.texts
        assert len(discord.gateway.open) == 1
        assert discord.gateway.identified == 1


async def test_whoever_ends_is_followed_without_a_gap(stores: Sequence[Database]) -> None:
    """It listens until the other one does, so that whatever is asked meanwhile is answered."""
    async with FakeDiscord() as discord, AsyncExitStack() as stack:
        _, room, ann = _server(discord)
        first = await stack.enter_async_context(_started(stores[0], discord))
        await settled(first, State.OK)
        second = await stack.enter_async_context(_started(stores[1], discord))
        await settled(second, State.STANDBY)
        await asyncio.sleep(0.3)
        ending = asyncio.create_task(first.drain())
        while not ending.done():
            assert discord.gateway.open
            await asyncio.sleep(0.01)
        await first.stop()
        await settled(second, State.OK)
        assert (await ann.asks(room, "help")).message.texts


async def test_whoever_dies_is_followed(stores: Sequence[Database]) -> None:
    """After as long as leases last, and once it identified itself, another one answers."""
    async with FakeDiscord() as discord:
        _, room, ann = _server(discord)
        dying = platform_over(stores[0], discord)
        await dying.start()
        await settled(dying, State.OK)
        async with _started(stores[1], discord) as second:
            await settled(second, State.STANDBY)
            await _let_die(dying, discord)
            await settled(second, State.OK)
            await discord.settled(lambda: len(discord.gateway.open) == 1)
            assert (await ann.asks(room, "help")).message.texts
        await dying.stop()


async def _let_die(platform: DiscordPlatform, discord: FakeDiscord) -> None:
    """Stop a process's tasks without a word to the store, and drop its connection."""
    shards = platform._shards  # noqa: SLF001 - a process that is killed asks nobody
    for task in shards._leases._running:  # noqa: SLF001 - the same
        task.cancel()
    for connection in shards._connections.values():  # noqa: SLF001 - the same
        await connection._tasks.finish(0)  # noqa: SLF001 - the same
    await discord.cut()


async def test_shards_are_shared_out(stores: Sequence[Database]) -> None:
    """Evenly, also once a third process comes and when one goes."""
    async with FakeDiscord() as discord, AsyncExitStack() as stack:
        discord.shards = 4
        first = await stack.enter_async_context(_started(stores[0], discord, 4))
        await _holds(first, 4)
        second = await stack.enter_async_context(_started(stores[1], discord, 4))
        for each in (first, second):
            await _holds(each, 2)
        async with _started(stores[2], discord, 4) as third:
            await _holds(third, 1)
        for each in (first, second):
            await _holds(each, 2)
        await discord.connected(4)
        assert sorted(each.shard for each in discord.gateway.open) == [0, 1, 2, 3]


async def _holds(platform: DiscordPlatform, number: int, of: int = 4) -> None:
    """Wait until a process is connected to so many shards."""
    wanted = Condition(State.OK, f"{number} of {of} shards are connected to here.")

    async def is_so() -> bool:
        return await platform.condition() == wanted

    await until(is_so, seconds=20)


async def test_every_server_is_answered_by_its_shard(stores: Sequence[Database]) -> None:
    """And by no other, wherever that is."""
    async with FakeDiscord() as discord, AsyncExitStack() as stack:
        guilds = [discord.add_guild()]
        while len({(guild.id >> 22) % 2 for guild in guilds}) == 1:
            await asyncio.sleep(0.001)
            guilds.append(discord.add_guild())
        both = [await stack.enter_async_context(_started(each, discord, 2)) for each in stores[:2]]
        for each in both:
            await _holds(each, 1, of=2)
        await discord.connected(2)
        for guild in guilds:
            ann, channel = guild.add_member("ann"), guild.add_channel("general")
            answer = await ann.asks(channel, "help")
            assert answer.message.texts
            assert answer.attempts == 1


async def test_who_can_not_connect_leaves_it_to_another(stores: Sequence[Database]) -> None:
    """A process with a refused token leaves the gateway to another process."""
    async with FakeDiscord() as discord, AsyncExitStack() as stack:
        first = await stack.enter_async_context(_started(stores[0], discord))
        await settled(first, State.OK)
        second = await stack.enter_async_context(_started(stores[1], discord))
        await settled(second, State.STANDBY)
        [session] = discord.gateway.open
        assert session.socket
        await session.socket.close(code=4004)
        await settled(first, State.FAILING)
        await settled(second, State.OK)
        assert "no longer accepts" in (await first.condition()).sentence


async def _heard_twice(discord: FakeDiscord, asked: Interaction) -> None:
    await discord.settled(lambda: asked.attempts == 2)


async def test_what_two_hear_is_done_once(stores: Sequence[Database]) -> None:
    """While one takes over, both answer: Discord takes one answer, which tells what was done."""
    async with FakeDiscord() as discord, AsyncExitStack() as stack:
        guild, room, ann = _server(discord)
        long = LeaseTerm(expiry=60, handover=0)
        first = await stack.enter_async_context(_started(stores[0], discord, term=long))
        await settled(first, State.OK)
        # One whose lease has another name stands for one that has not let go yet.
        second = await stack.enter_async_context(_started(stores[1], discord, 1, long))
        await settled(second, State.OK)
        for command, told in (
            ("channel subscribe", "Subscription 1: #papers gets posts"),
            ("channel pause", "Subscription 1 is paused"),
            ("channel resume", "Subscription 1 posts in #papers"),
            ("channel unsubscribe", "Subscription 1 is cancelled"),
        ):
            answer = await ann.asks(room, command)
            await _heard_twice(discord, answer)
            assert told in answer.message.texts[0]
            assert "already" not in answer.message.texts[0]
        channel = Channel(Workspace("discord", str(guild.id)), str(room.id))
        last = await stores[0].read(subscriptions.last_of_channel, channel)
        assert last
        assert last.id == 1
        assert last.state is SubscriptionState.ACTIVE
        assert last.cancelled_at
