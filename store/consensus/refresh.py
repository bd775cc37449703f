"""Keeping the consensus of weeks in step with the editions that it is merged from.

It is stored as an edition of its own source without entries of its own: it refers to those of other
sources, each under its rank. Its posts are corrected like those of any edition.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, exists, insert, select, update
from sqlmodel import Session, col

from store import content_version
from store.consensus.fusion import MergedPaper, Vote, count_agreed, merge_rankings
from store.database.statements import Query, execute_each, insert_new
from store.library.editions import monday_of
from store.sources import CONSENSUS, precedence
from store.tables.library import ConsensusRankRow, EditionRow, EntryRow, SourceRow
from store.tables.posting import DeliveryRow

TITLE = "Consensus of the Week"
_SOURCE_TITLE = "Consensus"
_FEWEST = 2  # sources that make a consensus

# The columns of a vote, in the order of its fields.
VOTE_COLUMNS = (
    col(EntryRow.paper_id),
    col(EntryRow.id),
    col(EditionRow.source),
    col(EditionRow.first_day),
    col(EntryRow.position),
    col(EntryRow.rank),
)

_ENTRIES = (
    select(
        *VOTE_COLUMNS,
        col(EditionRow.week),
        col(EntryRow.edition_id),
        col(EntryRow.ref),
        col(EditionRow.sample),
    )
    .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
    .where(col(EditionRow.source) != CONSENSUS)
)


@dataclass(frozen=True, slots=True)
class _Consensus:
    """A consensus: the id of the entry at each rank, and facts of its edition."""

    entries: dict[int, int]
    overview: str | None
    sample: bool


def refresh(
    session: Session,
    weeks: Collection[str] | None,
    now: datetime,
    changed: AbstractSet[tuple[int, str]] = frozenset(),
) -> None:
    """Recompute the consensus of ISO weeks; only changes are written.

    A week that fewer than two sources cover has none. A consensus that was posted stays as it was.
    Without `weeks` (`2026-W02`) all are recomputed. `changed` are the entries that changed, by the
    id of their edition and ref.
    """
    connection = session.connection()
    concerned = _concerned(connection, weeks)
    if not concerned:
        return
    of_weeks = None if weeks is None else concerned
    rows: dict[str, list[Any]] = defaultdict(list)
    for row in _rows(connection, _ENTRIES, of_weeks):
        rows[row.week].append(row)
    stored = _stored(connection, of_weeks)
    written = False
    for week in sorted(concerned):
        consensus = _compute(rows[week])
        edition_id, before = stored.get(week, (None, None))
        if consensus is None:
            written |= edition_id is not None and _drop(connection, edition_id)
            continue
        news = {row.id for row in rows[week] if (row.edition_id, row.ref) in changed}
        if consensus == before and news.isdisjoint(consensus.entries.values()):
            continue
        facts = {"overview": consensus.overview, "sample": consensus.sample, "changed_at": now}
        if edition_id is None:
            edition_id = _add(session, week, facts)
        else:
            this = col(EditionRow.id) == edition_id
            connection.execute(update(EditionRow).where(this).values(facts))
        if before is None or before.entries != consensus.entries:
            _write_ranks(connection, edition_id, consensus.entries)
        written = True
    if written:
        content_version.touch(session)


def weeks_of(session: Session, papers: Collection[int]) -> set[str]:
    """Return the ISO weeks whose editions have any of some papers, by database id."""
    query = (
        select(col(EditionRow.week))
        .join(EntryRow, col(EntryRow.edition_id) == col(EditionRow.id))
        .where(col(EntryRow.paper_id).in_(papers))
    )
    return set(session.connection().scalars(query)) if papers else set()


def build_votes(rows: Iterable[Any]) -> list[Vote]:
    """Build votes from rows that begin with `VOTE_COLUMNS`."""
    return [Vote(*row[: len(VOTE_COLUMNS)]) for row in rows]


def best_by_week(rows: Iterable[Any]) -> dict[int, int]:
    """Return the best entry of each paper in its newest week, by database id.

    The newest week comes first, in each the best paper. A row is a vote, then its ISO week.
    """
    weeks = defaultdict[str, list[Any]](list)
    for row in rows:
        weeks[row.week].append(row)
    best: dict[int, int] = {}
    for week in sorted(weeks, reverse=True):
        for paper in merge_rankings(build_votes(weeks[week])):
            best.setdefault(paper.best.paper, paper.best.entry)
    return best


def votes_of_week(session: Session, week: str) -> list[Vote]:
    """Return the votes of an ISO week's editions."""
    return build_votes(_rows(session.connection(), _ENTRIES, [week]))


def _rows(connection: Connection, query: Query, weeks: Collection[str] | None) -> Sequence[Any]:
    """Run a query on editions for some ISO weeks, or for all."""
    if weeks is not None:
        query = query.where(col(EditionRow.week).in_(weeks))
    return connection.execute(query).all()


def _concerned(connection: Connection, weeks: Collection[str] | None) -> set[str]:
    """Return those of some weeks that several sources cover, or that have a consensus."""
    covering: dict[str, set[str]] = defaultdict(set)
    sources = select(col(EditionRow.week), col(EditionRow.source)).distinct()
    for week, source in _rows(connection, sources, weeks):
        covering[week].add(source)
    return {week for week, found in covering.items() if CONSENSUS in found or len(found) >= _FEWEST}


def _stored(
    connection: Connection, weeks: Collection[str] | None
) -> dict[str, tuple[int, _Consensus]]:
    """Return each stored consensus, with the id of its edition, by week."""
    ranks = select(ConsensusRankRow).join(
        EditionRow, col(EditionRow.id) == col(ConsensusRankRow.edition_id)
    )
    entries: dict[int, dict[int, int]] = defaultdict(dict)
    for row in _rows(connection, ranks, weeks):
        entries[row.edition_id][row.rank] = row.entry_id
    own = select(EditionRow).where(col(EditionRow.source) == CONSENSUS)
    return {
        row.week: (row.id, _Consensus(entries[row.id], row.overview, row.sample))
        for row in _rows(connection, own, weeks)
    }


def _compute(rows: Sequence[Any]) -> _Consensus | None:
    """Return the consensus of a week's entries, `None` if too few sources have any."""
    sources = sorted({row.source for row in rows}, key=precedence)
    if len(sources) < _FEWEST:
        return None
    papers = merge_rankings(build_votes(rows))
    return _Consensus(
        entries={rank: paper.best.entry for rank, paper in enumerate(papers, start=1)},
        overview=_overview(sources, papers),
        sample=all(row.sample for row in rows),
    )


def _overview(sources: Sequence[str], papers: Sequence[MergedPaper]) -> str:
    named = f"{', '.join(sources[:-1])} and {sources[-1]}"
    counted = "1 paper" if len(papers) == 1 else f"{len(papers)} papers"
    return f"Merged from {named}, which agree on {count_agreed(papers) or 'none'} of {counted}."


def _add(session: Session, week: str, facts: Mapping[str, Any]) -> int:
    """Add the edition of a consensus, and return its id."""
    connection = session.connection()
    source = {"slug": CONSENSUS, "title": _SOURCE_TITLE}
    connection.execute(insert_new(session, SourceRow), source)
    monday = monday_of(week)
    added = insert(EditionRow).values(
        source=CONSENSUS,
        kind=CONSENSUS,
        title=TITLE,
        first_day=monday,
        last_day=monday + timedelta(days=6),
        week=week,
        headings=(),
        arrived_at=facts["changed_at"],
        **facts,
    )
    return int(connection.execute(added.returning(col(EditionRow.id))).scalar_one())


def _write_ranks(connection: Connection, edition_id: int, entries: Mapping[int, int]) -> None:
    of_edition = col(ConsensusRankRow.edition_id) == edition_id
    connection.execute(delete(ConsensusRankRow).where(of_edition))
    rows = [
        {"edition_id": edition_id, "rank": rank, "entry_id": entry}
        for rank, entry in entries.items()
    ]
    execute_each(connection, insert(ConsensusRankRow), rows)


def _drop(connection: Connection, edition_id: int) -> bool:
    """Delete a consensus that no delivery refers to, with its ranks; return whether it was."""
    is_posted = exists().where(col(DeliveryRow.edition_id) == col(EditionRow.id))
    this = col(EditionRow.id) == edition_id
    if connection.execute(delete(EditionRow).where(this, ~is_posted)).rowcount == 0:
        return False
    has_editions = exists().where(col(EditionRow.source) == col(SourceRow.slug))
    own = col(SourceRow.slug) == CONSENSUS
    connection.execute(delete(SourceRow).where(own, ~has_editions))
    return True
