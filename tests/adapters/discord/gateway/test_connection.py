"""The gateway connection: made, refused, lost and resumed."""

import asyncio
import shutil
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from discord.gateway import DiscordWebSocket, KeepAliveHandler

from adapters.discord.platform import DiscordPlatform
from adapters.discord.settings import read_discord_settings
from bot.errors import PlatformError, TokenRevoked
from bot.operations.health import State
from bot.posting.ports import Message
from bot.replies.blocks import Reply, Text, Visibility
from store.database import Database
from store.records import Channel, Workspace
from store.workspaces import workspaces
from tests.adapters.common.services import services_over
from tests.adapters.discord.connected_bot import running, settled, until, variables_for
from tests.fakes.discord import FakeDiscord, Permission, Refuse, ServerError

POSTS = "POST /channels/{channel_id}/messages"
GUILDS = "GET /users/@me/guilds"
HELD = "GET /applications/{application_id}/commands"
NOW = datetime(2026, 1, 12, tzinfo=UTC)
COMMANDS = "PUT /applications/{application_id}/commands"


async def test_a_wrong_token_ends_the_start(database: Database) -> None:
    """The error names the setting and where to copy the token."""
    async with FakeDiscord() as discord:
        discord.expect_refusals = True
        variables = {**variables_for(discord), "DISCORD_TOKEN": "wrong"}
        platform = DiscordPlatform(services_over(database), read_discord_settings(variables))
        try:
            with pytest.raises(PlatformError) as refused:
                await platform.start()
        finally:
            await platform.stop()
        assert refused.value.sentence == "Discord refuses DISCORD_TOKEN."
        assert "Reset Token" in refused.value.remedy


async def test_discord_may_be_away_at_the_start(stocked: Database) -> None:
    """The bot starts all the same, says so in health, and connects when Discord is there."""
    async with FakeDiscord() as discord:
        discord.fail("GET /users/@me", ServerError(503), times=1)
        platform = DiscordPlatform(
            services_over(stocked), read_discord_settings(variables_for(discord))
        )
        try:
            await platform.start()
            assert (await platform.condition()).state is State.FAILING
            await settled(platform, State.OK)
        finally:
            await platform.stop()


async def test_a_start_that_never_reached_discord_ends_well(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """The bot reports that nothing answers, keeps trying, and stops at once."""
    variables = {
        "DISCORD_TOKEN": "any",
        "BROADSHEET_DISCORD_API_URL": "http://127.0.0.1:9/api/v10",
    }
    platform = DiscordPlatform(services_over(database), read_discord_settings(variables))
    await platform.start()
    condition = await platform.condition()
    assert (condition.state, condition.sentence) == (State.FAILING, "Discord can't be reached.")
    await platform.stop()
    assert "discord_disconnected" in [record.msg for record in caplog.records]


async def test_commands_are_registered_once(stocked: Database) -> None:
    """A start registers them; the next one finds them there and sends nothing."""
    async with FakeDiscord() as discord:
        async with running(stocked, discord):
            await discord.settled(lambda: len(discord.calls(COMMANDS)) == 1)
        async with running(stocked, discord):
            await discord.settled(lambda: len(discord.calls(HELD)) == 2)
            await asyncio.sleep(0.2)
        assert len(discord.calls(COMMANDS)) == 1


@pytest.mark.parametrize("fault", [Refuse(400, 50035), Refuse(429, 30034), Refuse(403, 20012)])
async def test_refused_commands_stop_nothing_else(stocked: Database, fault: Refuse) -> None:
    """The registered commands work while Discord refuses new ones."""
    async with FakeDiscord() as discord:
        guild = discord.add_guild("G")
        channel, ann = guild.add_channel("general"), guild.add_member("ann")
        async with running(stocked, discord):
            await discord.settled(lambda: len(discord.commands) == 2)
        discord.commands[0]["description"] = "Another one"
        discord.fail(COMMANDS, fault)
        async with running(stocked, discord):
            await discord.settled(lambda: len(discord.calls(COMMANDS)) > 1)
            assert (await ann.asks(channel, "latest")).message.texts


async def test_commands_are_registered_by_whichever_client_connects(stocked: Database) -> None:
    """The next client registers the commands if the first one is replaced."""
    async with FakeDiscord() as discord:
        variables = variables_for(discord)
        platform = DiscordPlatform(services_over(stocked), read_discord_settings(variables))
        try:
            discord.fail(HELD, ServerError(503))
            await platform.start()
            discord.fail("GET /gateway/bot", ServerError(503))
            await discord.settled(lambda: len(discord.commands) == 2, seconds=12)
            await settled(platform, State.OK)
        finally:
            await platform.stop()


async def test_a_server_with_the_commands_alone_has_not_the_bot(stocked: Database) -> None:
    """The bot is not a member of a server that only has its commands."""
    async with FakeDiscord() as discord, running(stocked, discord):
        discord.add_guild("member")
        guild = discord.add_guild("commands alone")
        channel = guild.add_channel("general")
        ann = guild.add_member("ann", permissions=Permission.MANAGE_GUILD)
        tell, discord.dispatch = discord.dispatch, lambda *_: None
        guild.remove_bot()
        guild.bot_in = True
        discord.dispatch = tell
        discord.dispatch("GUILD_DELETE", {"id": str(guild.id)}, guild.id)
        answer = await ann.asks(channel, "channel settings", name="zone", value="UTC")
        assert "is not a member here" in answer.message.text


async def test_a_lost_connection_is_resumed(stocked: Database) -> None:
    """An interaction during an outage is answered after the reconnection."""
    async with FakeDiscord() as discord, running(stocked, discord) as platform:
        guild = discord.add_guild("G")
        channel, ann = guild.add_channel("general"), guild.add_member("ann")
        await discord.cut()
        answer = await ann.asks(channel, "latest")
        assert answer.message.texts
        await settled(platform, State.OK)
        assert discord.gateway.resumed == 1


async def test_servers_may_be_shared_out(stocked: Database) -> None:
    """With as many shards as Discord asks for, every server is answered by its own."""
    async with FakeDiscord() as discord:
        discord.shards = 2
        guilds = [discord.add_guild()]
        while len({(guild.id >> 22) % 2 for guild in guilds}) == 1:
            await asyncio.sleep(0.001)
            guilds.append(discord.add_guild())
        async with running(stocked, discord):
            assert len(discord.gateway.open) == 2
            for guild in guilds:
                ann, channel = guild.add_member("ann"), guild.add_channel("general")
                assert (await ann.asks(channel, "latest")).message.texts


@pytest.mark.parametrize("how", ["reconnect", "invalidate"])
async def test_discord_asks_to_come_again(stocked: Database, how: str) -> None:
    """The bot reconnects after each kind of reconnect request."""
    async with FakeDiscord() as discord, running(stocked, discord) as platform:
        guild = discord.add_guild("G")
        channel, ann = guild.add_channel("general"), guild.add_member("ann")
        await getattr(discord, how)()
        await discord.settled(
            lambda: discord.gateway.resumed + discord.gateway.identified == 2, seconds=8
        )
        await settled(platform, State.OK)
        assert (await ann.asks(channel, "latest")).message.texts


async def _token_refused(platform: DiscordPlatform) -> None:
    """Wait until the platform knows why the connection was closed, which follows its loss."""

    async def is_known() -> bool:
        return "no longer accepts" in (await platform.condition()).sentence

    await until(is_known)


async def test_a_token_that_is_reset_is_told_in_health_and_by_posts(stocked: Database) -> None:
    """Health gives the reason if Discord closes the connection for good; posts are not retried."""
    async with FakeDiscord() as discord:
        room = discord.add_guild("G").add_channel("papers")
        async with running(stocked, discord) as platform:
            [session] = discord.gateway.open
            assert session.socket
            await session.socket.close(code=4004)
            await _token_refused(platform)
            assert (await platform.condition()).state is State.FAILING
            reply = Reply((Text("Papers"),), Visibility.CHANNEL)
            message = Message(Channel(Workspace("discord", "1"), str(room.id)), "key", reply)
            for ask in (
                platform.channel_client.send(message),
                platform.channel_client.find(message, NOW),
            ):
                with pytest.raises(TokenRevoked):
                    await ask


async def test_a_server_that_was_left_is_found_again(stocked: Database) -> None:
    """The settings of a server survive the bot's removal and return."""
    async with FakeDiscord() as discord, running(stocked, discord):
        guild = discord.add_guild("G")
        there = Workspace("discord", str(guild.id))
        await stocked.write(workspaces.change_settings, there, {"zone": "Asia/Tokyo"})

        async def is_left() -> bool:
            return there in await stocked.read(workspaces.list_left, "discord")

        async def is_back() -> bool:
            return not await is_left()

        guild.remove_bot()
        await until(is_left)
        guild.add_bot()
        await until(is_back)
        assert (await stocked.read(workspaces.read_settings, there)).zone == "Asia/Tokyo"


@pytest.mark.parametrize("is_told", [True, False])
async def test_what_happened_meanwhile_is_caught_up_with(stocked: Database, is_told: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """A server that removed the bot while it was not running is noted at the next start.

    So it is where Discord does not list the servers: the connection tells of them too.
    """
    async with FakeDiscord() as discord:
        if not is_told:
            discord.fail("GET /users/@me/guilds", Refuse(403, 0))
        guild, stays = discord.add_guild("G"), discord.add_guild("stays")
        for each in (guild, stays):
            there = Workspace("discord", str(each.id))
            await stocked.write(workspaces.change_settings, there, {"zone": "Asia/Tokyo"})
        guild.remove_bot()
        async with running(stocked, discord):
            await until(lambda: stocked.read(workspaces.list_left, "discord"))
        left = await stocked.read(workspaces.list_left, "discord")
        assert left == [Workspace("discord", str(guild.id))]


async def test_a_server_that_was_away_is_back(stocked: Database) -> None:
    """A server that is available again is marked as joined."""
    gone = Workspace("discord", "1")
    await stocked.write(workspaces.change_settings, gone, {"zone": "Asia/Tokyo"})
    async with FakeDiscord() as discord, running(stocked, discord):
        guild = discord.add_guild("G")
        there = Workspace("discord", str(guild.id))
        await stocked.write(workspaces.change_settings, there, {"zone": "Asia/Tokyo"})
        # The client has all servers now, so what happens to one is news.
        await until(lambda: stocked.read(workspaces.list_left, "discord"))
        guild.remove_bot()
        await until(lambda: _lists(stocked, there))
        guild.bot_in = True
        guild.back()

        async def is_back() -> bool:
            return not await _lists(stocked, there)

        await until(is_back)


async def _lists(database: Database, there: Workspace) -> bool:
    return there in await database.read(workspaces.list_left, "discord")


async def test_a_gateway_in_trouble_at_the_start_is_asked_again(stocked: Database) -> None:
    """The bot asks Discord for the gateway's URL until it gets one."""
    async with FakeDiscord() as discord:
        discord.fail("GET /gateway/bot", ServerError(503))
        async with running(stocked, discord):
            assert str(DiscordWebSocket.DEFAULT_GATEWAY).startswith(f"ws{discord.url[4:]}")


async def test_a_server_is_greeted(
    stocked: Database, sqlite_template: Path, tmp_path: Path
) -> None:
    """A server that adds the bot gets a welcome in its system channel, once.

    So it is where two processes hear of it, as while one takes the gateway over.
    """
    shutil.copy(sqlite_template, tmp_path / "other.db")
    other = Database(f"sqlite:///{tmp_path / 'other.db'}")
    gone = Workspace("discord", "1")
    await stocked.write(workspaces.change_settings, gone, {"zone": "Asia/Tokyo"})
    async with FakeDiscord() as discord, running(stocked, discord), running(other, discord):
        guild = discord.add_guild("G")
        lobby = guild.add_channel("lobby")
        guild.system_channel = lobby
        guild.remove_bot()
        # What a server does before a client has all of them is no news to it.
        await until(lambda: stocked.read(workspaces.list_left, "discord"))
        await asyncio.sleep(0.3)
        guild.add_bot()
        await discord.settled(lambda: len(discord.calls(POSTS)) == 2)
        assert ["Welcome to Broadsheet" in post.text for post in lobby.posts] == [True]
    other.close()


async def test_a_server_that_left_unheard_is_greeted_again(stocked: Database) -> None:
    """A server that left unnoticed is new again, and gets a welcome."""
    async with FakeDiscord() as discord, running(stocked, discord):
        guild = discord.add_guild("G", bot=False)
        guild.system_channel = guild.add_channel("lobby")

        async def joins_once_all_are_known(time: int) -> None:
            await discord.settled(lambda: len(discord.calls(GUILDS)) == time, seconds=8)
            await asyncio.sleep(0.3)
            guild.add_bot()
            await discord.settled(lambda: len(discord.calls(POSTS)) == time)

        await joins_once_all_are_known(1)
        await discord.invalidate()
        guild.remove_bot()
        await joins_once_all_are_known(2)


async def test_no_heartbeat_outlasts_a_connection_that_is_being_made(database: Database) -> None:
    """A shard stopped before it identified itself leaves no heartbeat thread."""
    async with FakeDiscord() as discord:
        discord.shards = 2
        platform = DiscordPlatform(
            services_over(database), read_discord_settings(variables_for(discord))
        )

        async def both_beat() -> bool:
            return len(_beating()) == 2

        try:
            await platform.start()
            await until(both_beat)
            assert len(discord.gateway.open) == 1
            beating = _beating()
        finally:
            await platform.stop()
        await asyncio.gather(*(asyncio.to_thread(each.join, 5) for each in beating))
        assert not any(each.is_alive() for each in beating)


def _beating() -> list[KeepAliveHandler]:
    """Return the threads that send heartbeats."""
    return [each for each in threading.enumerate() if isinstance(each, KeepAliveHandler)]
