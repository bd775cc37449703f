"""People, each stored once in the workspace that they belong to, and their welcomes."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, delete, insert, select, update
from sqlmodel import Session, col

from store.records import Person, Workspace
from store.tables.readers import PersonRow
from store.tables.workspaces import WorkspaceRow
from store.workspaces.workspaces import is_workspace, workspace_id


def find_person(session: Session, person: Person) -> int | None:
    """Return the database id of a person, `None` where nothing is stored about them."""
    found: int | None = session.connection().scalar(_select(person))
    return found


def add_person(session: Session, person: Person) -> int:
    """Add a person who is new, and return their database id."""
    owner = workspace_id(session, person.workspace)
    new = insert(PersonRow).values(workspace_id=owner, external_id=person.external_id)
    return int(session.connection().execute(new.returning(col(PersonRow.id))).scalar_one())


def ensure_person(session: Session, person: Person) -> int:
    """Return the database id of a person, who is added where they are new."""
    known = find_person(session, person)
    return add_person(session, person) if known is None else known


def lock_person(session: Session, person: Person) -> int | None:
    """Lock a person until the transaction ends; return their database id as `find_person`.

    It is for a transaction of `Database.write_locking_rows`. Of several that add the same new
    person at the same moment all but one are repeated.
    """
    locked = _select(person).with_for_update(of=PersonRow, key_share=True)
    found: int | None = session.connection().scalar(locked)
    return found


def lock_or_add_person(session: Session, person: Person) -> int:
    """Lock a person, who is added where they are new; return their database id.

    So a person who presses on two devices at once has pressed twice.
    """
    known = lock_person(session, person)
    return add_person(session, person) if known is None else known


def delete_person(session: Session, person: Person) -> None:
    """Delete a person, with all that they saved."""
    this = col(PersonRow.id) == find_person(session, person)
    session.connection().execute(delete(PersonRow).where(this))


def _select(person: Person) -> Select[int]:
    return (
        select(col(PersonRow.id))
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(PersonRow.workspace_id))
        .where(is_workspace(person.workspace), col(PersonRow.external_id) == person.external_id)
    )


@dataclass(frozen=True, slots=True)
class Newcomers:
    """The newcomers of a request: the person, the workspace, or both."""

    person: bool
    workspace: bool


def welcome(
    session: Session, person: Person, workspace: Workspace | None, at: datetime
) -> Newcomers:
    """Record that the bot explains itself to a person, and to a workspace if one is given.

    Of several calls at the same moment one finds each new.
    """
    this = col(PersonRow.id) == ensure_person(session, person)
    new = update(PersonRow).where(this, col(PersonRow.welcomed_at).is_(None))
    is_new = session.connection().execute(new.values(welcomed_at=at)).rowcount == 1
    is_new_there = workspace is not None and welcome_workspace(session, workspace, at)
    return Newcomers(is_new, is_new_there)


def welcome_workspace(session: Session, workspace: Workspace, at: datetime) -> bool:
    """Record that the bot explains itself in a workspace; return whether it is new."""
    this = col(WorkspaceRow.id) == workspace_id(session, workspace)
    new = update(WorkspaceRow).where(this, col(WorkspaceRow.welcomed_at).is_(None))
    return session.connection().execute(new.values(welcomed_at=at)).rowcount == 1


def undo_welcome(session: Session, person: Person | None, workspace: Workspace | None) -> None:
    """Record that the bot could not explain itself: the person and workspace are new again."""
    connection = session.connection()
    if person is not None:
        this = col(PersonRow.id) == find_person(session, person)
        connection.execute(update(PersonRow).where(this).values(welcomed_at=None))
    if workspace is not None:
        there = is_workspace(workspace)
        connection.execute(update(WorkspaceRow).where(there).values(welcomed_at=None))
