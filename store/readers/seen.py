"""Papers that people have seen: those that they opened, and those that a brief listed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, exists, insert, select, text
from sqlmodel import Session, col

from store.coordination.request_claims import Claim, claim, claimed_at
from store.database.types import Instant
from store.library import mentions
from store.library.editions import NEWEST_FIRST
from store.readers import paper_refs, unseen
from store.readers.unseen import Scope, UnseenSummary
from store.records import Mention, Person
from store.tables.library import EditionRow, EntryRow
from store.tables.readers import BriefRow, SeenPaperRow
from store.workspaces.people import add_person, find_person, lock_or_add_person, lock_person

# A first brief does not reach back to the beginning.
_FIRST_WEEKS = 12

Choose = Callable[[Iterator[Mention]], Sequence[Mention]]


@dataclass(frozen=True, slots=True)
class BriefRequest:
    """A brief that a person asks for: its minutes, scope, time and request."""

    minutes: int
    scope: Scope
    at: datetime
    request: Claim | None = None


@dataclass(frozen=True, slots=True)
class Brief:
    """A brief: its minutes, and its papers in order.

    `gone` is the number of its papers that are in no edition any more.
    """

    id: int
    minutes: int
    papers: tuple[Mention, ...]
    gone: int = 0


def open_paper(session: Session, person: Person, ref: str, at: datetime) -> None:
    """Record that a person opened the paper of an entry, unless they have seen it.

    Run it in a transaction of `Database.write_locking_rows`.
    """
    found = paper_refs.find(session, ref)
    if found is None:  # an import dropped it meanwhile
        return
    own = lock_or_add_person(session, person)
    values = {"member": own, "paper": found[0], "entry": found[1], "at": at}
    session.connection().execute(_OPEN, values)


def is_seen(session: Session, person: Person, ref: str) -> bool:
    """Tell whether a person has seen the paper of an entry."""
    found = paper_refs.find(session, ref)
    if found is None:
        return False
    query = select(col(SeenPaperRow.paper_id)).where(
        col(SeenPaperRow.person_id) == find_person(session, person),
        col(SeenPaperRow.paper_id) == found[0],
    )
    return session.connection().scalar(query) is not None


def create_brief(
    session: Session, person: Person, wanted: BriefRequest, choose: Choose
) -> Brief | None:
    """Create a person's next brief, and mark its papers as seen.

    Return `None` where the person has seen all papers. A repeated request returns the same brief,
    `None` where it was deleted since.

    Args:
        session: a transaction of `Database.write_locking_rows`.
        person: the reader.
        wanted: the brief that the person asks for.
        choose: chooses the papers of the brief from the unseen ones, in order; pure, because it may
            be called again.
    """
    if wanted.request is not None and not claim(session, wanted.request):
        return _of_request(session, person, wanted.request)
    member = lock_person(session, person)
    papers = tuple(choose(_unseen(session, member, wanted.scope)))
    if not papers:
        return None
    own = add_person(session, person) if member is None else member
    return Brief(_add(session, own, wanted, papers), wanted.minutes, papers)


def find_brief(session: Session, person: Person, brief_id: int) -> Brief | None:
    """Return a brief of a person, `None` where the person has no such brief."""
    of_person = col(BriefRow.person_id) == find_person(session, person)
    query = select(col(BriefRow.minutes)).where(col(BriefRow.id) == brief_id, of_person)
    minutes = session.connection().scalar(query)
    if minutes is None:
        return None
    listed = (
        select(col(SeenPaperRow.paper_id), col(SeenPaperRow.entry_id))
        .where(col(SeenPaperRow.brief_id) == brief_id)
        .order_by(col(SeenPaperRow.position))
    )
    rows = session.connection().execute(listed).all()
    newest = _newest(session, [row.paper_id for row in rows if row.entry_id is None])
    entries = [row.entry_id or newest.get(row.paper_id) for row in rows]
    papers = tuple(mentions.of_entries(session, [each for each in entries if each is not None]))
    return Brief(brief_id, minutes, papers, len(rows) - len(papers))


def unseen_summary(session: Session, person: Person, scope: Scope) -> UnseenSummary:
    """Return a summary of the papers that a person has not seen."""
    return unseen.summary(session, find_person(session, person), scope)


def _unseen(session: Session, member: int | None, scope: Scope) -> Iterator[Mention]:
    """Yield the unseen papers in order; for a first brief those of the last twelve weeks."""
    had = select(exists(select(col(BriefRow.id)).where(col(BriefRow.person_id) == member)))
    weeks = None if session.connection().scalar(had) else _FIRST_WEEKS
    return unseen.iterate(session, member, scope, weeks)


def _add(session: Session, member: int, wanted: BriefRequest, papers: Sequence[Mention]) -> int:
    """Add a brief, mark its papers as seen, and return its database id."""
    at = wanted.request.at if wanted.request else wanted.at
    new = insert(BriefRow).values(person_id=member, minutes=wanted.minutes, asked_at=at)
    brief_id: int = session.connection().execute(new.returning(col(BriefRow.id))).scalar_one()
    shown = select(col(EntryRow.id), col(EntryRow.paper_id), col(EntryRow.ref)).where(
        col(EntryRow.ref).in_([each.entry.ref for each in papers])
    )
    entries = {(row.paper_id, row.ref): row.id for row in session.connection().execute(shown)}
    of_brief = {"person_id": member, "seen_at": at, "brief_id": brief_id}
    listed = [
        {
            **of_brief,
            "paper_id": each.paper_id,
            "entry_id": entries.get((each.paper_id, each.entry.ref)),
            "position": position,
        }
        for position, each in enumerate(papers)
    ]
    session.connection().execute(insert(SeenPaperRow), listed)
    return brief_id


def _of_request(session: Session, person: Person, request: Claim) -> Brief | None:
    at = claimed_at(session, request)
    query = select(col(BriefRow.id)).where(
        col(BriefRow.person_id) == find_person(session, person), col(BriefRow.asked_at) == at
    )
    brief_id = session.connection().scalar(query)
    return None if brief_id is None else find_brief(session, person, brief_id)


def _newest(session: Session, papers: Sequence[int]) -> dict[int, int]:
    """Return the newest entry of each paper that has any, both by their ids."""
    query = (
        select(col(EntryRow.paper_id), col(EntryRow.id))
        .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
        .where(col(EntryRow.paper_id).in_(papers))
        .order_by(*NEWEST_FIRST, col(EntryRow.position))
    )
    newest: dict[int, int] = {}
    for paper, entry in session.connection().execute(query) if papers else ():
        newest.setdefault(paper, entry)
    return newest


_OPEN = text(
    "INSERT INTO seen_paper (person_id, paper_id, entry_id, seen_at)"
    " VALUES (:member, :paper, :entry, :at) ON CONFLICT (person_id, paper_id) DO NOTHING"
).bindparams(bindparam("at", type_=Instant()))
