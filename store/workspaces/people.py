"""People, each stored once in the workspace that they belong to."""

from sqlalchemy import Select, delete, insert, select
from sqlmodel import Session, col

from store.records import Person
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
    known = find_person(session, person)
    session.connection().execute(delete(PersonRow).where(col(PersonRow.id) == known))


def _select(person: Person) -> Select[int]:
    return (
        select(col(PersonRow.id))
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(PersonRow.workspace_id))
        .where(is_workspace(person.workspace), col(PersonRow.external_id) == person.external_id)
    )
