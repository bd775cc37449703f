"""Welcomes: the people and workspaces that the bot explained itself to, once each."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Table, update
from sqlmodel import Session

from store.database.statements import table_of
from store.records import Person, Workspace
from store.tables.readers import PersonRow
from store.tables.workspaces import WorkspaceRow
from store.workspaces.people import ensure_person, find_person
from store.workspaces.workspaces import workspace_id


@dataclass(frozen=True, slots=True)
class Welcome:
    """The newcomers of a request: the person, the workspace, or both."""

    person: bool
    workspace: bool


def welcome(session: Session, person: Person, workspace: Workspace | None, at: datetime) -> Welcome:
    """Record that the bot explains itself to a person, and to a workspace if one is given.

    Of several calls at the same moment one finds each new.
    """
    is_new = _record(session, table_of(PersonRow), ensure_person(session, person), at)
    is_new_there = workspace is not None and welcome_workspace(session, workspace, at)
    return Welcome(is_new, is_new_there)


def welcome_workspace(session: Session, workspace: Workspace, at: datetime) -> bool:
    """Record that the bot explains itself in a workspace; return whether it is new."""
    return _record(session, table_of(WorkspaceRow), workspace_id(session, workspace), at)


def undo(session: Session, person: Person | None, workspace: Workspace | None) -> None:
    """Record that the bot could not explain itself: the person and workspace are new again."""
    if person is not None and (member := find_person(session, person)) is not None:
        _undo(session, table_of(PersonRow), member)
    if workspace is not None:
        _undo(session, table_of(WorkspaceRow), workspace_id(session, workspace))


def _undo(session: Session, table: Table, row: int) -> None:
    unwelcomed = update(table).where(table.c.id == row).values(welcomed_at=None)
    session.connection().execute(unwelcomed)


def _record(session: Session, table: Table, row: int, at: datetime) -> bool:
    new = update(table).where(table.c.id == row, table.c.welcomed_at.is_(None))
    return session.connection().execute(new.values(welcomed_at=at)).rowcount == 1
