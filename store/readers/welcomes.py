"""Welcomes: whom the bot explained itself to, each once, whichever process and device it was."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Table, update
from sqlmodel import Session

from store.database.statements import table_of
from store.records import Person, Workspace
from store.tables.readers import PersonRow
from store.tables.workspaces import WorkspaceRow
from store.workspaces.people import find, member_id
from store.workspaces.workspaces import workspace_id


@dataclass(frozen=True, slots=True)
class Welcome:
    """To whom it is news: to a person, to the workspace asked in."""

    person: bool
    workspace: bool


def welcome(session: Session, person: Person, workspace: Workspace | None, at: datetime) -> Welcome:
    """Note that a person is told what the bot is, and a workspace if one is given.

    Of several at the same moment one is told that it is news.
    """
    is_new = _noted(session, table_of(PersonRow), member_id(session, person), at)
    is_new_there = workspace is not None and welcome_workspace(session, workspace, at)
    return Welcome(is_new, is_new_there)


def welcome_workspace(session: Session, workspace: Workspace, at: datetime) -> bool:
    """Note that a workspace is told what the bot is; return whether that is news."""
    return _noted(session, table_of(WorkspaceRow), workspace_id(session, workspace), at)


def undo(session: Session, person: Person | None, workspace: Workspace | None) -> None:
    """Note that a person, a workspace or both could not be told: it is news to them still."""
    if person is not None and (member := find(session, person)) is not None:
        _take_back(session, table_of(PersonRow), member)
    if workspace is not None:
        _take_back(session, table_of(WorkspaceRow), workspace_id(session, workspace))


def _take_back(session: Session, table: Table, row: int) -> None:
    untold = update(table).where(table.c.id == row).values(welcomed_at=None)
    session.connection().execute(untold)


def _noted(session: Session, table: Table, row: int, at: datetime) -> bool:
    new = update(table).where(table.c.id == row, table.c.welcomed_at.is_(None))
    return session.connection().execute(new.values(welcomed_at=at)).rowcount == 1
