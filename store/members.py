"""People: each known once, in the workspace that their facts belong to."""

from sqlalchemy import delete, insert, select
from sqlmodel import Session

from store.records import Person
from store.schema import TABLES
from store.workspaces import workspace_id

_MEMBER, _WORKSPACE = TABLES["member"], TABLES["workspace"]


def find(session: Session, person: Person) -> int | None:
    """Return the database id of a person, `None` where nothing is stored about them."""
    query = (
        select(_MEMBER.c.id)
        .join(_WORKSPACE, _WORKSPACE.c.id == _MEMBER.c.workspace_id)
        .where(
            _WORKSPACE.c.platform == person.workspace.platform,
            _WORKSPACE.c.external_id == person.workspace.external_id,
            _MEMBER.c.external_id == person.external_id,
        )
    )
    found: int | None = session.connection().scalar(query)
    return found


def member_id(session: Session, person: Person) -> int:
    """Return the database id of a person, who is added where they are new."""
    known = find(session, person)
    if known is not None:
        return known
    owner = workspace_id(session, person.workspace)
    new = insert(_MEMBER).values(workspace_id=owner, external_id=person.external_id)
    return int(session.connection().execute(new.returning(_MEMBER.c.id)).scalar_one())


def forget(session: Session, person: Person) -> None:
    """Delete a person, and all that they kept with them."""
    known = find(session, person)
    session.connection().execute(delete(_MEMBER).where(_MEMBER.c.id == known))
