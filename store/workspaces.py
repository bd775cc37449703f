"""Workspaces and channels, and what a workspace settled for itself."""

from sqlalchemy import ColumnElement, delete, insert, select
from sqlmodel import Session

from store.claims import Claim, claim
from store.records import Channel, Workspace, WorkspaceSettings
from store.schema import TABLES

_WORKSPACE, _CHANNEL = TABLES["workspace"], TABLES["channel"]
_SETTING = TABLES["workspace_setting"]


def settings(session: Session, workspace: Workspace) -> WorkspaceSettings:
    """Return what a workspace settled, the defaults where it settled nothing."""
    query = (
        select(_SETTING.c.name, _SETTING.c.value)
        .join(_WORKSPACE, _WORKSPACE.c.id == _SETTING.c.workspace_id)
        .where(_same(workspace))
    )
    kept = {row.name: row.value for row in session.connection().execute(query)}
    return WorkspaceSettings(zone=kept.get("zone"), unfurls=kept.get("unfurls", "on") == "on")


def change(
    session: Session,
    workspace: Workspace,
    name: str,
    value: str | None,
    request: Claim | None = None,
) -> tuple[WorkspaceSettings, WorkspaceSettings]:
    """Settle one thing, or with `None` its default; return all settings before and after.

    `name` is a field of `WorkspaceSettings`, `value` its text: a switch is `on` or `off`. A
    request that was claimed before changes nothing.
    """
    before = settings(session, workspace)
    if request is not None and not claim(session, request):
        return before, before
    connection, owner = session.connection(), workspace_id(session, workspace)
    connection.execute(
        delete(_SETTING).where(_SETTING.c.workspace_id == owner, _SETTING.c.name == name)
    )
    if value is not None:
        connection.execute(insert(_SETTING).values(workspace_id=owner, name=name, value=value))
    return before, settings(session, workspace)


def workspace_id(session: Session, workspace: Workspace) -> int:
    """Return the database id of a workspace, which is added where it is new."""
    connection = session.connection()
    known = connection.scalar(select(_WORKSPACE.c.id).where(_same(workspace)))
    if known is not None:
        return int(known)
    statement = insert(_WORKSPACE).values(
        platform=workspace.platform, external_id=workspace.external_id
    )
    return int(connection.execute(statement.returning(_WORKSPACE.c.id)).scalar_one())


def channel_id(session: Session, channel: Channel) -> int:
    """Return the database id of a channel, which is added where it is new."""
    connection = session.connection()
    owner = workspace_id(session, channel.workspace)
    same = (_CHANNEL.c.workspace_id == owner, _CHANNEL.c.external_id == channel.external_id)
    known = connection.scalar(select(_CHANNEL.c.id).where(*same))
    if known is not None:
        return int(known)
    statement = insert(_CHANNEL).values(workspace_id=owner, external_id=channel.external_id)
    return int(connection.execute(statement.returning(_CHANNEL.c.id)).scalar_one())


def _same(workspace: Workspace) -> ColumnElement[bool]:
    return (_WORKSPACE.c.platform == workspace.platform) & (
        _WORKSPACE.c.external_id == workspace.external_id
    )
