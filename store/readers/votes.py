"""Votes of people for papers, counted in the workspace that each was cast in.

A vote belongs to a paper, whichever of its entries the person saw.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, bindparam, delete, func, insert, select, text
from sqlmodel import Session, col

from store.coordination.request_claims import Claim, claim
from store.database.statements import among
from store.readers import paper_refs
from store.readers.mark_posts import mark_outdated
from store.records import Edition, Person, Workspace
from store.tables.library import EntryRow
from store.tables.readers import VoteRow
from store.tables.workspaces import WorkspaceRow
from store.workspaces.people import find_person, lock_or_add_person
from store.workspaces.workspaces import workspace_id


@dataclass(frozen=True, slots=True)
class VoteResult:
    """The result of a vote: the person's vote now, and the number of votes in the workspace."""

    has_voted: bool
    votes: int


@dataclass(frozen=True, slots=True)
class ShownEdition:
    """An edition that is shown in a workspace, given by its database id."""

    workspace: int
    edition: Edition


def toggle(  # noqa: PLR0913, PLR0917 - person, place, paper, request and time of a vote
    session: Session,
    person: Person,
    workspace: Workspace,
    ref: str,
    request: Claim | None,
    now: datetime,
) -> VoteResult:
    """Cast a person's vote for a paper, or withdraw it, and mark the posts that show the paper.

    A repeated request changes nothing.

    Args:
        session: a transaction of `Database.write_locking_rows`.
        person: the voter.
        workspace: where the vote counts.
        ref: the ref of any entry of the paper.
        request: the claim of the request.
        now: the time by the system clock.
    """
    found = paper_refs.find(session, ref)
    if found is None:  # an import dropped it meanwhile
        return VoteResult(has_voted=False, votes=0)
    paper, entry = found
    if request is None or claim(session, request):
        own, place = lock_or_add_person(session, person), workspace_id(session, workspace)
        key = {"person_id": own, "workspace_id": place, "paper_id": paper}
        _toggle(session, {**key, "entry_id": entry, "voted_at": now})
        mark_outdated(session, place, [paper], now)
    query = select(col(VoteRow.person_id)).where(_is_in(workspace), col(VoteRow.paper_id) == paper)
    voters = set(session.connection().scalars(query))
    return VoteResult(find_person(session, person) in voters, len(voters))


def has_voted(session: Session, person: Person, workspace: Workspace, ref: str) -> bool:
    """Tell whether a person votes for the paper of an entry in a workspace."""
    own = find_person(session, person)
    if own is None:
        return False
    papers = select(col(EntryRow.paper_id)).where(col(EntryRow.ref) == ref)
    query = select(col(VoteRow.paper_id)).where(
        col(VoteRow.person_id) == own, _is_in(workspace), col(VoteRow.paper_id).in_(papers)
    )
    return session.connection().scalar(query.limit(1)) is not None


def delete_all(session: Session, person: Person, now: datetime) -> int:
    """Delete all votes of a person, mark the posts that show their papers, return the number."""
    connection, own = session.connection(), col(VoteRow.person_id) == find_person(session, person)
    query = select(col(VoteRow.workspace_id), col(VoteRow.paper_id)).where(own)
    shown = connection.execute(query).all()
    dropped = connection.execute(delete(VoteRow).where(own)).rowcount
    _outdate(session, ((place, paper) for place, paper in shown), now)
    return dropped


def outdate_posts(session: Session, moves: Collection[tuple[int | None, int | None]]) -> None:
    """Mark the posts that show papers whose votes changed as entries moved between papers.

    `moves` are the papers of these entries before and after, as in `papers.Placed`.
    """
    papers = {paper for pair in moves for paper in pair if paper is not None}
    voted: dict[int | None, set[int]] = defaultdict(set)
    rows = session.connection().execute(_VOTED_FOR, {"papers": [*papers]}) if papers else ()
    for place, paper in rows:
        voted[paper].add(place)
    _outdate(
        session,
        (
            (place, paper)
            for pair in moves
            for paper in pair
            if paper is not None
            for place in set().union(*(voted[each] for each in pair if each in voted))
        ),
    )


def of_refs(session: Session, workspace: Workspace, refs: Collection[str]) -> dict[str, int]:
    """Return the number of votes for papers in a workspace, by ref; without those that have none.

    Each ref may be that of any entry of its paper.
    """
    found: dict[str, int] = {}
    for _, ref, votes in session.connection().execute(_OF_REFS, _parameters(workspace, refs)):
        found[ref] = max(votes, found.get(ref, 0))  # two editions may have an episode of one ref
    return found


def of_entries(session: Session, workspace: Workspace, entries: Collection[int]) -> dict[int, int]:
    """Return the same by the database ids of entries."""
    rows = session.connection().execute(_OF_ENTRIES, _parameters(workspace, entries))
    return {entry: votes for entry, _, votes in rows}


def list_voting_workspaces(session: Session) -> frozenset[Workspace]:
    """Return the workspaces that have votes."""
    return frozenset(Workspace(*row) for row in session.connection().execute(_VOTING))


def of_editions(session: Session, shown: Mapping[int, ShownEdition]) -> dict[int, dict[str, int]]:
    """Return the number of votes for the papers of each edition where it is shown, by ref.

    Editions and papers without votes are left out. `shown` may have any numbers as keys, which are
    the keys of the answer.
    """
    workspaces = [*{each.workspace for each in shown.values()}]
    places = set(session.connection().scalars(_VOTED_IN, {"places": workspaces}))
    voted = {name: each for name, each in shown.items() if each.workspace in places}
    if not voted:  # as nearly always
        return {}
    papers = {entry.paper for each in voted.values() for entry in each.edition.entries}
    votes = _by_paper(session, places, papers - {None})
    found = {name: _by_ref(each, votes) for name, each in voted.items()}
    return {name: by_ref for name, by_ref in found.items() if by_ref}


def _outdate(
    session: Session, voted: Iterable[tuple[int, int]], now: datetime | None = None
) -> None:
    papers = defaultdict(set)
    for place, paper in voted:
        papers[place].add(paper)
    for place in sorted(papers):
        mark_outdated(session, place, papers[place], now)


def _by_ref(shown: ShownEdition, votes: Mapping[tuple[int, int | None], int]) -> dict[str, int]:
    found = {
        each.ref: votes.get((shown.workspace, each.paper), 0) for each in shown.edition.entries
    }
    return {ref: count for ref, count in found.items() if count}


def _by_paper(
    session: Session, places: Collection[int], papers: Collection[int | None]
) -> dict[tuple[int, int | None], int]:
    wanted = {"places": [*places], "papers": [*papers]}
    rows = session.connection().execute(_BY_PAPER, wanted)
    return {(place, paper): votes for place, paper, votes in rows}


def _parameters(workspace: Workspace, wanted: Collection[object]) -> dict[str, object]:
    where = {"platform": workspace.platform, "workspace": workspace.external_id}
    return {**where, "wanted": [*wanted]}


def _toggle(session: Session, vote: Mapping[str, object]) -> None:
    key = (getattr(VoteRow, name) == vote[name] for name in _KEY)
    withdrawn = session.connection().execute(delete(VoteRow).where(*key))
    if not withdrawn.rowcount:
        session.connection().execute(insert(VoteRow).values(**vote))


def _is_in(workspace: Workspace) -> ColumnElement[bool]:
    place = select(col(WorkspaceRow.id)).where(
        col(WorkspaceRow.platform) == workspace.platform,
        col(WorkspaceRow.external_id) == workspace.external_id,
    )
    return col(VoteRow.workspace_id) == place.scalar_subquery()


_KEY = ("person_id", "workspace_id", "paper_id")
_VOTERS = func.count(col(VoteRow.person_id))
_PLACE = (
    select(col(WorkspaceRow.id))
    .where(col(WorkspaceRow.platform) == bindparam("platform"))
    .where(col(WorkspaceRow.external_id) == bindparam("workspace"))
    .scalar_subquery()
)
# The outer join makes SQLite read the votes last, and not all votes of the workspace first.
_OF_ANY = (
    select(col(EntryRow.id), col(EntryRow.ref), _VOTERS)
    .outerjoin(
        VoteRow,
        and_(col(VoteRow.paper_id) == col(EntryRow.paper_id), col(VoteRow.workspace_id) == _PLACE),
    )
    .group_by(col(EntryRow.id), col(EntryRow.ref))
    .having(_VOTERS > 0)
)
_OF_REFS = _OF_ANY.where(among(col(EntryRow.ref), "wanted"))
_OF_ENTRIES = _OF_ANY.where(among(col(EntryRow.id), "wanted"))
_BY_PAPER = (
    select(col(VoteRow.workspace_id), col(VoteRow.paper_id), _VOTERS)
    .where(among(col(VoteRow.paper_id), "papers"), among(col(VoteRow.workspace_id), "places"))
    .group_by(col(VoteRow.workspace_id), col(VoteRow.paper_id))
)
_VOTED_FOR = (
    select(col(VoteRow.workspace_id), col(VoteRow.paper_id))
    .distinct()
    .where(among(col(VoteRow.paper_id), "papers"))
)
_VOTED_IN = select(col(WorkspaceRow.id)).where(
    among(col(WorkspaceRow.id), "places"),
    select(col(VoteRow.paper_id)).where(col(VoteRow.workspace_id) == col(WorkspaceRow.id)).exists(),
)
# Steps from one workspace to the next by the index, however many votes each has.
# https://wiki.postgresql.org/wiki/Loose_indexscan
_VOTING = text(
    "WITH RECURSIVE voting (id) AS (SELECT min(workspace_id) FROM vote UNION ALL"
    " SELECT (SELECT min(workspace_id) FROM vote WHERE workspace_id > voting.id)"
    " FROM voting WHERE voting.id IS NOT NULL)"
    " SELECT platform, external_id FROM voting JOIN workspace ON workspace.id = voting.id"
)
