"""A small bot of discord.py, connected to the fake Discord."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
import yarl
from discord import app_commands, ui

from tests.fakes.discord import FakeDiscord


class Form(ui.Modal, title="Form"):
    """A modal with one field."""

    name: ui.Label[Any] = ui.Label(text="Name", component=ui.TextInput(custom_id="n"))

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        """Answer with the entered value."""
        assert isinstance(self.name.component, ui.TextInput)
        await interaction.response.send_message(f"got {self.name.component.value}")


class Client(discord.AutoShardedClient):
    """A client that records guild events and answers interactions."""

    def __init__(self) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=0.1,
        )
        self.tree = app_commands.CommandTree(self)
        self.events: list[str] = []
        self.interactions: list[discord.Interaction[Any]] = []
        papers = app_commands.Group(
            name="papers",
            description="Papers",
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
        )
        latest: app_commands.Command[Any, Any, None] = app_commands.Command(
            name="latest", description="Newest", callback=self._latest
        )
        latest.autocomplete("source")(_complete)
        papers.add_command(latest)
        papers.add_command(
            app_commands.Command(name="slow", description="Slow", callback=self._slow)
        )
        self.tree.add_command(papers)
        self.tree.add_command(app_commands.ContextMenu(name="Look up", callback=_look_up))

    async def _latest(self, interaction: discord.Interaction[Any], source: str = "dair") -> None:
        self.interactions.append(interaction)
        view = ui.LayoutView()
        button: ui.Button[Any] = ui.Button(label="Form", custom_id="form")
        select: ui.Select[Any] = ui.Select(
            custom_id="pick", options=[discord.SelectOption(label="One", value="1")]
        )
        view.add_item(ui.TextDisplay(f"Newest of {source}"))
        view.add_item(ui.ActionRow(button)).add_item(ui.ActionRow(select))
        view.stop()
        await interaction.response.send_message(view=view, ephemeral=True)

    async def _slow(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.defer(ephemeral=True)
        await interaction.followup.send("first")
        await interaction.followup.send("second")

    async def setup_hook(self) -> None:
        """Register the commands."""
        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer the button and the select."""
        if interaction.type is discord.InteractionType.component:
            data: Any = interaction.data
            if data["custom_id"] == "form":
                await interaction.response.send_modal(Form())
            else:
                await interaction.response.send_message(f"chose {data['values']}")

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Record the event."""
        self.events.append(f"joined {guild.name}")

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Record the event."""
        self.events.append(f"left {guild.name}")

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """Record the event."""
        self.events.append(f"lost {guild.name}")

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Record the event."""
        self.events.append(f"back {guild.name}")


@asynccontextmanager
async def connected(fake: FakeDiscord, shards: int = 1) -> AsyncIterator[Client]:
    """Run a client until the block ends."""
    before = discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
    discord.http.Route.BASE = fake.api_url
    gateway = yarl.URL(f"{fake.url.replace('http', 'ws', 1)}/gateway/")
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = gateway
    client = Client()
    running = asyncio.create_task(client.start(fake.token))
    try:
        await fake.connected(shards)
        yield client
    finally:
        await client.close()
        await asyncio.gather(running, return_exceptions=True)
        discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = before


async def _complete(_: Any, current: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=f"{current}…", value=current)]


async def _look_up(interaction: discord.Interaction[Any], message: discord.Message) -> None:
    await interaction.response.send_message(f"in {message.content}", ephemeral=True)
