"""The last changes of a person, each with the command strings that take it back.

They count for an hour, by the clock that users see. A change of one workspace is taken back only
there; no other person or workspace sees any.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Select, delete, or_, select, update
from sqlmodel import Session, col

from store.database.statements import insert_for
from store.records import Person, Workspace
from store.tables.readers import RecentChangeRow
from store.tables.workspaces import WorkspaceRow
from store.workspaces.people import ensure_person, find_person
from store.workspaces.workspaces import is_workspace, workspace_id

LIFETIME = timedelta(hours=1)
# Of more within an hour the last ones are kept.
_MOST = 20
# One change in so many deletes old ones of everybody: see `store.coordination.request_claims`.
_CLEANUP_EVERY = 64


@dataclass(frozen=True, slots=True)
class RecentChange:
    """A change: what it `was`, and the command strings that restore what was before, in order.

    Without these `why` says why it stays.
    """

    was: str
    commands: tuple[str, ...]
    why: str = ""


class LastChange(NamedTuple):
    """The number of a change, and what it was."""

    number: int
    was: str


@dataclass(frozen=True, slots=True)
class Taken:
    """The change that a request takes back, its number, and what the one before it was, if any.

    It is taken back `again` where the request came before.
    """

    number: int
    change: RecentChange
    before: str | None
    again: bool = False


def note(  # noqa: PLR0913, PLR0917 - who changed what, where, when and by which request
    session: Session,
    person: Person,
    change: RecentChange,
    workspace: Workspace | None,
    at: datetime,
    request: str | None,
) -> None:
    """Store a person's change; a repeated request stores nothing.

    One of a `workspace` can be taken back only there.
    """
    member, connection = ensure_person(session, person), session.connection()
    new = insert_for(session, RecentChangeRow).values(
        person_id=member,
        workspace_id=workspace and workspace_id(session, workspace),
        changed_at=at,
        was=change.was,
        commands=change.commands,
        why=change.why,
        request=request,
    )
    connection.execute(new.on_conflict_do_nothing())
    of_person = col(RecentChangeRow.person_id) == member
    last = select(col(RecentChangeRow.id)).where(of_person)
    first = connection.scalar(last.order_by(col(RecentChangeRow.id).desc()).offset(_MOST))
    is_old = col(RecentChangeRow.changed_at) <= at - LIFETIME
    if first is not None:
        is_old = or_(is_old, col(RecentChangeRow.id) <= first)
    connection.execute(delete(RecentChangeRow).where(of_person, is_old))
    if not at.microsecond % _CLEANUP_EVERY:
        is_old = col(RecentChangeRow.changed_at) <= at - LIFETIME
        connection.execute(delete(RecentChangeRow).where(is_old))


def find_last(
    session: Session, person: Person, workspace: Workspace, since: datetime
) -> LastChange | None:
    """Return the change that `take` would choose, by its number."""
    last = _not_taken_back(session, person, workspace, since).limit(1)
    row = session.connection().execute(last).first()
    return None if row is None else LastChange(row.id, row.was)


def take(  # noqa: PLR0913, PLR0917 - who takes what back, where, when and by which request
    session: Session,
    person: Person,
    workspace: Workspace,
    since: datetime,
    request: str,
    number: int | None = None,
) -> Taken | None:
    """Choose the last change of a person after an instant that was not taken back, as taken back.

    With a `number` it is the change of that number, while that is the last, since what came after
    may be of the same thing. A repeated request gets the one that it got before. `None` where there
    is none that could be taken back in a workspace.
    """
    query = _not_taken_back(session, person, workspace, since, request).limit(2)
    rows: Sequence[RecentChangeRow] = session.connection().execute(query).all()  # type: ignore[assignment] # its columns
    if not rows or number not in {None, rows[0].id}:
        return None
    this = col(RecentChangeRow.id) == rows[0].id
    session.connection().execute(update(RecentChangeRow).where(this).values(undone_by=request))
    change = RecentChange(rows[0].was, rows[0].commands, rows[0].why)
    before = rows[1].was if len(rows) > 1 else None
    return Taken(rows[0].id, change, before, again=rows[0].undone_by == request)


def put_back(session: Session, person: Person, request: str, left: tuple[str, ...]) -> None:
    """Record that a change was not taken back by a request after all; `left` still does so."""
    taken = (
        col(RecentChangeRow.person_id) == find_person(session, person),
        col(RecentChangeRow.undone_by) == request,
    )
    not_taken = update(RecentChangeRow).where(*taken).values(undone_by=None, commands=left)
    session.connection().execute(not_taken)


def _not_taken_back(
    session: Session,
    person: Person,
    workspace: Workspace,
    since: datetime,
    request: str | None = None,
) -> Select[RecentChangeRow]:
    """Return a person's changes that were not taken back, or by this `request`, the last first."""
    here = select(col(WorkspaceRow.id)).where(is_workspace(workspace)).scalar_subquery()
    undone_by, of_workspace = col(RecentChangeRow.undone_by), col(RecentChangeRow.workspace_id)
    return (
        select(RecentChangeRow)
        .where(
            col(RecentChangeRow.person_id) == find_person(session, person),
            col(RecentChangeRow.changed_at) > since,
            or_(of_workspace.is_(None), of_workspace == here),
            or_(undone_by.is_(None), undone_by == request),
        )
        .order_by(undone_by.is_(None), col(RecentChangeRow.id).desc())
    )
