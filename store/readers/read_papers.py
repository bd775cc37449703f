"""Papers that people say they have read; what is read is seen."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import and_, bindparam, delete, select, update
from sqlmodel import Session, col

from store.coordination.request_claims import Claim, claim
from store.database.statements import in_list, insert_for
from store.library import mentions
from store.records import Person
from store.tables.library import EntryRow
from store.tables.readers import PersonRow, SeenPaperRow
from store.tables.workspaces import WorkspaceRow
from store.workspaces.people import ensure_person, find_person


def mark(
    session: Session, person: Person, refs: Sequence[str], at: datetime, request: Claim | None
) -> list[bool]:
    """Record that a person has read the papers of entries; return for each whether that is new.

    A repeated request changes nothing, and is answered as before.
    """
    is_first = request is None or claim(session, request)
    before = among(session, person, refs)
    if not is_first:
        return [ref in before for ref in refs]
    done: list[bool] = []
    member = ensure_person(session, person)
    for ref in refs:
        found = mentions.find_paper(session, ref)
        if found is not None and ref not in before:  # an import may have dropped it meanwhile
            values = {"person_id": member, "paper_id": found[0], "entry_id": found[1]}
            read = insert_for(session, SeenPaperRow).values(**values, seen_at=at, read_at=at)
            read = read.on_conflict_do_update(
                index_elements=["person_id", "paper_id"], set_={"read_at": at, "delivery_id": None}
            )
            session.connection().execute(read)
        done.append(found is not None and ref not in before)
    return done


def unmark(
    session: Session, person: Person, refs: Sequence[str], request: Claim | None
) -> list[bool]:
    """Record that a person has not read the papers of entries; return for each whether it was read.

    One that was seen by that alone is not seen either. A repeated request changes nothing, and is
    answered as before.
    """
    is_first = request is None or claim(session, request)
    before = among(session, person, refs)
    if not is_first:
        return [ref not in before for ref in refs]
    member, connection = find_person(session, person), session.connection()
    for ref in before:
        found = mentions.find_paper(session, ref)
        this = and_(
            col(SeenPaperRow.person_id) == member,
            col(SeenPaperRow.paper_id) == (found and found[0]),
        )
        is_only_read = and_(
            this,
            col(SeenPaperRow.seen_at) == col(SeenPaperRow.read_at),
            col(SeenPaperRow.brief_id).is_(None),
        )
        connection.execute(delete(SeenPaperRow).where(is_only_read))
        connection.execute(update(SeenPaperRow).where(this).values(read_at=None))
    return [ref in before for ref in refs]


# Built once: it is asked for each list.
_AMONG = (
    select(col(EntryRow.ref))
    .join(SeenPaperRow, col(SeenPaperRow.paper_id) == col(EntryRow.paper_id))
    .join(PersonRow, col(PersonRow.id) == col(SeenPaperRow.person_id))
    .join(WorkspaceRow, col(WorkspaceRow.id) == col(PersonRow.workspace_id))
    .where(
        col(WorkspaceRow.platform) == bindparam("platform"),
        col(WorkspaceRow.external_id) == bindparam("home"),
        col(PersonRow.external_id) == bindparam("person"),
        col(SeenPaperRow.read_at).is_not(None),
        in_list(col(EntryRow.ref), "refs"),
    )
)


def among(session: Session, person: Person, refs: Collection[str]) -> frozenset[str]:
    """Return those of some entries, by ref, whose papers a person has read."""
    home = person.workspace
    asked = {"platform": home.platform, "home": home.external_id, "person": person.external_id}
    return frozenset(session.connection().scalars(_AMONG, {**asked, "refs": [*refs]}))
