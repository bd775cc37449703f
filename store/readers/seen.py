"""What people have seen: papers that they opened, and briefs that listed papers to them."""

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
from store.workspaces.people import add, alone, find, to_oneself

# Whoever comes new is not told of all that ever was.
_FIRST_WEEKS = 12

Choose = Callable[[Iterator[Mention]], Sequence[Mention]]


@dataclass(frozen=True, slots=True)
class BriefRequest:
    """A brief that is asked for: to take so many minutes, of which papers, when, by what."""

    minutes: int
    scope: Scope
    at: datetime
    request: Claim | None = None


@dataclass(frozen=True, slots=True)
class Brief:
    """A brief that was given: the minutes that it was to take, and its papers in order.

    `gone` is how many of them are in no edition any more.
    """

    id: int
    minutes: int
    papers: tuple[Mention, ...]
    gone: int = 0


def open_paper(session: Session, person: Person, ref: str, at: datetime) -> None:
    """Record that a person opened the paper of an entry, unless they have seen it.

    Run it in a transaction of `Database.write_rows`.
    """
    found = paper_refs.find(session, ref)
    if found is None:  # an import dropped it meanwhile
        return
    own = to_oneself(session, person)
    values = {"member": own, "paper": found[0], "entry": found[1], "at": at}
    session.connection().execute(_OPEN, values)


def is_seen(session: Session, person: Person, ref: str) -> bool:
    """Tell whether a person has seen the paper of an entry."""
    found = paper_refs.find(session, ref)
    if found is None:
        return False
    query = select(col(SeenPaperRow.paper_id)).where(
        col(SeenPaperRow.person_id) == find(session, person),
        col(SeenPaperRow.paper_id) == found[0],
    )
    return session.connection().scalar(query) is not None


def create_brief(
    session: Session, person: Person, wish: BriefRequest, choose: Choose
) -> Brief | None:
    """Give somebody their next brief, whose papers they have seen from then on.

    Return `None` where they have seen all there is. A request that comes again is given what it
    was given before: `None`, too, where nobody knows that any more.

    Args:
        session: where it is stored, in a transaction of `Database.write_rows`.
        person: whose brief it is.
        wish: what is asked for.
        choose: returns those of the papers that somebody has not seen, in order, that are to be
            in it; pure, for it may be called again.
    """
    if wish.request is not None and not claim(session, wish.request):
        return _of_request(session, person, wish.request)
    member = alone(session, person)
    papers = tuple(choose(_unseen(session, member, wish.scope)))
    if not papers:
        return None
    own = add(session, person) if member is None else member
    return Brief(_add(session, own, wish, papers), wish.minutes, papers)


def find_brief(session: Session, person: Person, brief_id: int) -> Brief | None:
    """Return a brief that somebody was given, `None` where that is none of theirs."""
    of_person = col(BriefRow.person_id) == find(session, person)
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
    """Return what somebody has not seen."""
    return unseen.summary(session, find(session, person), scope)


def _unseen(session: Session, member: int | None, scope: Scope) -> Iterator[Mention]:
    """Yield what somebody has not seen, in order; of the last twelve weeks in their first brief."""
    had = select(exists(select(col(BriefRow.id)).where(col(BriefRow.person_id) == member)))
    weeks = None if session.connection().scalar(had) else _FIRST_WEEKS
    return unseen.iterate(session, member, scope, weeks)


def _add(session: Session, member: int, wish: BriefRequest, papers: Sequence[Mention]) -> int:
    """Add a brief and that its papers are seen; return its database id."""
    at = wish.request.at if wish.request else wish.at
    new = insert(BriefRow).values(person_id=member, minutes=wish.minutes, asked_at=at)
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
            "entry_id": entries[each.paper_id, each.entry.ref],
            "position": position,
        }
        for position, each in enumerate(papers)
    ]
    session.connection().execute(insert(SeenPaperRow), listed)
    return brief_id


def _of_request(session: Session, person: Person, request: Claim) -> Brief | None:
    at = claimed_at(session, request)
    given = select(col(BriefRow.id)).where(
        col(BriefRow.person_id) == find(session, person), col(BriefRow.asked_at) == at
    )
    brief_id = session.connection().scalar(given)
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
