"""What is done when the bot comes to a server, leaves one, or was away."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import discord

from adapters.discord.api.calls import Calls
from adapters.discord.channels.destinations import Place
from adapters.discord.posts.posting import Posting
from adapters.discord.servers.cleanup import Guilds, workspace_of
from bot.app import Broadsheet
from bot.commands.handlers.help import workspace_welcome
from bot.commands.types import Command
from bot.errors import SendError
from bot.replies.blocks import Button, Reply
from store.errors import StoreError

_DAY = 86_400.0
_log = logging.getLogger(__name__)


class JoinedServers:
    """Looks after the servers that the bot is in.

    Args:
        guilds: keeps in the store where the bot is.
        calls: how Discord is called.
        posting: posts the welcome.
        app: knows what may be asked, and which servers were told what the bot is.
        loaded: is called when the servers are known.
    """

    def __init__(
        self,
        guilds: Guilds,
        calls: Calls,
        posting: Posting,
        app: Broadsheet,
        loaded: Callable[[], None] = lambda: None,
    ) -> None:
        self._guilds = guilds
        self._calls = calls
        self._posting = posting
        self._app = app
        self._loaded = loaded
        self._known: set[int] = set()

    async def ready(self, client: discord.AutoShardedClient) -> None:
        """Catch up with where the bot was added and taken out while nobody listened."""
        self._loaded()
        shards, count = set(client.shards), client.shard_count or 1

        def is_ours(guild_id: int) -> bool:
            # https://docs.discord.com/developers/events/gateway#sharding-sharding-formula
            return (guild_id >> 22) % count in shards

        self._known.update(guild.id for guild in client.guilds)
        known, there = set(self._known), await self._there(client)
        # Out of some the bot was taken, perhaps while another process listened.
        self._known -= {guild for guild in known.difference(there) if is_ours(guild)}
        try:
            await self._guilds.present(there, is_ours)
        except StoreError as error:
            _log.warning("discord_servers_unknown", extra={"reason": error.sentence})

    async def keep_looking(
        self,
        clients: Callable[[], Sequence[discord.AutoShardedClient]],
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """Do the same once a day, until cancelled, by the clients that are connected then."""
        while True:
            await pause(_DAY)
            for client in clients():
                await self.ready(client)

    async def _there(self, client: discord.AutoShardedClient) -> list[int]:
        """Ask Discord where the bot is: of what happened in a session that was lost, nobody tells.

        Where Discord doesn't say, it is what the client was told, which is never too little.
        """

        async def ids() -> list[int]:
            return [guild.id async for guild in client.fetch_guilds(limit=None, with_counts=False)]

        try:
            return await self._calls.made("fetch_guilds", ids())
        except SendError:
            return [guild.id for guild in client.guilds]

    async def joined(self, guild: discord.Guild) -> None:
        """Find again what was stored of a server, and greet it if the bot is new there.

        Discord tells of a server that was away in the same way as of a new one.
        """
        is_new = guild.id not in self._known
        self._known.add(guild.id)
        try:
            await self._guilds.joined(guild.id)
        except StoreError as error:
            _log.warning("discord_server_unknown", extra={"reason": error.sentence})
        if is_new:
            await self._greet(guild)

    async def removed(self, guild: discord.Guild) -> None:
        """Note that a server was left."""
        self._known.discard(guild.id)
        try:
            await self._guilds.removed(guild.id)
        except StoreError as error:
            _log.warning("discord_server_unknown", extra={"reason": error.sentence})

    async def _greet(self, guild: discord.Guild) -> None:
        """Say in the server's channel for newcomers what the bot is, where it lets us."""
        if guild.system_channel is None:
            return
        place = Place(guild.system_channel.id)
        send = partial(self._welcome, place, f"hello-{guild.id}")
        try:
            if self._app.onboarding:
                await self._app.onboarding.welcome_workspace(workspace_of(guild.id), send)
            else:
                await send()
        except StoreError as error:
            _log.info("discord_server_not_greeted", extra={"reason": error.sentence})

    async def _welcome(self, place: Place, key: str) -> bool:
        """Send the welcome; return whether Discord took it."""
        try:
            await self._posting.send(place, welcome(self._app.commands), key)
        except (SendError, StoreError) as error:
            _log.info("discord_server_not_greeted", extra={"reason": error.sentence})
            return False
        return True


def welcome(commands: Sequence[Command]) -> Reply:
    """Return what a server is told when the bot comes to it."""
    weekly = Button("Weekly posts here", "subscribe", form=True)
    return workspace_welcome(commands, (weekly,), by_name=True)
