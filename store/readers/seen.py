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
from store.readers import unseen
from store.readers.unseen import Left, Scope
from store.records import Mention, Person
from store.tables.library import EditionRow, EntryRow
from store.tables.readers import BriefRow, SeenRow
from store.workspaces.people import add_person, find_person, lock_or_add_person, lock_person

# Whoever comes new is not told of all that ever was.
_FIRST_WEEKS = 12

Choose = Callable[[Iterator[Mention]], Sequence[Mention]]


@dataclass(frozen=True, slots=True)
class Wish:
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
    """Note that somebody opened a paper, by the ref of the entry that they saw.

    It is for a transaction of `Database.write_rows`.
    """
    values = {"member": lock_or_add_person(session, person), "ref": ref, "at": at}
    session.connection().execute(_OPEN, values)


def is_seen(session: Session, person: Person, ref: str) -> bool:
    """Tell whether somebody has seen a paper by just this entry."""
    same = (col(SeenRow.person_id) == find_person(session, person), col(SeenRow.ref) == ref)
    return session.connection().scalar(select(col(SeenRow.ref)).where(*same)) is not None


def give_brief(session: Session, person: Person, wish: Wish, choose: Choose) -> Brief | None:
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
    member = lock_person(session, person)
    papers = tuple(choose(_unseen(session, member, wish.scope)))
    if not papers:
        return None
    own = add_person(session, person) if member is None else member
    return Brief(_add(session, own, wish, papers), wish.minutes, papers)


def find_brief(session: Session, person: Person, brief_id: int) -> Brief | None:
    """Return a brief that somebody was given, `None` where that is none of theirs."""
    of_person = col(BriefRow.person_id) == find_person(session, person)
    query = select(col(BriefRow.minutes)).where(col(BriefRow.id) == brief_id, of_person)
    minutes = session.connection().scalar(query)
    if minutes is None:
        return None
    listed = (
        select(col(SeenRow.ref))
        .where(col(SeenRow.brief_id) == brief_id)
        .order_by(col(SeenRow.position))
    )
    refs = session.connection().scalars(listed).all()
    papers = _named(session, refs)
    return Brief(brief_id, minutes, papers, len(refs) - len(papers))


def left(session: Session, person: Person, scope: Scope) -> Left:
    """Return what somebody has not seen."""
    return unseen.left(session, find_person(session, person), scope)


def _unseen(session: Session, member: int | None, scope: Scope) -> Iterator[Mention]:
    """Yield what somebody has not seen, in order; of the last twelve weeks in their first brief."""
    had = select(exists(select(col(BriefRow.id)).where(col(BriefRow.person_id) == member)))
    weeks = None if session.connection().scalar(had) else _FIRST_WEEKS
    return unseen.unseen(session, member, scope, weeks)


def _add(session: Session, member: int, wish: Wish, papers: Sequence[Mention]) -> int:
    """Add a brief and that its papers are seen; return its database id."""
    at = wish.request.at if wish.request else wish.at
    new = insert(BriefRow).values(person_id=member, minutes=wish.minutes, at=at)
    brief_id: int = session.connection().execute(new.returning(col(BriefRow.id))).scalar_one()
    of_brief = {"person_id": member, "at": at, "brief_id": brief_id}
    listed = [
        {**of_brief, "ref": each.entry.ref, "position": position}
        for position, each in enumerate(papers)
    ]
    session.connection().execute(insert(SeenRow), listed)
    return brief_id


def _of_request(session: Session, person: Person, request: Claim) -> Brief | None:
    at = claimed_at(session, request)
    given = select(col(BriefRow.id)).where(
        col(BriefRow.person_id) == find_person(session, person), col(BriefRow.at) == at
    )
    brief_id = session.connection().scalar(given)
    return None if brief_id is None else find_brief(session, person, brief_id)


def _named(session: Session, refs: Sequence[str]) -> tuple[Mention, ...]:
    """Return what refs name, in their order and each by its newest edition; some may be gone."""
    query = (
        select(col(EntryRow.ref), col(EntryRow.id))
        .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
        .where(col(EntryRow.ref).in_(refs))
        .order_by(*NEWEST_FIRST)
    )
    newest: dict[str, int] = {}
    for ref, entry_id in session.connection().execute(query):
        newest.setdefault(ref, entry_id)
    return tuple(mentions.of_entries(session, [newest[ref] for ref in refs if ref in newest]))


_OPEN = text(
    "INSERT INTO seen (person_id, ref, at) VALUES (:member, :ref, :at)"
    " ON CONFLICT (person_id, ref) DO NOTHING"
).bindparams(bindparam("at", type_=Instant()))
