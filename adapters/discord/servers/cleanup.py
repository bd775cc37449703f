"""The servers that the bot is in, and those that it left, whose data is kept for 30 days."""

import logging
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from adapters.discord.posts.removal import KEPT, REMOVED
from bot.clock import Clock, SystemClock
from store.database import Database, Session
from store.posting import change_subscription
from store.records import Workspace
from store.workspaces import workspaces

_PLATFORM = "discord"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Moves:
    """Servers that were left, and those where the bot is again, unseen by the store so far."""

    left: tuple[Workspace, ...]
    returned: tuple[Workspace, ...]


def unseen_moves(
    present: Iterable[Workspace],
    left: Iterable[Workspace],
    ids: Collection[int],
    is_ours: Callable[[int], bool],
) -> Moves:
    """Return what happened while nobody listened.

    Args:
        present: the workspaces where the store has the bot.
        left: those that it has as left. In both, one that is no server's id is let be: what is
            stored of a person's direct messages.
        ids: the servers where the bot is.
        is_ours: tells whether a server, by its id, would be among these if the bot were in it;
            those of another process's shards are not.
    """
    return Moves(
        left=tuple(each for each, id_ in _servers(present) if id_ not in ids and is_ours(id_)),
        returned=tuple(each for each, id_ in _servers(left) if id_ in ids),
    )


class Guilds:
    """Keeps in the store where the bot is.

    Args:
        database: the store.
        clock: tells when a server was left.
        wall: the time that no setting moves, by which owners of orders are told.
    """

    def __init__(self, database: Database, clock: Clock, wall: Clock | None = None) -> None:
        self._database = database
        self._clock = clock
        self._wall = wall or SystemClock()

    async def joined(self, guild_id: int) -> None:
        """Find again what was stored of a server, if anything was; its orders hold again.

        Raises:
            StoreError: as `Database.write`.
        """
        at, now = self._clock.now(), self._wall.now()
        await self._database.write(_returned, workspace_of(guild_id), at, now)

    async def removed(self, guild_id: int) -> None:
        """Note that a server was left; what is stored of it is kept for 30 days.

        Its orders are refused, and whoever gave them is told.

        Raises:
            StoreError: as `Database.write`.
        """
        at, now = self._clock.now(), self._wall.now()
        await self._database.write(_left, workspace_of(guild_id), at, now)

    async def present(self, ids: Collection[int], is_ours: Callable[[int], bool]) -> None:
        """Catch up with what happened while nobody listened, and only then forget what is old.

        Args:
            ids: the servers where the bot is, those that are unavailable just now included.
            is_ours: as `unseen_moves` has it.

        Raises:
            StoreError: as `Database.write`.
        """
        at, now = self._clock.now(), self._wall.now()
        moves = await self._database.write(_catch_up, set(ids), is_ours, at, now)
        if moves.left or moves.returned:
            facts = {"left": len(moves.left), "returned": len(moves.returned)}
            _log.info("discord_servers_changed", extra=facts)
        await self.forget()

    async def forget(self) -> int:
        """Delete all that is stored of servers that were left 30 days ago; return how many.

        Raises:
            StoreError: as `Database.write`.
        """
        before = self._clock.now() - KEPT
        if forgotten := await self._database.write(workspaces.delete_left, _PLATFORM, before):
            _log.info("discord_servers_forgotten", extra={"servers": forgotten})
        return forgotten


def _catch_up(
    session: Session,
    ids: Collection[int],
    is_ours: Callable[[int], bool],
    at: datetime,
    now: datetime,
) -> Moves:
    present = workspaces.list_present(session, _PLATFORM)
    moves = unseen_moves(present, workspaces.list_left(session, _PLATFORM), ids, is_ours)
    for each in moves.left:
        _left(session, each, at, now)
    for each in moves.returned:
        _returned(session, each, at, now)
    return moves


def _left(session: Session, server: Workspace, at: datetime, now: datetime) -> None:
    workspaces.mark_left(session, server, at)
    change_subscription.refuse_workspace(session, server, REMOVED, now)


def _returned(session: Session, server: Workspace, at: datetime, now: datetime) -> None:
    workspaces.mark_returned(session, server)
    change_subscription.restore_workspace(session, server, at, now)


def _servers(found: Iterable[Workspace]) -> Iterable[tuple[Workspace, int]]:
    """Return the workspaces that are servers, each with its id."""
    return ((each, int(each.external_id)) for each in found if each.external_id.isdecimal())


def workspace_of(guild_id: int) -> Workspace:
    """Return a server as the store knows it."""
    return Workspace(_PLATFORM, str(guild_id))
