"""Workspaces and channels, their facts and settings, and workspaces that the bot left."""

from collections.abc import Collection, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, insert, select, update
from sqlmodel import Session, SQLModel, col

from store.coordination.request_claims import Claim, claim
from store.database.statements import table_of
from store.records import Channel, ChannelFacts, Layout, Workspace, WorkspaceSettings
from store.tables.workspaces import ChannelRow, WorkspaceRow, WorkspaceSettingRow

# No cooldown is longer; a later instant was computed while the clock was wrong.
LONGEST_COOLDOWN = timedelta(hours=1)


def is_workspace(workspace: Workspace) -> ColumnElement[bool]:
    """Return the condition that a row is that of a workspace."""
    return (col(WorkspaceRow.platform) == workspace.platform) & (
        col(WorkspaceRow.external_id) == workspace.external_id
    )


def is_channel(channel: Channel) -> ColumnElement[bool]:
    """Return the condition that a row, joined with its workspace, is that of a channel."""
    return is_workspace(channel.workspace) & (col(ChannelRow.external_id) == channel.external_id)


def workspace_id(session: Session, workspace: Workspace) -> int:
    """Return the database id of a workspace, which is added where it is new."""
    key = {"platform": workspace.platform, "external_id": workspace.external_id}
    return _ensure(session, WorkspaceRow, key)


def channel_id(session: Session, channel: Channel) -> int:
    """Return the database id of a channel, which is added where it is new."""
    owner = workspace_id(session, channel.workspace)
    return _ensure(session, ChannelRow, {"workspace_id": owner, "external_id": channel.external_id})


def read_settings(session: Session, workspace: Workspace) -> WorkspaceSettings:
    """Return the settings of a workspace, with defaults for those that it did not set."""
    query = (
        select(col(WorkspaceSettingRow.name), col(WorkspaceSettingRow.value))
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(WorkspaceSettingRow.workspace_id))
        .where(is_workspace(workspace))
    )
    return settings_from({row.name: row.value for row in session.connection().execute(query)})


def list_zones(session: Session) -> dict[Workspace, str]:
    """Return the zones of the workspaces that set one."""
    query = (
        select(
            col(WorkspaceRow.platform),
            col(WorkspaceRow.external_id),
            col(WorkspaceSettingRow.value),
        )
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(WorkspaceSettingRow.workspace_id))
        .where(col(WorkspaceSettingRow.name) == "zone")
        .order_by(col(WorkspaceRow.id))
    )
    rows = session.connection().execute(query)
    return {Workspace(row.platform, row.external_id): row.value for row in rows}


def settings_from(texts: Mapping[str, str]) -> WorkspaceSettings:
    """Build settings from texts by name, with defaults for those that are missing."""
    return WorkspaceSettings(
        zone=texts.get("zone"),
        unfurls=texts.get("unfurls", "on") == "on",
        role=texts.get("role"),
        layout=Layout(texts["layout"]) if texts.get("layout") in set(Layout) else None,
    )


def change_settings(
    session: Session,
    workspace: Workspace,
    wanted: Mapping[str, str | None],
    request: Claim | None = None,
    seen: WorkspaceSettings | None = None,
) -> tuple[WorkspaceSettings, WorkspaceSettings]:
    """Change settings, with `None` to their defaults; return all settings before and after.

    A repeated request changes nothing. `wanted` are texts by field of `WorkspaceSettings`; a switch
    is `on` or `off`. A setting that differs by now from what the user has `seen` stays as it is.
    """
    before = read_settings(session, workspace)
    if request is not None and not claim(session, request):
        return before, before
    connection, owner = session.connection(), workspace_id(session, workspace)
    for name, value in wanted.items():
        if seen is not None and getattr(seen, name) != getattr(before, name):
            continue
        this = {"workspace_id": owner, "name": name}
        connection.execute(delete(WorkspaceSettingRow).filter_by(**this))
        if value is not None:
            connection.execute(insert(WorkspaceSettingRow).values(**this, value=value))
    return before, read_settings(session, workspace)


def mark_left(session: Session, workspace: Workspace, at: datetime) -> None:
    """Record that the bot left a workspace, where one is stored.

    The first instant stays until the bot returns; then the workspace is welcomed anew.
    """
    is_present = is_workspace(workspace) & col(WorkspaceRow.left_at).is_(None)
    statement = update(WorkspaceRow).where(is_present).values(left_at=at, welcomed_at=None)
    session.connection().execute(statement)


def mark_returned(session: Session, workspace: Workspace) -> None:
    """Record that the bot is back in a workspace, whose data hold again."""
    is_left = is_workspace(workspace) & col(WorkspaceRow.left_at).is_not(None)
    session.connection().execute(update(WorkspaceRow).where(is_left).values(left_at=None))


def start_cooldown(session: Session, workspace: int, until: datetime) -> None:
    """Start a cooldown of a workspace, by its database id, or extend it.

    `until` is by the system clock and `LONGEST_COOLDOWN` ahead at most; a stored instant that is
    further ahead was computed while the clock was wrong.
    """
    stored = col(WorkspaceRow.cooldown_until)
    shorter = stored.is_(None) | (stored < until) | (stored > until + LONGEST_COOLDOWN)
    statement = update(WorkspaceRow).where(col(WorkspaceRow.id) == workspace, shorter)
    session.connection().execute(statement.values(cooldown_until=until))


def list_present(session: Session, platform: str) -> list[Workspace]:
    """Return the stored workspaces of a platform that the bot did not leave."""
    return _list(session, platform, col(WorkspaceRow.left_at).is_(None))


def list_left(session: Session, platform: str) -> list[Workspace]:
    """Return the stored workspaces of a platform that the bot left."""
    return _list(session, platform, col(WorkspaceRow.left_at).is_not(None))


def delete_left(session: Session, platform: str, before: datetime) -> int:
    """Delete the workspaces of a platform that the bot left until an instant; return how many."""
    left = (col(WorkspaceRow.platform) == platform) & (col(WorkspaceRow.left_at) <= before)
    return _delete(session.connection(), table_of(WorkspaceRow), left)


def delete_workspace(session: Session, workspace: Workspace) -> None:
    """Delete a workspace and all that belongs to it."""
    _delete(session.connection(), table_of(WorkspaceRow), is_workspace(workspace))


def delete_channels(session: Session, ids: Collection[int]) -> None:
    """Delete channels, by their database ids, and all that belongs to them."""
    _delete(session.connection(), table_of(ChannelRow), col(ChannelRow.id).in_(ids))


def _ensure(
    session: Session, row: type[WorkspaceRow | ChannelRow], key: Mapping[str, object]
) -> int:
    """Return the id of the row that has a key, which is added where it is new."""
    connection = session.connection()
    known = connection.scalar(select(col(row.id)).filter_by(**key))
    if known is None:
        known = connection.scalar(insert(row).values(key).returning(col(row.id)))
    return int(known or 0)


def _list(session: Session, platform: str, condition: ColumnElement[bool]) -> list[Workspace]:
    query = (
        select(col(WorkspaceRow.external_id))
        .where(col(WorkspaceRow.platform) == platform, condition)
        .order_by(col(WorkspaceRow.id))
    )
    return [Workspace(platform, external_id) for external_id in session.connection().scalars(query)]


def _delete(connection: Connection, table: Table, condition: ColumnElement[bool]) -> int:
    """Delete rows, and before them the rows of all tables that belong to them."""
    for other in SQLModel.metadata.tables.values() if "id" in table.c else ():
        for column in other.c:
            if column.references(table.c.id):
                _delete(connection, other, column.in_(select(table.c.id).where(condition)))
    return connection.execute(delete(table).where(condition)).rowcount


# For a query that joins both tables.
CHANNEL_COLUMNS: tuple[Any, ...] = (
    col(ChannelRow.external_id).label("channel"),
    col(ChannelRow.name).label("channel_name"),
    col(ChannelRow.private),
    col(ChannelRow.kind),
    col(ChannelRow.direct),
    col(WorkspaceRow.external_id).label("workspace"),
    col(WorkspaceRow.platform),
)


def channel_of(row: Mapping[Any, Any]) -> Channel:
    """Build the channel of a row with `CHANNEL_COLUMNS`."""
    return Channel(Workspace(row["platform"], row["workspace"]), row["channel"])


def facts_of(row: Mapping[Any, Any]) -> ChannelFacts:
    """Build the facts about the channel of a row with `CHANNEL_COLUMNS`."""
    return ChannelFacts(row["channel_name"], row["private"], row["kind"], row["direct"])


def write_facts(session: Session, channel: int, facts: ChannelFacts) -> None:
    """Store the facts of a channel, by its database id."""
    this = col(ChannelRow.id) == channel
    session.connection().execute(update(ChannelRow).where(this).values(**asdict(facts)))
