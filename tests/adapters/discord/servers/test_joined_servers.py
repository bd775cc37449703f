"""The listener to joined and left servers."""

import asyncio
from datetime import timedelta

import discord
import pytest

from adapters.discord.api.calls import Calls
from adapters.discord.gateway.rest_client import set_base_url
from adapters.discord.posts.channel_client import RETENTION
from adapters.discord.posts.post_sender import PostSender
from adapters.discord.servers import JoinedServers, ServerCleanup, welcome
from bot.commands.handlers import COMMANDS
from bot.operations.metrics import Metrics
from bot.replies.blocks import Actions, Text, Title
from store.database import Database
from store.records import Workspace
from store.workspaces import workspaces
from tests.adapters.common.services import NOW, services_over
from tests.bot.conftest import FixedClock
from tests.fakes.discord import FakeDiscord


async def test_it_is_looked_every_day_who_is_there(stocked: Database) -> None:
    """A server left long ago is forgotten then; one where the bot is again is found before that.

    A day on which nothing is connected is skipped, for nobody tells then who is there.
    """
    async with FakeDiscord() as fake:
        gone, back = Workspace("discord", "1"), Workspace("discord", str(fake.add_guild().id))
        for each in (gone, back):
            await stocked.write(workspaces.change_settings, each, {"zone": "Asia/Tokyo"})
            await stocked.write(workspaces.mark_left, each, NOW - RETENTION - timedelta(days=1))
        await set_base_url(fake.api_url, fake.token)
        async with discord.AutoShardedClient(intents=discord.Intents.none()) as client:
            await client.login(fake.token)
            calls = Calls(Metrics())
            cleanup = ServerCleanup(stocked, FixedClock(NOW))
            sender = PostSender(lambda: client, calls, _keep)
            servers = JoinedServers(cleanup, calls, sender, services_over(stocked).app)
            kept: list[list[str | None]] = []

            async def next_day(_seconds: float) -> None:
                kept.append([await _zone(stocked, each) for each in (gone, back)])
                if len(kept) == 3:
                    raise asyncio.CancelledError

            days = iter([[], [client]])
            with pytest.raises(asyncio.CancelledError):
                await servers.check_daily(lambda: next(days), next_day)
    tokyo = "Asia/Tokyo"
    assert kept == [[tokyo, tokyo], [tokyo, tokyo], [None, tokyo]]


def test_a_server_is_told_in_three_lines_what_the_bot_is() -> None:
    """They name real commands, and so do the buttons, one of them by its form."""
    title, *texts, actions = welcome(COMMANDS).blocks
    assert isinstance(title, Title)
    assert isinstance(actions, Actions)
    lines = [each.text for each in texts if isinstance(each, Text)]
    assert len(lines) == len(texts) == 3
    for line, typed in zip(
        lines, ("search query:mixture of experts", "channel subscribe", "help"), strict=True
    ):
        assert f"/papers {typed}" in line
    names = {command.name for command in COMMANDS}
    assert {button.command.split()[0] for button in actions.buttons} <= names
    assert [button.command for button in actions.buttons if button.form] == ["subscribe"]


async def _zone(database: Database, there: Workspace) -> str | None:
    return (await database.read(workspaces.read_settings, there)).zone


async def _keep(_lines: tuple[str, ...]) -> None:
    """Keep nothing: no post is made."""
