"""Workspaces and channels, what a workspace settled for itself, and those that the bot left."""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Table,
    delete,
    insert,
    select,
    update,
)
from sqlmodel import Session, col

from store.coordination.request_claims import Claim, claim
from store.database.statements import table_of
from store.records import Channel, Layout, Workspace, WorkspaceSettings
from store.tables import TABLES
from store.tables.workspaces import ChannelRow, WorkspaceRow, WorkspaceSettingRow

# No rest is longer; a later instant was reckoned while the clock was wrong.
LONGEST_REST = timedelta(hours=1)


def settings(session: Session, workspace: Workspace) -> WorkspaceSettings:
    """Return what a workspace settled, the defaults where it settled nothing."""
    query = (
        select(col(WorkspaceSettingRow.name), col(WorkspaceSettingRow.value))
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(WorkspaceSettingRow.workspace_id))
        .where(_same(workspace))
    )
    return settings_of({row.name: row.value for row in session.connection().execute(query)})


def settings_of(kept: Mapping[str, str]) -> WorkspaceSettings:
    """Return the settings that are kept as these texts, by name; without one it is the default."""
    return WorkspaceSettings(
        zone=kept.get("zone"),
        unfurls=kept.get("unfurls", "on") == "on",
        role=kept.get("role"),
        layout=Layout(kept["layout"]) if kept.get("layout") in set(Layout) else None,
    )


def change(
    session: Session,
    workspace: Workspace,
    wanted: Mapping[str, str | None],
    request: Claim | None = None,
    seen: WorkspaceSettings | None = None,
) -> tuple[WorkspaceSettings, WorkspaceSettings]:
    """Settle some things, or with `None` their defaults; return all settings before and after.

    A request that was claimed before changes nothing.

    Args:
        session: a transaction.
        workspace: whose settings.
        wanted: texts by name, which is a field of `WorkspaceSettings`: a switch is `on` or `off`.
        request: the claim of what asks for it.
        seen: the settings as whoever asks saw them; what is another now stays as it is.
    """
    before = settings(session, workspace)
    if request is not None and not claim(session, request):
        return before, before
    owner = workspace_id(session, workspace)
    for name, value in wanted.items():
        if seen is None or getattr(seen, name) == getattr(before, name):
            _settle(session, owner, name, value)
    return before, settings(session, workspace)


def _settle(session: Session, owner: int, name: str, value: str | None) -> None:
    connection = session.connection()
    connection.execute(
        delete(WorkspaceSettingRow).where(
            col(WorkspaceSettingRow.workspace_id) == owner, col(WorkspaceSettingRow.name) == name
        )
    )
    if value is not None:
        connection.execute(
            insert(WorkspaceSettingRow).values(workspace_id=owner, name=name, value=value)
        )


def workspace_id(session: Session, workspace: Workspace) -> int:
    """Return the database id of a workspace, which is added where it is new."""
    connection = session.connection()
    known = connection.scalar(select(col(WorkspaceRow.id)).where(_same(workspace)))
    if known is not None:
        return int(known)
    statement = insert(WorkspaceRow).values(
        platform=workspace.platform, external_id=workspace.external_id
    )
    return int(connection.execute(statement.returning(col(WorkspaceRow.id))).scalar_one())


def channel_id(session: Session, channel: Channel) -> int:
    """Return the database id of a channel, which is added where it is new."""
    connection = session.connection()
    owner = workspace_id(session, channel.workspace)
    same = (
        col(ChannelRow.workspace_id) == owner,
        col(ChannelRow.external_id) == channel.external_id,
    )
    known = connection.scalar(select(col(ChannelRow.id)).where(*same))
    if known is not None:
        return int(known)
    statement = insert(ChannelRow).values(workspace_id=owner, external_id=channel.external_id)
    return int(connection.execute(statement.returning(col(ChannelRow.id))).scalar_one())


def left(session: Session, workspace: Workspace, at: datetime) -> None:
    """Note that the bot is no longer in a workspace, where anything is stored of it.

    The instant stays that of the first time, until the bot returns; then it is welcomed anew.
    """
    gone = update(WorkspaceRow).where(_same(workspace), col(WorkspaceRow.left_at).is_(None))
    session.connection().execute(gone.values(left_at=at, welcomed_at=None))


def returned(session: Session, workspace: Workspace) -> None:
    """Note that the bot is in a workspace once more; what was stored there holds again."""
    back = update(WorkspaceRow).where(_same(workspace), col(WorkspaceRow.left_at).is_not(None))
    session.connection().execute(back.values(left_at=None))


def rest(session: Session, workspace: int, until: datetime) -> None:
    """Send a workspace, by its id in the database, nothing until an instant, or longer.

    `until` is by a clock that no setting moves, and `LONGEST_REST` ahead at most; what is kept and
    lies further ahead than that was reckoned while the clock was wrong.
    """
    kept = col(WorkspaceRow.cooldown_until)
    shorter = kept.is_(None) | (kept < until) | (kept > until + LONGEST_REST)
    statement = update(WorkspaceRow).where(col(WorkspaceRow.id) == workspace, shorter)
    session.connection().execute(statement.values(cooldown_until=until))


def list_present(session: Session, platform: str) -> list[Workspace]:
    """Return the workspaces of a platform that are stored and that the bot did not leave."""
    return _listed(session, platform, col(WorkspaceRow.left_at).is_(None))


def list_left(session: Session, platform: str) -> list[Workspace]:
    """Return the workspaces of a platform that the bot left and that are not forgotten yet."""
    return _listed(session, platform, col(WorkspaceRow.left_at).is_not(None))


def forget_left(session: Session, platform: str, before: datetime) -> int:
    """Delete the workspaces of a platform that the bot left until an instant.

    All that belongs to them goes with them.

    Returns:
        how many workspaces there were.
    """
    which = (col(WorkspaceRow.platform) == platform) & (col(WorkspaceRow.left_at) <= before)
    return _forget(session.connection(), table_of(WorkspaceRow), which)


def forget(session: Session, workspace: Workspace) -> None:
    """Delete a workspace and all that belongs to it."""
    _forget(session.connection(), table_of(WorkspaceRow), _same(workspace))


def forget_channels(session: Session, ids: Collection[int]) -> None:
    """Delete channels, by their ids in the database, and all that belongs to them."""
    _forget(session.connection(), table_of(ChannelRow), col(ChannelRow.id).in_(ids))


def _listed(session: Session, platform: str, which: ColumnElement[bool]) -> list[Workspace]:
    query = select(col(WorkspaceRow.external_id)).where(
        col(WorkspaceRow.platform) == platform, which
    )
    found = session.connection().scalars(query.order_by(col(WorkspaceRow.id)))
    return [Workspace(platform, external_id) for external_id in found]


def _forget(connection: Connection, table: Table, which: ColumnElement[bool]) -> int:
    """Delete rows, and before them what belongs to them, in whatever table that is."""
    for owner in _owners(table):
        _forget(connection, owner.table, owner.in_(select(table.c.id).where(which)))
    return connection.execute(delete(table).where(which)).rowcount


def _owners(table: Table) -> Iterator[Column[int]]:
    """Yield the columns, of any table, that name a row of this one; rows without id have none."""
    for other in TABLES.values() if "id" in table.c else ():
        yield from (column for column in other.c if column.references(table.c.id))


def _same(workspace: Workspace) -> ColumnElement[bool]:
    return (col(WorkspaceRow.platform) == workspace.platform) & (
        col(WorkspaceRow.external_id) == workspace.external_id
    )
