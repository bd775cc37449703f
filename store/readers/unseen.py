"""The stream of papers that somebody has not seen: newest week first, in each the best first.

A paper stands in it once, in the newest week that has it. It is seen as soon as the entry of any
of its refs is.
"""

import itertools
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sqlalchemy import ColumnElement, bindparam, exists, func, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from store.consensus.fusion import merge_rankings
from store.consensus.refresh import VOTE_COLUMNS, build_votes
from store.database.statements import Query
from store.library import mentions
from store.library.editions import IS_CLOSED, IS_ORIGINAL, iso_week
from store.records import Mention
from store.tables.library import EditionRow, EntryRow
from store.tables.readers import SeenRow

# How many weeks of what is left are told of more closely than that they are.
_RECENT = 4
_AT_ONCE = 10


@dataclass(frozen=True, slots=True)
class Scope:
    """Of which papers: those of some sources, `None` for all, as they stand on a day (UTC).

    The consensus is none of them, nor are editions that still grow.
    """

    sources: tuple[str, ...] | None
    day: date


@dataclass(frozen=True, slots=True)
class Left:
    """What somebody has not seen: of the last four weeks that they have not, and the rest.

    `since` is the Monday of the first of the four, and `older` how many papers stand before that.
    """

    since: date
    recent: tuple[Mention, ...]
    older: int

    @property
    def papers(self) -> int:
        """How many in all."""
        return len(self.recent) + self.older


def unseen(
    session: Session, member: int | None, scope: Scope, weeks: int | None = None
) -> Iterator[Mention]:
    """Yield the papers that somebody has not seen in order, read as they are wanted.

    Each is shown by its best entry in its week.

    Args:
        session: where they are stored.
        member: the person's database id, `None` where nothing is stored about them.
        scope: of which papers.
        weeks: of how many weeks, which end with the newest that has any; `None` for all.
    """
    for week, papers in _waiting(session, member, scope, weeks):
        yield from _best_first(session, week, papers, scope)


def left(session: Session, member: int | None, scope: Scope) -> Left:
    """Return what somebody has not seen."""
    recent = dict(_waiting(session, member, scope, _RECENT))
    if not recent:
        return Left(scope.day, (), 0)
    papers = itertools.chain.from_iterable(
        _best_first(session, week, papers, scope) for week, papers in recent.items()
    )
    older = _count(session, member, scope) - sum(map(len, recent.values()))
    return Left(_first_day(max(recent), _RECENT), tuple(papers), older)


def _waiting(
    session: Session, member: int | None, scope: Scope, weeks: int | None
) -> Iterator[tuple[str, AbstractSet[int]]]:
    """Yield the ISO weeks that have papers which somebody has not seen, the newest first."""
    connection, values = session.connection(), _values(scope, member)
    known = connection.scalars(_WEEKS.where(*_conditions(scope)), values).all()
    unseen, since = _PLACED.where(*_conditions(scope, member)), date.min
    told: set[int] = set()
    for week in known:
        if _first_day(week) < since:
            return
        found = set(connection.scalars(unseen, {**values, "week": week}))
        # An import meanwhile may have taken a paper out of a newer week.
        if papers := found - told:
            if weeks and since == date.min:
                since = _first_day(week, weeks)
            told |= papers
            yield week, papers


def _count(session: Session, member: int | None, scope: Scope) -> int:
    """Return how many papers somebody has not seen: that is quicker to tell by what they have."""
    connection, values = session.connection(), _values(scope, member)
    papers = _PAPERS.where(*_conditions(scope))
    known, seen = (
        connection.scalar(select(func.count()).select_from(each.subquery()), values) or 0
        for each in (papers, papers.where(col(EntryRow.paper_id).in_(_SEEN_PAPERS)))
    )
    return known - seen


def _best_first(
    session: Session, week: str, papers: AbstractSet[int], scope: Scope
) -> Iterator[Mention]:
    """Yield some papers of a week, ordered by all that is said in it."""
    query = _VOTES.where(*_conditions(scope), col(EditionRow.week) == week)
    votes = build_votes(session.connection().execute(query, _values(scope)))
    best = (paper.best for paper in merge_rankings(votes))
    entries = iter([vote.entry for vote in best if vote.paper in papers])
    while some := tuple(itertools.islice(entries, _AT_ONCE)):
        yield from mentions.of_entries(session, some)


def _first_day(week: str, weeks: int = 1) -> date:
    """Return the Monday of the first of so many weeks that end with one."""
    return date.fromisocalendar(int(week[:4]), int(week[6:]), 1) - timedelta(weeks=weeks - 1)


def _conditions(scope: Scope, member: int | None = None) -> Iterator[ColumnElement[bool]]:
    """Yield what holds of the papers that are meant: all, or what a member has not seen."""
    yield from (IS_ORIGINAL, IS_CLOSED)
    if scope.sources is not None:
        yield col(EditionRow.source).in_(scope.sources)
    if member is not None:
        yield ~_IS_SEEN


def _values(scope: Scope, member: int | None = None) -> dict[str, Any]:
    return {"this_week": iso_week(scope.day, scope.day), "member": member}


def _of_editions(query: Query) -> Query:
    return query.join_from(EntryRow, EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))


_WEEKS = select(col(EditionRow.week)).distinct().order_by(col(EditionRow.week).desc())
_VOTES = _of_editions(select(*VOTE_COLUMNS))
_PAPERS = _of_editions(select(col(EntryRow.paper_id)).distinct())
_SEEN_PAPERS = (
    select(col(EntryRow.paper_id))
    .join_from(SeenRow, EntryRow, col(EntryRow.ref) == col(SeenRow.ref))
    .where(col(SeenRow.person_id) == bindparam("member"))
    .scalar_subquery()
)
_SAME, _WITHIN = aliased(EntryRow, name="same"), aliased(EntryRow, name="within")
_EDITION_WITHIN = aliased(EditionRow, name="edition_within")
_IS_SEEN = exists(
    select(col(_SAME.id))
    .join_from(_SAME, SeenRow, col(SeenRow.ref) == col(_SAME.ref))
    .where(
        col(_SAME.paper_id) == col(EntryRow.paper_id), col(SeenRow.person_id) == bindparam("member")
    )
)
_IN_WEEK = (
    select(col(_WITHIN.paper_id))
    .join(_EDITION_WITHIN, col(_EDITION_WITHIN.id) == col(_WITHIN.edition_id))
    .where(col(_EDITION_WITHIN.week) == bindparam("week"))
)
# The papers whose newest week is one.
_PLACED = (
    _of_editions(select(col(EntryRow.paper_id)))
    .where(col(EntryRow.paper_id).in_(_IN_WEEK))
    .group_by(col(EntryRow.paper_id))
    .having(func.max(col(EditionRow.week)) == bindparam("week"))
)
