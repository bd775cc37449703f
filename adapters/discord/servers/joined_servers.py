"""The listener to servers that the bot joins or leaves, and their welcome message."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import discord

from adapters.discord.api.calls import Calls
from adapters.discord.channels.resolver import PostTarget
from adapters.discord.posts.post_sender import PostSender
from adapters.discord.servers.cleanup import ServerCleanup, workspace_of
from bot.app import Broadsheet
from bot.commands.handlers.help import workspace_welcome
from bot.commands.types import Command
from bot.errors import SendError
from bot.replies.blocks import Button, Reply
from store.errors import StoreError

_DAY = 86_400.0
_log = logging.getLogger(__name__)


class JoinedServers:
    """Stores which servers the bot is in, and welcomes new ones.

    Args:
        cleanup: marks stored servers as joined or left.
        calls: runs API calls.
        sender: posts the welcome.
        app: has the commands, and the record of sent welcomes.
        on_loaded: is called when the servers are known.
    """

    def __init__(
        self,
        cleanup: ServerCleanup,
        calls: Calls,
        sender: PostSender,
        app: Broadsheet,
        on_loaded: Callable[[], None] = lambda: None,
    ) -> None:
        self._cleanup = cleanup
        self._calls = calls
        self._sender = sender
        self._app = app
        self._on_loaded = on_loaded
        self._known: set[int] = set()

    async def on_ready(self, client: discord.AutoShardedClient) -> None:
        """Store which servers the bot joined and left while it was offline."""
        self._on_loaded()
        shards, count = set(client.shards), client.shard_count or 1

        def is_ours(guild_id: int) -> bool:
            # https://docs.discord.com/developers/events/gateway#sharding-sharding-formula
            return (guild_id >> 22) % count in shards

        self._known.update(guild.id for guild in client.guilds)
        known, current = set(self._known), await self._current_servers(client)
        # The bot may have left some while another process was connected.
        self._known -= {guild for guild in known.difference(current) if is_ours(guild)}
        try:
            await self._cleanup.catch_up(current, is_ours)
        except StoreError as error:
            _log.warning("discord_servers_unknown", extra={"reason": error.sentence})

    async def check_daily(
        self,
        clients: Callable[[], Sequence[discord.AutoShardedClient]],
        pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """Repeat `on_ready` once a day for the connected clients, until cancelled."""
        while True:
            await pause(_DAY)
            for client in clients():
                await self.on_ready(client)

    async def _current_servers(self, client: discord.AutoShardedClient) -> list[int]:
        """Return the servers that the bot is in, as Discord lists them.

        The client misses the events of a lost session; if Discord does not answer, its list is
        never too short.
        """

        async def ids() -> list[int]:
            return [guild.id async for guild in client.fetch_guilds(limit=None, with_counts=False)]

        try:
            return await self._calls.run("fetch_guilds", ids())
        except SendError:
            return [guild.id for guild in client.guilds]

    async def on_server_joined(self, guild: discord.Guild) -> None:
        """Mark a server as joined, and welcome it if it is new.

        Discord reports a server that was unavailable like a new one.
        """
        is_new = guild.id not in self._known
        self._known.add(guild.id)
        try:
            await self._cleanup.mark_joined(guild.id)
        except StoreError as error:
            _log.warning("discord_server_unknown", extra={"reason": error.sentence})
        if is_new:
            await self._welcome(guild)

    async def on_server_left(self, guild: discord.Guild) -> None:
        """Mark a server as left."""
        self._known.discard(guild.id)
        try:
            await self._cleanup.mark_left(guild.id)
        except StoreError as error:
            _log.warning("discord_server_unknown", extra={"reason": error.sentence})

    async def _welcome(self, guild: discord.Guild) -> None:
        """Post the welcome to the server's system channel, if it has one."""
        if guild.system_channel is None:
            return
        target = PostTarget(guild.system_channel.id)
        send = partial(self._send_welcome, target, f"hello-{guild.id}")
        try:
            if self._app.onboarding:
                await self._app.onboarding.welcome_workspace(workspace_of(guild.id), send)
            else:
                await send()
        except StoreError as error:
            _log.info("discord_server_not_greeted", extra={"reason": error.sentence})

    async def _send_welcome(self, target: PostTarget, key: str) -> bool:
        """Send the welcome; return whether it arrived."""
        try:
            await self._sender.send(target, welcome(self._app.commands), key)
        except (SendError, StoreError) as error:
            _log.info("discord_server_not_greeted", extra={"reason": error.sentence})
            return False
        return True


def welcome(commands: Sequence[Command]) -> Reply:
    """Return the welcome message of a server."""
    weekly = Button("Weekly posts here", "subscribe", form=True)
    return workspace_welcome(commands, (weekly,), by_name=True)
