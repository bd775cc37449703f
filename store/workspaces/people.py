"""People: each known once, in the workspace that their facts belong to."""

from sqlalchemy import Select, delete, insert, select
from sqlmodel import Session, col

from store.records import Person
from store.tables.readers import PersonRow
from store.tables.workspaces import WorkspaceRow
from store.workspaces.workspaces import workspace_id


def find(session: Session, person: Person) -> int | None:
    """Return the database id of a person, `None` where nothing is stored about them."""
    found: int | None = session.connection().scalar(_of(person))
    return found


def add(session: Session, person: Person) -> int:
    """Add a person who is new, and return their database id."""
    owner = workspace_id(session, person.workspace)
    new = insert(PersonRow).values(workspace_id=owner, external_id=person.external_id)
    return int(session.connection().execute(new.returning(col(PersonRow.id))).scalar_one())


def member_id(session: Session, person: Person) -> int:
    """Return the database id of a person, who is added where they are new."""
    known = find(session, person)
    return add(session, person) if known is None else known


def alone(session: Session, person: Person) -> int | None:
    """Return the same as `find` of a person who does nothing else until the transaction ends.

    It is for a transaction of `Database.write_rows`. Whoever is new can be added by one alone: of
    several that `add` them at the same moment all but one are run again.
    """
    only = _of(person).with_for_update(of=PersonRow, key_share=True)
    found: int | None = session.connection().scalar(only)
    return found


def to_oneself(session: Session, person: Person) -> int:
    """Return the same as `member_id` of a person who is `alone`.

    So whoever presses on two devices at once has pressed twice.
    """
    known = alone(session, person)
    return add(session, person) if known is None else known


def _of(person: Person) -> Select[int]:
    return (
        select(col(PersonRow.id))
        .join(WorkspaceRow, col(WorkspaceRow.id) == col(PersonRow.workspace_id))
        .where(
            col(WorkspaceRow.platform) == person.workspace.platform,
            col(WorkspaceRow.external_id) == person.workspace.external_id,
            col(PersonRow.external_id) == person.external_id,
        )
    )


def forget(session: Session, person: Person) -> None:
    """Delete a person, and all that they kept with them."""
    known = find(session, person)
    session.connection().execute(delete(PersonRow).where(col(PersonRow.id) == known))
