"""Votes of people for papers, counted in the workspace that each was cast in.

A vote belongs to a paper, whichever of its entries the person saw. It marks the deliveries that
show its paper (`votes_changed`) in its own transaction. A process that claims a delivery reads the
votes and clears the mark in one transaction. Both lock the channels first: a delivery that is
claimed before the vote is there to be marked, and one that is claimed after it is laid out with the
vote. On SQLite one transaction has the whole file.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    and_,
    case,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)
from sqlmodel import Session, col

from store.coordination.request_claims import Claim, claim
from store.database.statements import Query, in_list
from store.database.types import Instant
from store.library import mentions
from store.records import DeliveryState, Edition, Person, Workspace
from store.tables.library import ConsensusRankRow, EntryRow
from store.tables.posting import DeliveryRow, SubscriptionRow
from store.tables.readers import VoteRow
from store.tables.workspaces import ChannelRow, WorkspaceRow
from store.workspaces.people import find_person, lock_or_add_person
from store.workspaces.workspaces import is_workspace, workspace_id

# The time from a vote to the edit that shows it, and from one such edit to the next.
DELAY = timedelta(seconds=1)
INTERVAL = timedelta(seconds=5)

_VOTERS = func.count(col(VoteRow.person_id))


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

    A repeated request changes nothing. Run it in `Database.write_locking_rows`; `now` is by the
    system clock.
    """
    found = mentions.find_paper(session, ref)
    if found is None:  # an import dropped it meanwhile
        return VoteResult(has_voted=False, votes=0)
    connection, (paper, entry) = session.connection(), found
    if request is None or claim(session, request):
        own, place = lock_or_add_person(session, person), workspace_id(session, workspace)
        key = {"person_id": own, "workspace_id": place, "paper_id": paper}
        if not connection.execute(delete(VoteRow).filter_by(**key)).rowcount:
            connection.execute(insert(VoteRow).values(**key, entry_id=entry, voted_at=now))
        _mark_outdated(session, place, [paper], now)
    query = select(col(VoteRow.person_id)).where(_is_in(workspace), col(VoteRow.paper_id) == paper)
    voters = set(connection.scalars(query))
    return VoteResult(find_person(session, person) in voters, len(voters))


def has_voted(session: Session, person: Person, workspace: Workspace, ref: str) -> bool:
    """Tell whether a person votes for the paper of an entry in a workspace."""
    papers = select(col(EntryRow.paper_id)).where(col(EntryRow.ref) == ref)
    own = col(VoteRow.person_id) == find_person(session, person)
    voted = exists().where(own, _is_in(workspace), col(VoteRow.paper_id).in_(papers))
    return bool(session.connection().scalar(select(voted)))


def delete_all(session: Session, person: Person, now: datetime) -> int:
    """Delete all votes of a person, mark the posts that show their papers, return the number."""
    connection, own = session.connection(), col(VoteRow.person_id) == find_person(session, person)
    query = select(col(VoteRow.workspace_id), col(VoteRow.paper_id)).where(own)
    shown = [(row.workspace_id, row.paper_id) for row in connection.execute(query)]
    connection.execute(delete(VoteRow).where(own))
    _outdate(session, shown, now)
    return len(shown)


def outdate_posts(session: Session, moves: Collection[tuple[int | None, int | None]]) -> None:
    """Mark the posts that show papers whose votes changed as entries moved between papers.

    `moves` are the papers of these entries before and after, as in `papers.Placed`.
    """
    papers = {paper for pair in moves for paper in pair if paper is not None}
    if not papers:
        return
    voted_for = (
        select(col(VoteRow.workspace_id), col(VoteRow.paper_id))
        .distinct()
        .where(in_list(col(VoteRow.paper_id), papers))
    )
    places: dict[int | None, set[int]] = defaultdict(set)
    for place, paper in session.connection().execute(voted_for):
        places[paper].add(place)
    of_pairs = ((pair, place) for pair in moves for each in pair for place in places.get(each, ()))
    _outdate(
        session,
        ((place, paper) for pair, place in of_pairs for paper in pair if paper is not None),
    )


def of_refs(session: Session, workspace: Workspace, refs: Collection[str]) -> dict[str, int]:
    """Return the number of votes for papers in a workspace, by ref; without those that have none.

    Each ref may be that of any entry of its paper.
    """
    found: dict[str, int] = {}
    query = _of_entries(workspace, in_list(col(EntryRow.ref), refs))
    for _, ref, votes in session.connection().execute(query):
        found[ref] = max(votes, found.get(ref, 0))  # two editions may have an episode of one ref
    return found


def of_entries(session: Session, workspace: Workspace, entries: Collection[int]) -> dict[int, int]:
    """Return the same by the database ids of entries."""
    query = _of_entries(workspace, in_list(col(EntryRow.id), entries))
    return {entry: votes for entry, _, votes in session.connection().execute(query)}


def list_voting_workspaces(session: Session) -> frozenset[Workspace]:
    """Return the workspaces that have votes."""
    query = select(col(WorkspaceRow.platform), col(WorkspaceRow.external_id)).where(
        exists().where(col(VoteRow.workspace_id) == col(WorkspaceRow.id))
    )
    return frozenset(Workspace(*row) for row in session.connection().execute(query))


def of_editions(session: Session, shown: Mapping[int, ShownEdition]) -> dict[int, dict[str, int]]:
    """Return the number of votes for the papers of each edition where it is shown, by ref.

    Editions and papers without votes are left out. `shown` may have any numbers as keys, which are
    the keys of the answer.
    """
    papers = {entry.paper for each in shown.values() for entry in each.edition.entries} - {None}
    query = (
        select(col(VoteRow.workspace_id), col(VoteRow.paper_id), _VOTERS)
        .where(
            in_list(col(VoteRow.paper_id), papers),
            in_list(col(VoteRow.workspace_id), {each.workspace for each in shown.values()}),
        )
        .group_by(col(VoteRow.workspace_id), col(VoteRow.paper_id))
    )
    rows: Iterable[Any] = session.connection().execute(query)
    votes = {(place, paper): number for place, paper, number in rows}
    found = {
        name: {
            entry.ref: votes[each.workspace, entry.paper]
            for entry in each.edition.entries
            if (each.workspace, entry.paper) in votes
        }
        for name, each in shown.items()
    }
    return {name: by_ref for name, by_ref in found.items() if by_ref}


def _of_entries(workspace: Workspace, wanted: ColumnElement[bool]) -> Query:
    """Select ids and refs of entries with the votes for their papers, where there are any."""
    # The outer join makes SQLite read the votes last, and not all votes of the workspace first.
    votes_here = and_(col(VoteRow.paper_id) == col(EntryRow.paper_id), _is_in(workspace))
    return (
        select(col(EntryRow.id), col(EntryRow.ref), _VOTERS)
        .outerjoin(VoteRow, votes_here)
        .where(wanted)
        .group_by(col(EntryRow.id), col(EntryRow.ref))
        .having(_VOTERS > 0)
    )


def _is_in(workspace: Workspace) -> ColumnElement[bool]:
    place = select(col(WorkspaceRow.id)).where(is_workspace(workspace))
    return col(VoteRow.workspace_id) == place.scalar_subquery()


def _outdate(
    session: Session, voted: Iterable[tuple[int, int]], now: datetime | None = None
) -> None:
    papers = defaultdict(set)
    for place, paper in voted:
        papers[place].add(paper)
    for place in sorted(papers):
        _mark_outdated(session, place, papers[place], now)


def _mark_outdated(
    session: Session, workspace: int, papers: Collection[int], now: datetime | None
) -> None:
    """Mark the posts of a workspace that show any of these papers.

    A post that is being sent or edited is corrected after that. A delivery that waits already, as
    for the platform's rate limit, keeps its time. Without `now`, the time by the system clock,
    posts are corrected at once.
    """
    connection = session.connection()
    # Several votes may lock them at once; a claim skips them meanwhile.
    channels = (
        select(col(ChannelRow.id))
        .where(col(ChannelRow.workspace_id) == workspace)
        .order_by(col(ChannelRow.id))
        .with_for_update(read=True)
    )
    subscriptions = select(col(SubscriptionRow.id)).where(
        in_list(col(SubscriptionRow.channel_id), connection.scalars(channels).all())
    )
    shows_paper = in_list(col(EntryRow.paper_id), papers)
    editions = select(col(EntryRow.edition_id)).where(shows_paper)
    consensuses = (
        select(col(ConsensusRankRow.edition_id))
        .join(EntryRow, col(EntryRow.id) == col(ConsensusRankRow.entry_id))
        .where(shows_paper)
    )
    # In the order in which all statements lock them.
    posts = (
        select(col(DeliveryRow.id))
        .where(
            col(DeliveryRow.subscription_id).in_(subscriptions),
            in_list(
                col(DeliveryRow.edition_id), connection.scalars(editions.union(consensuses)).all()
            ),
        )
        .order_by(col(DeliveryRow.id))
        .with_for_update(key_share=True)
    )
    shown = connection.scalars(posts).all()
    if not shown:  # as nearly always
        return
    unmarked = update(DeliveryRow).where(
        in_list(col(DeliveryRow.id), shown), ~col(DeliveryRow.votes_changed)
    )
    # A delivery that is marked or waits has its time.
    queued = unmarked.where(
        col(DeliveryRow.state) == DeliveryState.SENT,
        or_(col(DeliveryRow.owner).is_not(None), col(DeliveryRow.ready_at).is_(None)),
    )
    if now is None:
        queued = queued.values(ready_at=col(DeliveryRow.enqueued_at))
    else:
        lately = col(DeliveryRow.enqueued_at).between(now - INTERVAL, now)
        later, soon = (literal(now + wait, Instant()) for wait in (INTERVAL, DELAY))
        # Attempts are counted from then on.
        queued = queued.values(enqueued_at=now, ready_at=case((lately, later), else_=soon))
    connection.execute(queued)
    connection.execute(unmarked.values(votes_changed=True))
