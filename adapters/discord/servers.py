"""What is done when the bot comes to a server, leaves one, or was away."""

import logging
from collections.abc import Sequence

import discord

from adapters.discord.client import BroadsheetClient
from adapters.discord.guilds import Guilds, welcome
from adapters.discord.places import Place
from adapters.discord.posting import Posting
from bot.command import Command
from bot.errors import SendError
from store.errors import StoreError

_log = logging.getLogger(__name__)


class JoinedServers:
    """Looks after the servers that the bot is in.

    Args:
        guilds: keeps in the store where the bot is.
        posting: posts the welcome.
        commands: what the welcome may promise.
    """

    def __init__(self, guilds: Guilds, posting: Posting, commands: Sequence[Command]) -> None:
        self._guilds = guilds
        self._posting = posting
        self._commands = commands

    async def ready(self, client: BroadsheetClient) -> None:
        """Catch up with where the bot was added and taken out while nobody listened."""
        shards, count = set(client.shards), client.shard_count or 1

        def is_ours(guild_id: int) -> bool:
            # https://docs.discord.com/developers/events/gateway#sharding-sharding-formula
            return (guild_id >> 22) % count in shards

        try:
            await self._guilds.present([guild.id for guild in client.guilds], is_ours)
        except StoreError as error:
            _log.warning("discord_servers_unknown", extra={"reason": error.sentence})

    async def joined(self, guild: discord.Guild) -> None:
        """Find again what was stored of a server, and greet it."""
        await self.available(guild)
        await self._greet(guild)

    async def available(self, guild: discord.Guild) -> None:
        """Find again what was stored of a server."""
        try:
            await self._guilds.joined(guild.id)
        except StoreError as error:
            _log.warning("discord_server_unknown", extra={"reason": error.sentence})

    async def removed(self, guild: discord.Guild) -> None:
        """Note that a server was left."""
        try:
            await self._guilds.removed(guild.id)
        except StoreError as error:
            _log.warning("discord_server_unknown", extra={"reason": error.sentence})

    async def _greet(self, guild: discord.Guild) -> None:
        """Say in the server's channel for newcomers what to try first, where it lets us."""
        if guild.system_channel is None:
            return
        place, key = Place(guild.system_channel.id), f"hello-{guild.id}"
        try:
            await self._posting.send(place, welcome(self._commands), key)
        except (SendError, StoreError) as error:
            _log.info("discord_server_not_greeted", extra={"reason": error.sentence})
