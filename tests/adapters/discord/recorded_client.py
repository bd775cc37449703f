"""A connected client whose listener records interactions."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import discord
from discord import app_commands

from adapters.discord.gateway.rest_client import set_base_url
from adapters.discord.interactions.command_tree import add_commands
from adapters.discord.interactions.sync import sync
from bot.commands.types import Command, Param
from bot.errors import Option
from tests.fakes.discord import FakeDiscord


class RecordingListener:
    """A listener that answers all interactions and records them.

    Attributes:
        asked_for: each command with its arguments.
        completed: each autocompleted argument, with its prefix.
        messages: the content of each looked-up message.
        offers: the completions.
        fault: an error raised instead of answering.
    """

    def __init__(self, *offers: Option, fault: Exception | None = None) -> None:
        self.asked_for: list[tuple[str, dict[str, str]]] = []
        self.completed: list[tuple[str, str, str]] = []
        self.messages: list[str] = []
        self.offers = offers
        self.fault = fault

    async def on_command(
        self, interaction: discord.Interaction[Any], command: Command, arguments: dict[str, str]
    ) -> None:
        """Record a command."""
        self._fail()
        self.asked_for.append((command.name, arguments))
        await interaction.response.send_message("Heard.", ephemeral=True)

    async def on_autocomplete(
        self,
        _interaction: discord.Interaction[Any],
        command: Command,
        param: Param,
        prefix: str,
    ) -> list[Option]:
        """Record an autocompleted argument."""
        self._fail()
        self.completed.append((command.name, param.name, prefix))
        return list(self.offers)

    async def on_message_command(
        self, interaction: discord.Interaction[Any], message: discord.Message
    ) -> None:
        """Record a message."""
        self._fail()
        self.messages.append(message.content)
        await interaction.response.send_message("Seen.", ephemeral=True)

    def _fail(self) -> None:
        if self.fault:
            raise self.fault


class ListeningClient(discord.Client):
    """A client with a listener."""

    listener: RecordingListener


@asynccontextmanager
async def listening_client(
    fake: FakeDiscord,
    listener: RecordingListener,
    *commands: Command,
    older: Sequence[Command] = (),
) -> AsyncIterator[None]:
    """Register commands, or `older` ones, and listen to them until the block ends."""
    async with logged_in(fake) as client:
        await sync(tree_of(client, listener, *(older or commands)))
    async with logged_in(fake) as client:
        tree_of(client, listener, *commands)
        connection = asyncio.create_task(client.connect())
        await fake.connected()
        yield
        await client.close()
        await connection


@asynccontextmanager
async def logged_in(fake: FakeDiscord) -> AsyncIterator[ListeningClient]:
    """Yield a client for API calls."""
    await set_base_url(fake.api_url, fake.token)
    async with ListeningClient(intents=discord.Intents(guilds=True)) as client:
        await client.login(fake.token)
        yield client


def tree_of(
    client: ListeningClient, listener: RecordingListener, *commands: Command
) -> app_commands.CommandTree[Any]:
    """Return the command tree of a client with these commands."""
    tree: app_commands.CommandTree[Any] = app_commands.CommandTree(client)
    client.listener = listener
    add_commands(tree, commands)
    return tree
