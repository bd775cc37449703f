"""The stream of papers that somebody has not seen: newest week first, in each the best first.

A paper stands in it once, in the newest week that has it. It is seen as soon as the entry of any
of its refs is.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, exists, func, select
from sqlmodel import Session

from store import mentions
from store.editions import IS_CLOSED, IS_ORIGINAL, iso_week
from store.fused import VOTES, votes_of
from store.fusion import fuse
from store.records import Mention
from store.schema import TABLES

_EDITION, _ENTRY, _SEEN = TABLES["edition"], TABLES["entry"], TABLES["seen"]

# How many weeks of what is left are told of more closely than that they are.
_RECENT = 4
_AT_ONCE = 10

Waiting = Mapping[str, AbstractSet[int]]


@dataclass(frozen=True, slots=True)
class Scope:
    """Of which papers: those of some sources, `None` for all, as they stand on a day (UTC).

    The consensus is none of them, nor are editions that still grow; samples only stand in for
    what there is none of.
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


def waiting(session: Session, member: int | None, scope: Scope) -> dict[str, set[int]]:
    """Return the papers that somebody has not seen, by ISO week, the newest first.

    `member` is the person's database id, `None` where nothing is stored about them.
    """
    unseen = _PLACED.where(*_conditions(session, scope))
    if member is not None:
        unseen = unseen.where(_ENTRY.c.paper_id.not_in(_SEEN_PAPERS))
    values = {**_values(scope), "member": member}
    found: dict[str, set[int]] = defaultdict(set)
    for paper, week in session.connection().execute(unseen, values):
        found[week].add(paper)
    return {week: found[week] for week in sorted(found, reverse=True)}


def in_order(
    session: Session, papers: Waiting, scope: Scope, weeks: int | None = None
) -> Iterator[Mention]:
    """Yield papers in the order of the stream, read as they are wanted.

    Each is shown by its best entry in its week. Where so many `weeks` are given, they end with the
    newest that has any.
    """
    for week in _last(papers, weeks):
        yield from _best_first(session, week, papers[week], scope)


def left(session: Session, member: int | None, scope: Scope) -> Left:
    """Return what somebody has not seen."""
    papers = waiting(session, member, scope)
    recent = _last(papers, _RECENT)
    since = _first_day(max(papers), _RECENT) if papers else scope.day
    older = sum(len(of_week) for week, of_week in papers.items() if week not in recent)
    return Left(since, tuple(in_order(session, papers, scope, _RECENT)), older)


def _last(papers: Waiting, weeks: int | None) -> list[str]:
    """Return the weeks of papers, of so many that end with the newest."""
    if not (papers and weeks):
        return list(papers)
    since = _first_day(max(papers), weeks)
    return [week for week in papers if _first_day(week) >= since]


def _best_first(
    session: Session, week: str, papers: AbstractSet[int], scope: Scope
) -> Iterator[Mention]:
    """Yield some papers of a week, ordered by all that is said in it."""
    query = _VOTES.where(*_conditions(session, scope), _EDITION.c.week == week)
    votes = votes_of(session.connection().execute(query, _values(scope)))
    best = (paper.best for paper in fuse(votes))
    entries = iter([vote.entry for vote in best if vote.paper in papers])
    while some := tuple(islice(entries, _AT_ONCE)):
        yield from mentions.of_entries(session, some)


def _first_day(week: str, weeks: int = 1) -> date:
    """Return the Monday of the first of so many weeks that end with one."""
    return date.fromisocalendar(int(week[:4]), int(week[6:]), 1) - timedelta(weeks=weeks - 1)


def _conditions(session: Session, scope: Scope) -> Sequence[ColumnElement[bool]]:
    """Return what holds of the editions whose papers are meant."""
    ours = [IS_ORIGINAL, IS_CLOSED]
    if scope.sources is not None:
        ours.append(_EDITION.c.source.in_(scope.sources))
    is_real = _EDITION.c.sample.is_(False)
    real = select(exists(select(_EDITION.c.id).where(*ours, is_real)))
    has_real = session.connection().scalar(real, _values(scope))
    return [*ours, is_real] if has_real else ours


def _values(scope: Scope) -> dict[str, Any]:
    return {"this_week": iso_week(scope.day, scope.day)}


def _of_editions(query: Select[Any]) -> Select[Any]:
    return query.join_from(_ENTRY, _EDITION, _EDITION.c.id == _ENTRY.c.edition_id)


_PLACED = _of_editions(select(_ENTRY.c.paper_id, func.max(_EDITION.c.week))).group_by(
    _ENTRY.c.paper_id
)
_VOTES = _of_editions(select(*VOTES))
_SEEN_PAPERS = (
    select(_ENTRY.c.paper_id)
    .join_from(_SEEN, _ENTRY, _ENTRY.c.ref == _SEEN.c.ref)
    .where(_SEEN.c.member_id == bindparam("member"))
    .scalar_subquery()
)
