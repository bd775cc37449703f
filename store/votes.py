"""Votes: people's for papers, each counted in the workspace that it was given in.

A vote is kept by the ref of an entry and counts for whatever is of one paper with that now, once a
person.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, insert, select, text
from sqlmodel import Session

from store.among import among
from store.claims import Claim, claim
from store.members import find, member_id
from store.prepared import Prepared
from store.records import Edition, Person, Workspace
from store.recounting import outdate
from store.schema import TABLES
from store.workspaces import workspace_id

_VOTE, _MEMBER, _WORKSPACE = TABLES["vote"], TABLES["member"], TABLES["workspace"]
_ENTRY = TABLES["entry"]


@dataclass(frozen=True, slots=True)
class Voted:
    """Whether somebody's vote for a paper stands, and how many people's do in the workspace."""

    stands: bool
    votes: int


@dataclass(frozen=True, slots=True)
class Counted:
    """How many people of a workspace voted for papers: by all their refs, and by ids of entries."""

    refs: Mapping[str, int] = field(default_factory=dict)
    entries: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shown:
    """An edition that is shown in a workspace, by the id of that in the database."""

    workspace: int
    edition: Edition


def turn(  # noqa: PLR0913, PLR0917 - who votes where for what, once, and when
    session: Session,
    person: Person,
    workspace: Workspace,
    ref: str,
    request: Claim | None,
    now: datetime,
) -> Voted:
    """Give a person's vote for a paper, or take it back where it was given.

    Posts that show the paper are to be looked through then. A request that was claimed before
    changes nothing.

    Args:
        session: where votes are stored, in a transaction of `Database.write_rows`.
        person: who votes.
        workspace: where that counts.
        ref: any of the paper's.
        request: the claim of the request.
        now: the time, by a clock that no setting moves.
    """
    refs = _refs(session, ref)
    if request is None or claim(session, request):
        own, place = _to_oneself(session, person), workspace_id(session, workspace)
        _turn(session, {"member_id": own, "workspace_id": place, "ref": ref, "at": now}, refs)
        outdate(session, place, refs, now)
    query = select(_VOTE.c.member_id).distinct().where(_is_in(workspace), _VOTE.c.ref.in_(refs))
    voters = set(session.connection().scalars(query))
    return Voted(find(session, person) in voters, len(voters))


def drop(session: Session, person: Person, now: datetime) -> int:
    """Take all votes of a person back, and return how many there were.

    Posts that show their papers are to be looked through then, by the time as of `turn`.
    """
    connection, own = session.connection(), _VOTE.c.member_id == find(session, person)
    query = select(_VOTE.c.workspace_id, _VOTE.c.ref).where(own)
    dropped = [(place, ref) for place, ref in connection.execute(query)]
    connection.execute(delete(_VOTE).where(own))
    _outdate(session, dropped, now)
    return len(dropped)


def follow(session: Session, papers: Collection[int]) -> None:
    """Have posts looked through where entries came to papers, or left them, that are voted for."""
    found = _VOTED_FOR.rows(session.connection(), {"papers": [*papers]})
    _outdate(session, ((place, ref) for place, ref in found))


def count(session: Session, person: Person) -> int:
    """Return how many votes of a person there are, in all workspaces."""
    own = select(func.count()).select_from(_VOTE).where(_VOTE.c.member_id == find(session, person))
    return session.connection().scalar(own) or 0


def counted(session: Session, workspace: Workspace) -> Counted:
    """Return how many people of a workspace voted for papers."""
    refs: dict[str, int] = {}
    entries = {}
    for entry, ref, votes in session.connection().execute(_COUNTED.where(_is_in(workspace))):
        entries[entry] = votes
        refs[ref] = max(votes, refs.get(ref, 0))  # an episode may stand twice
    return Counted(refs, entries)


def voting(session: Session) -> frozenset[Workspace]:
    """Return the workspaces in which anybody has voted."""
    return frozenset(Workspace(*row) for row in session.connection().execute(_VOTING))


def on(session: Session, shown: Mapping[int, Shown]) -> dict[int, dict[str, int]]:
    """Return for each of some editions how many votes its papers have where it is shown, by ref.

    Left out is what has none. Both are by any number that names an edition where it is shown.
    """
    asked = [*{each.workspace for each in shown.values()}]
    places = {place for (place,) in _VOTED_IN.rows(session.connection(), {"places": asked})}
    theirs = {name: each for name, each in shown.items() if each.workspace in places}
    if not theirs:  # as nearly always
        return {}
    papers = {entry.paper for each in theirs.values() for entry in each.edition.entries}
    votes = _by_paper(session, places, papers - {None})
    found = {name: _by_ref(each, votes) for name, each in theirs.items()}
    return {name: by_ref for name, by_ref in found.items() if by_ref}


def _outdate(
    session: Session, voted: Iterable[tuple[int, str]], now: datetime | None = None
) -> None:
    refs = defaultdict(list)
    for place, ref in voted:
        refs[place].append(ref)
    for place in sorted(refs):
        outdate(session, place, refs[place], now)


def _by_ref(shown: Shown, votes: Mapping[tuple[int, int | None], int]) -> dict[str, int]:
    found = {
        each.ref: votes.get((shown.workspace, each.paper), 0) for each in shown.edition.entries
    }
    return {ref: count for ref, count in found.items() if count}


def _by_paper(
    session: Session, places: Collection[int], papers: Collection[int | None]
) -> dict[tuple[int, int | None], int]:
    given = {"places": [*places], "papers": [*papers]}
    rows = _BY_PAPER.rows(session.connection(), given)
    return {(place, paper): votes for place, paper, votes in rows}


def _refs(session: Session, ref: str) -> Sequence[str]:
    """Return all refs of a paper by one of them, which may name nothing any more."""
    papers = select(_ENTRY.c.paper_id).where(_ENTRY.c.ref == ref)
    found = session.connection().scalars(select(_ENTRY.c.ref).where(_ENTRY.c.paper_id.in_(papers)))
    return sorted({ref, *found})


def _to_oneself(session: Session, person: Person) -> int:
    """Return the database id of a person who does nothing else until the transaction ends.

    So whoever presses on two devices at once has pressed twice.
    """
    known = member_id(session, person)
    alone = select(_MEMBER.c.id).where(_MEMBER.c.id == known).with_for_update(key_share=True)
    if session.connection().scalar(alone) is None:  # forgotten right then
        return member_id(session, person)
    return known


def _turn(session: Session, vote: Mapping[str, object], refs: Sequence[str]) -> None:
    same = (_VOTE.c[name] == vote[name] for name in ("member_id", "workspace_id"))
    taken_back = session.connection().execute(delete(_VOTE).where(*same, _VOTE.c.ref.in_(refs)))
    if not taken_back.rowcount:
        session.connection().execute(insert(_VOTE).values(**vote))


def _is_in(workspace: Workspace) -> ColumnElement[bool]:
    place = select(_WORKSPACE.c.id).where(
        _WORKSPACE.c.platform == workspace.platform,
        _WORKSPACE.c.external_id == workspace.external_id,
    )
    return _VOTE.c.workspace_id == place.scalar_subquery()


_VOTERS = func.count(_VOTE.c.member_id.distinct())
_SAME = _ENTRY.alias("same")
_COUNTED = (
    select(_SAME.c.id, _SAME.c.ref, _VOTERS)
    .select_from(_VOTE)
    .join(_ENTRY, _ENTRY.c.ref == _VOTE.c.ref)
    .join(_SAME, _SAME.c.paper_id == _ENTRY.c.paper_id)
    .group_by(_SAME.c.id, _SAME.c.ref)
)
_BY_PAPER = Prepared(
    select(_VOTE.c.workspace_id, _ENTRY.c.paper_id, _VOTERS)
    .join(_ENTRY, _ENTRY.c.ref == _VOTE.c.ref)
    .where(among(_ENTRY.c.paper_id, "papers"))
    # By a sum no index finds votes, so SQLite begins with the papers, and not with all votes there.
    .where(among(_VOTE.c.workspace_id + 0, "places"))
    .group_by(_VOTE.c.workspace_id, _ENTRY.c.paper_id)
)
_VOTED_FOR = Prepared(
    select(_VOTE.c.workspace_id, _VOTE.c.ref)
    .distinct()
    .join(_ENTRY, _ENTRY.c.ref == _VOTE.c.ref)
    .where(among(_ENTRY.c.paper_id, "papers"))
)
_VOTED_IN = Prepared(
    select(_WORKSPACE.c.id).where(
        among(_WORKSPACE.c.id, "places"),
        select(_VOTE.c.ref).where(_VOTE.c.workspace_id == _WORKSPACE.c.id).exists(),
    )
)
# From one workspace to the next by the index: it takes as long as there are such workspaces,
# however many votes they have. https://wiki.postgresql.org/wiki/Loose_indexscan
_VOTING = text(
    "WITH RECURSIVE voting (id) AS (SELECT min(workspace_id) FROM vote UNION ALL"
    " SELECT (SELECT min(workspace_id) FROM vote WHERE workspace_id > voting.id)"
    " FROM voting WHERE voting.id IS NOT NULL)"
    " SELECT platform, external_id FROM voting JOIN workspace ON workspace.id = voting.id"
)
