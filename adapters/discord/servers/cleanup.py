"""Stored servers: marked as left or joined, and deleted 30 days after the bot left."""

import logging
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from adapters.discord.posts.channel_client import BOT_REMOVED, RETENTION
from bot.clock import Clock, SystemClock
from store.database import Database, Session
from store.posting import change_subscription
from store.records import Workspace
from store.workspaces import workspaces

_PLATFORM = "discord"
_log = logging.getLogger(__name__)


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
