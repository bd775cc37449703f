"""The feed of papers that a person has not seen: newest week first, in each the best first.

A paper is in it once, in the newest week that has it.
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
from store.tables.readers import SeenPaperRow

# The weeks that a summary lists paper by paper.
_RECENT = 4
_AT_ONCE = 10


@dataclass(frozen=True, slots=True)
class Scope:
    """The sources of a feed, `None` for all, and the day (UTC) that it is read on.

    The consensus is not among them, nor are editions that still grow.
    """

    sources: tuple[str, ...] | None
    day: date


@dataclass(frozen=True, slots=True)
class UnseenSummary:
    """The unseen papers of the last four weeks that have any, and the number of older ones.

    `since` is the Monday of the first of the four weeks.
    """

    since: date
    recent: tuple[Mention, ...]
    older: int

    @property
    def papers(self) -> int:
        """The number of all unseen papers."""
        return len(self.recent) + self.older


def iterate(
    session: Session, member: int | None, scope: Scope, weeks: int | None = None
) -> Iterator[Mention]:
    """Yield the unseen papers in order, each by its best entry in its week; they are read lazily.

    Args:
        session: a session.
        member: the person's database id, `None` where nothing is stored about them.
        scope: the sources and the day.
        weeks: the number of weeks, which end with the newest that has any; `None` for all.
    """
    for week, papers in _waiting(session, member, scope, weeks):
        yield from _best_first(session, week, papers, scope)


def summary(session: Session, member: int | None, scope: Scope) -> UnseenSummary:
    """Return a summary of the unseen papers."""
    recent = dict(_waiting(session, member, scope, _RECENT))
    if not recent:
        return UnseenSummary(scope.day, (), 0)
    papers = itertools.chain.from_iterable(
        _best_first(session, week, papers, scope) for week, papers in recent.items()
    )
    older = _count(session, member, scope) - sum(map(len, recent.values()))
    return UnseenSummary(_first_day(max(recent), _RECENT), tuple(papers), older)


def _waiting(
    session: Session, member: int | None, scope: Scope, weeks: int | None
) -> Iterator[tuple[str, AbstractSet[int]]]:
    """Yield the ISO weeks that have unseen papers, with these, newest first."""
    connection, values = session.connection(), _values(scope, member)
    known = connection.scalars(_WEEKS.where(*_conditions(scope)), values).all()
    iterate, since = _PLACED.where(*_conditions(scope, member)), date.min
    found_before: set[int] = set()
    for week in known:
        if _first_day(week) < since:
            return
        found = set(connection.scalars(iterate, {**values, "week": week}))
        # An import meanwhile may have taken a paper out of a newer week.
        if papers := found - found_before:
            if weeks and since == date.min:
                since = _first_day(week, weeks)
            found_before |= papers
            yield week, papers


def _count(session: Session, member: int | None, scope: Scope) -> int:
    """Return the number of unseen papers: all papers less the seen ones, which is faster."""
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
    """Yield papers of a week in the order of its consensus."""
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
    """Yield the conditions of all papers in a scope, or of those that a person has not seen."""
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
_SEEN_PAPERS = select(col(SeenPaperRow.paper_id)).where(
    col(SeenPaperRow.person_id) == bindparam("member")
)
_IS_SEEN = exists(_SEEN_PAPERS.where(col(SeenPaperRow.paper_id) == col(EntryRow.paper_id)))
_WITHIN = aliased(EntryRow, name="within")
_EDITION_WITHIN = aliased(EditionRow, name="edition_within")
_IN_WEEK = (
    select(col(_WITHIN.paper_id))
    .join(_EDITION_WITHIN, col(_EDITION_WITHIN.id) == col(_WITHIN.edition_id))
    .where(col(_EDITION_WITHIN.week) == bindparam("week"))
)
# The papers whose newest week is the one given.
_PLACED = (
    _of_editions(select(col(EntryRow.paper_id)))
    .where(col(EntryRow.paper_id).in_(_IN_WEEK))
    .group_by(col(EntryRow.paper_id))
    .having(func.max(col(EditionRow.week)) == bindparam("week"))
)
