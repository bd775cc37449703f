"""Keeping the consensus of weeks in step with the editions that it is merged from.

It is stored as an edition of its own source without entries of its own: it refers to those of other
sources, each under its rank. Its posts are corrected like those of any edition.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection, delete, exists, insert, select, text, update
from sqlmodel import Session, col

from store import content_version
from store.consensus.fusion import MergedPaper, Vote, count_agreed, merge_rankings
from store.database.statements import Query
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

_SOURCES_OF_WEEKS = select(col(EditionRow.week), col(EditionRow.source)).distinct()
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
_CONSENSUSES = select(
    col(EditionRow.id), col(EditionRow.week), col(EditionRow.overview), col(EditionRow.sample)
).where(col(EditionRow.source) == CONSENSUS)
_RANKS = select(ConsensusRankRow).join(
    EditionRow, col(EditionRow.id) == col(ConsensusRankRow.edition_id)
)
_ADD_SOURCE = text(
    "INSERT INTO source (slug, title) VALUES (:slug, :title) ON CONFLICT (slug) DO NOTHING"
)
_WRITE_RANK = text(
    "INSERT INTO consensus_rank (edition_id, rank, entry_id) VALUES (:edition, :rank, :entry)"
    " ON CONFLICT (edition_id, rank) DO UPDATE SET entry_id = excluded.entry_id"
)


@dataclass(frozen=True, slots=True)
class _RankedEntry:
    """A vote, and the facts of its entry."""

    vote: Vote
    edition_id: int
    ref: str
    sample: bool


@dataclass(frozen=True, slots=True)
class _Consensus:
    """A consensus as computed: entries in order, by id, and facts of its edition.

    `news` is set if an entry that it shows has changed.
    """

    entries: tuple[int, ...]
    overview: str
    sample: bool
    news: bool


@dataclass(frozen=True, slots=True)
class _StoredConsensus:
    """A consensus as stored; `entries` are by rank."""

    id: int
    overview: str | None
    sample: bool
    entries: dict[int, int]


def refresh(
    session: Session,
    weeks: Collection[str] | None,
    now: datetime,
    changed: AbstractSet[tuple[int, str]] = frozenset(),
) -> None:
    """Recompute the consensus of ISO weeks; only changes are written.

    A week that fewer than two sources cover has none. A consensus that was posted stays as it was.

    Args:
        session: the transaction that changed the editions.
        weeks: their names, 2026-W02; `None` for all.
        now: the time of the change.
        changed: the entries that changed, by the id of their edition and ref.
    """
    connection = session.connection()
    concerned = _concerned(connection, weeks)
    if not concerned:
        return
    of_weeks = list(concerned) if weeks is not None else None
    entries: dict[str, list[_RankedEntry]] = defaultdict(list)
    for row in _rows(connection, _ENTRIES, of_weeks):
        vote = Vote(*row[: len(VOTE_COLUMNS)])
        entries[row.week].append(_RankedEntry(vote, row.edition_id, row.ref, row.sample))
    stored = _stored(connection, of_weeks)
    written = False
    for week in sorted(concerned):
        consensus = _compute(entries.get(week, ()), changed)
        before = stored.get(week)
        if consensus is None:
            written |= before is not None and _drop(connection, before.id)
        elif before is None:
            _add(connection, week, consensus, now)
            written = True
        else:
            written |= _change(connection, before, consensus, now)
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
    for week, source in _rows(connection, _SOURCES_OF_WEEKS, weeks):
        covering[week].add(source)
    return {
        week
        for week, sources in covering.items()
        if CONSENSUS in sources or len(sources) >= _FEWEST
    }


def _stored(connection: Connection, weeks: list[str] | None) -> dict[str, _StoredConsensus]:
    found = _rows(connection, _CONSENSUSES, weeks)
    ranks: dict[int, dict[int, int]] = defaultdict(dict)
    for edition_id, rank, entry_id in _rows(connection, _RANKS, weeks) if found else ():
        ranks[edition_id][rank] = entry_id
    return {
        row.week: _StoredConsensus(row.id, row.overview, row.sample, ranks[row.id]) for row in found
    }


def _compute(
    entries: Sequence[_RankedEntry], changed: AbstractSet[tuple[int, str]]
) -> _Consensus | None:
    """Return the consensus of a week, `None` if too few sources have a paper in it."""
    sources = sorted({entry.vote.source for entry in entries}, key=precedence)
    if len(sources) < _FEWEST:
        return None
    papers = merge_rankings(entry.vote for entry in entries)
    shown = [paper.best.entry for paper in papers]
    changed_entries = (e.vote.entry for e in entries if (e.edition_id, e.ref) in changed)
    return _Consensus(
        entries=tuple(shown),
        overview=_overview(sources, papers),
        sample=all(entry.sample for entry in entries),
        news=not set(shown).isdisjoint(changed_entries),
    )


def _overview(sources: Sequence[str], papers: Sequence[MergedPaper]) -> str:
    named = f"{', '.join(sources[:-1])} and {sources[-1]}"
    counted = "1 paper" if len(papers) == 1 else f"{len(papers)} papers"
    return f"Fused from {named}, which agree on {count_agreed(papers) or 'none'} of {counted}."


def _add(connection: Connection, week: str, consensus: _Consensus, now: datetime) -> None:
    connection.execute(_ADD_SOURCE, {"slug": CONSENSUS, "title": _SOURCE_TITLE})
    year, number = int(week[:4]), int(week[6:])
    added = insert(EditionRow).values(
        source=CONSENSUS,
        kind=CONSENSUS,
        title=TITLE,
        first_day=date.fromisocalendar(year, number, 1),
        last_day=date.fromisocalendar(year, number, 7),
        week=week,
        headings=(),
        overview=consensus.overview,
        sample=consensus.sample,
        changed_at=now,
        arrived_at=now,
    )
    edition_id = connection.execute(added.returning(col(EditionRow.id))).scalar_one()
    _write_ranks(connection, edition_id, {}, consensus)


def _change(
    connection: Connection, before: _StoredConsensus, consensus: _Consensus, now: datetime
) -> bool:
    """Write the differences; return whether the edition or what it shows has changed."""
    facts = {"overview": consensus.overview, "sample": consensus.sample}
    ranks_changed = _write_ranks(connection, before.id, before.entries, consensus)
    differs = facts != {"overview": before.overview, "sample": before.sample}
    if not (ranks_changed or differs or consensus.news):
        return False
    changed = update(EditionRow).where(col(EditionRow.id) == before.id)
    connection.execute(changed.values(**facts, changed_at=now))
    return True


def _write_ranks(
    connection: Connection, edition_id: int, before: dict[int, int], consensus: _Consensus
) -> bool:
    """Write the ranks that have another entry now; return whether there are any."""
    rows = [
        {"edition": edition_id, "rank": rank, "entry": entry}
        for rank, entry in enumerate(consensus.entries, start=1)
        if before.get(rank) != entry
    ]
    if rows:
        connection.execute(_WRITE_RANK, rows)
    last = len(consensus.entries)
    too_many = max(before, default=0) > last
    if too_many:
        beyond = (col(ConsensusRankRow.edition_id) == edition_id) & (
            col(ConsensusRankRow.rank) > last
        )
        connection.execute(delete(ConsensusRankRow).where(beyond))
    return bool(rows) or too_many


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
