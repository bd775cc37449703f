"""Servers that the bot joins, with a welcome message, or leaves.

A stored one is marked as left or joined, and deleted 30 days after the bot left.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

import discord

from adapters.discord.api.calls import Calls
from adapters.discord.channels.resolver import PostTarget
from adapters.discord.posts.channel_client import BOT_REMOVED, RETENTION
from adapters.discord.posts.post_sender import PostSender
from bot.app import Broadsheet
from bot.clock import Clock, SystemClock
from bot.commands.handlers.help import workspace_welcome
from bot.commands.types import Command
from bot.errors import SendError
from bot.replies.blocks import Button, Reply
from store.database import Database, Session
from store.errors import StoreError
from store.posting import change_subscription
from store.records import Workspace
from store.workspaces import workspaces

_PLATFORM = "discord"


@dataclass(frozen=True, slots=True)
class MissedChanges:
    """The servers that the bot left or joined again while it was offline."""

    left: tuple[Workspace, ...]
    joined: tuple[Workspace, ...]


def missed_changes(
    present: Iterable[Workspace],
    left: Iterable[Workspace],
    ids: Collection[int],
    is_ours: Callable[[int], bool],
) -> MissedChanges:
    """Compare the stored servers with those that the bot is in.

    Args:
        present: the workspaces stored as present.
        left: those stored as left. Direct messages, in either, are ignored.
        ids: the servers that the bot is in.
        is_ours: tells whether a server's id belongs to this process's shards.
    """
    return MissedChanges(
        left=tuple(each for each, id_ in _servers(present) if id_ not in ids and is_ours(id_)),
        joined=tuple(each for each, id_ in _servers(left) if id_ in ids),
    )


class ServerCleanup:
    """Marks stored servers as joined or left, and deletes old ones.

    Args:
        database: the store.
        clock: the bot's clock, for when a server was left.
        wall: the system clock, for when subscribers are notified.
    """

    def __init__(self, database: Database, clock: Clock, wall: Clock | None = None) -> None:
        self._database = database
        self._clock = clock
        self._wall = wall or SystemClock()

    async def mark_joined(self, guild_id: int) -> None:
        """Mark a server as joined; its subscriptions are restored if it was stored.

        Raises:
            StoreError: as `Database.write`.
        """
        at, now = self._clock.now(), self._wall.now()
        await self._database.write(_mark_joined, workspace_of(guild_id), at, now)

    async def mark_left(self, guild_id: int) -> None:
        """Mark a server as left; its data is kept for 30 days.

        Its subscriptions are refused, and the subscribers are notified.

        Raises:
            StoreError: as `Database.write`.
        """
        at, now = self._clock.now(), self._wall.now()
        await self._database.write(_mark_left, workspace_of(guild_id), at, now)

    async def catch_up(self, ids: Collection[int], is_ours: Callable[[int], bool]) -> None:
        """Mark what changed while the bot was offline, and only then delete old data.

        Args:
            ids: the servers that the bot is in, unavailable ones included.
            is_ours: as in `missed_changes`.

        Raises:
            StoreError: as `Database.write`.
        """
        at, now = self._clock.now(), self._wall.now()
        changes = await self._database.write(_catch_up, set(ids), is_ours, at, now)
        if changes.left or changes.joined:
            facts = {"left": len(changes.left), "returned": len(changes.joined)}
            _log.info("discord_servers_changed", extra=facts)
        await self.delete_old()

    async def delete_old(self) -> int:
        """Delete the data of servers that were left 30 days ago; return how many.

        Raises:
            StoreError: as `Database.write`.
        """
        before = self._clock.now() - RETENTION
        if deleted := await self._database.write(workspaces.delete_left, _PLATFORM, before):
            _log.info("discord_servers_forgotten", extra={"servers": deleted})
        return deleted


def _catch_up(
    session: Session,
    ids: Collection[int],
    is_ours: Callable[[int], bool],
    at: datetime,
    now: datetime,
) -> MissedChanges:
    present = workspaces.list_present(session, _PLATFORM)
    changes = missed_changes(present, workspaces.list_left(session, _PLATFORM), ids, is_ours)
    for each in changes.left:
        _mark_left(session, each, at, now)
    for each in changes.joined:
        _mark_joined(session, each, at, now)
    return changes


def _mark_left(session: Session, server: Workspace, at: datetime, now: datetime) -> None:
    workspaces.mark_left(session, server, at)
    change_subscription.refuse_workspace(session, server, BOT_REMOVED, now)


def _mark_joined(session: Session, server: Workspace, at: datetime, now: datetime) -> None:
    workspaces.mark_returned(session, server)
    change_subscription.restore_workspace(session, server, at, now)


def _servers(stored: Iterable[Workspace]) -> Iterable[tuple[Workspace, int]]:
    """Return the workspaces that are servers, each with its id."""
    return ((each, int(each.external_id)) for each in stored if each.external_id.isdecimal())


def workspace_of(guild_id: int) -> Workspace:
    """Return the workspace of a server."""
    return Workspace(_PLATFORM, str(guild_id))


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
