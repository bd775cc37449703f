"""The consensus of weeks, kept in step with the editions that it is fused from.

It is stored as an edition of its own source that has no entries of its own: it refers to those of
the others, each under its rank. What was posted of it is put right as that of any edition.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, text, update
from sqlmodel import Session, col

from store import content_version
from store.consensus.fusion import Fused, Vote, agreed, fuse
from store.database.statements import Query
from store.sources import CONSENSUS, precedence
from store.tables.library import ConsensusRankRow, EditionRow, EntryRow

TITLE = "Consensus of the Week"
_SOURCE_TITLE = "Consensus"
_FEWEST = 2  # sources that make a consensus


def refresh(
    session: Session,
    weeks: Collection[str] | None,
    now: datetime,
    changed: AbstractSet[tuple[int, str]] = frozenset(),
) -> None:
    """Make the consensus of ISO weeks what their editions say now; nothing is written in vain.

    A week that fewer than two sources cover has none. One that was posted stays as it last was.

    Args:
        session: where they are stored, in the transaction that changed them.
        weeks: their names, 2026-W02; `None` for all.
        now: when it changed.
        changed: entries that say something else than before, by the id of their edition and ref.
    """
    connection = session.connection()
    concerned = _concerned(connection, weeks)
    if not concerned:
        return
    of_weeks = list(concerned) if weeks is not None else None
    votes = _votes(connection, of_weeks)
    stored = _stored(connection, of_weeks)
    written = False
    for week in sorted(concerned):
        wanted = _wanted(votes.get(week, ()), changed)
        before = stored.get(week)
        if wanted is None:
            written |= before is not None and _drop(connection, before)
        elif before is None:
            _add(connection, week, wanted, now)
            written = True
        else:
            written |= _change(connection, before, wanted, now)
    if written:
        content_version.touch(session)


def weeks_of(session: Session, papers: Collection[int]) -> set[str]:
    """Return the ISO weeks whose editions have any of some papers, by their database ids."""
    query = (
        select(col(EditionRow.week))
        .join(EntryRow, col(EntryRow.edition_id) == col(EditionRow.id))
        .where(col(EntryRow.paper_id).in_(papers))
    )
    return set(session.connection().scalars(query)) if papers else set()


def votes_of(rows: Iterable[Any]) -> list[Vote]:
    """Build votes of rows that begin with what `VOTES` names."""
    return [Vote(*row[: len(VOTES)]) for row in rows]


def votes_of_week(session: Session, week: str) -> list[Vote]:
    """Return the votes of an ISO week's editions."""
    return votes_of(_VOTES.of(session.connection(), [week]))


# The columns of a vote, in the order of its fields.
VOTES = (
    col(EntryRow.paper_id),
    col(EntryRow.id),
    col(EditionRow.source),
    col(EditionRow.first_day),
    col(EntryRow.position),
    col(EntryRow.rank),
)


@dataclass(frozen=True, slots=True)
class _Ballot:
    """A vote, and what else is known of its entry."""

    vote: Vote
    edition_id: int
    ref: str
    sample: bool


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A consensus as it shall be: entries in order, by id, and what its edition says."""

    entries: tuple[int, ...]
    overview: str
    sample: bool
    news: bool

    @property
    def facts(self) -> dict[str, Any]:
        return {"overview": self.overview, "sample": self.sample}


@dataclass(frozen=True, slots=True)
class _Stored:
    """A consensus as it is stored; `entries` are by rank."""

    id: int
    facts: dict[str, Any]
    entries: dict[int, int]


def _concerned(connection: Connection, weeks: Collection[str] | None) -> set[str]:
    """Return those of some weeks that several sources cover, or that have a consensus."""
    covering: dict[str, set[str]] = defaultdict(set)
    for week, source in _COVERING.of(connection, weeks):
        covering[week].add(source)
    return {
        week
        for week, sources in covering.items()
        if CONSENSUS in sources or len(sources) >= _FEWEST
    }


def _votes(connection: Connection, weeks: list[str] | None) -> dict[str, list[_Ballot]]:
    ballots: dict[str, list[_Ballot]] = defaultdict(list)
    for row in _VOTES.of(connection, weeks):
        ballot = _Ballot(Vote(*row[: len(VOTES)]), row.edition_id, row.ref, row.sample)
        ballots[row.week].append(ballot)
    return ballots


def _stored(connection: Connection, weeks: list[str] | None) -> dict[str, _Stored]:
    found = _CONSENSUS.of(connection, weeks)
    ranks: dict[int, dict[int, int]] = defaultdict(dict)
    for edition_id, rank, entry_id in _RANKED.of(connection, weeks) if found else ():
        ranks[edition_id][rank] = entry_id
    return {
        row.week: _Stored(row.id, {"overview": row.overview, "sample": row.sample}, ranks[row.id])
        for row in found
    }


def _wanted(ballots: Sequence[_Ballot], changed: AbstractSet[tuple[int, str]]) -> _Wanted | None:
    """Return the consensus of a week, `None` where too few sources have a paper in it."""
    sources = sorted({each.vote.source for each in ballots}, key=precedence)
    if len(sources) < _FEWEST:
        return None
    fused = fuse(each.vote for each in ballots)
    shown = {paper.best.entry for paper in fused}
    return _Wanted(
        entries=tuple(paper.best.entry for paper in fused),
        overview=_overview(sources, fused),
        sample=all(each.sample for each in ballots),
        news=any((b.edition_id, b.ref) in changed and b.vote.entry in shown for b in ballots),
    )


def _overview(sources: Sequence[str], fused: Sequence[Fused]) -> str:
    named = f"{', '.join(sources[:-1])} and {sources[-1]}"
    papers = "1 paper" if len(fused) == 1 else f"{len(fused)} papers"
    return f"Fused from {named}, which agree on {agreed(fused) or 'none'} of {papers}."


def _add(connection: Connection, week: str, wanted: _Wanted, now: datetime) -> None:
    connection.execute(_ADD_SOURCE, {"slug": CONSENSUS, "title": _SOURCE_TITLE})
    year, number = int(week[:4]), int(week[6:])
    values = {
        "first_day": date.fromisocalendar(year, number, 1),
        "last_day": date.fromisocalendar(year, number, 7),
        "week": week,
        "changed_at": now,
        "arrived_at": now,
    }
    said = {**_ALWAYS, **values, **wanted.facts}
    edition_id = connection.execute(_ADD_EDITION, said).scalar_one()
    _rank(connection, _Stored(edition_id, {}, {}), wanted)


def _change(connection: Connection, before: _Stored, wanted: _Wanted, now: datetime) -> bool:
    """Write what differs; return whether anything does, in what is said or in what is shown."""
    if not (_rank(connection, before, wanted) or before.facts != wanted.facts or wanted.news):
        return False
    changed = update(EditionRow).where(col(EditionRow.id) == before.id)
    connection.execute(changed.values(**wanted.facts, changed_at=now))
    return True


def _rank(connection: Connection, before: _Stored, wanted: _Wanted) -> bool:
    """Write the ranks that another entry has now; return whether there are any."""
    pairs = enumerate(wanted.entries, start=1)
    rows = [
        {"edition": before.id, "rank": rank, "entry": entry}
        for rank, entry in pairs
        if before.entries.get(rank) != entry
    ]
    if rows:
        connection.execute(_RANK, rows)
    too_many = max(before.entries, default=0) > len(wanted.entries)
    if too_many:
        values = {"edition": before.id, "last": len(wanted.entries)}
        connection.execute(_UNRANK, values)
    return bool(rows) or too_many


def _drop(connection: Connection, before: _Stored) -> bool:
    """Drop a consensus that no delivery refers to; return whether it was."""
    dropped = connection.execute(_DROP, {"edition": before.id}).rowcount == 1
    if dropped:
        connection.execute(_DROP_SOURCE, {"slug": CONSENSUS})
    return dropped


class _Asked:
    """A query on editions, asked about some ISO weeks or all."""

    def __init__(self, query: Query) -> None:
        self._all = query
        self._some = query.where(col(EditionRow.week).in_(bindparam("weeks", expanding=True)))

    def of(self, connection: Connection, weeks: Collection[str] | None) -> Sequence[Any]:
        """Return the rows of some weeks, of all where they are `None`."""
        if weeks is None:
            return connection.execute(self._all).all()
        return connection.execute(self._some, {"weeks": list(weeks)}).all()


_COVERING = _Asked(select(col(EditionRow.week), col(EditionRow.source)).distinct())
_VOTES = _Asked(
    select(
        *VOTES,
        col(EditionRow.week),
        col(EntryRow.edition_id),
        col(EntryRow.ref),
        col(EditionRow.sample),
    )
    .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
    .where(col(EditionRow.source) != CONSENSUS)
)
_CONSENSUS = _Asked(
    select(
        col(EditionRow.id), col(EditionRow.week), col(EditionRow.overview), col(EditionRow.sample)
    ).where(col(EditionRow.source) == CONSENSUS)
)
_RANKED = _Asked(
    select(ConsensusRankRow).join(
        EditionRow, col(EditionRow.id) == col(ConsensusRankRow.edition_id)
    )
)
_ADD_SOURCE = text(
    "INSERT INTO source (slug, title) VALUES (:slug, :title) ON CONFLICT (slug) DO NOTHING"
)
_ADD_EDITION = insert(EditionRow).returning(col(EditionRow.id))
_ALWAYS = {
    "source": CONSENSUS,
    "kind": CONSENSUS,
    "title": TITLE,
    "published_on": None,
    "year_rule": None,
    "minutes": None,
    "url": None,
    "headings": (),
}
_RANK = text(
    "INSERT INTO consensus_rank (edition_id, rank, entry_id) VALUES (:edition, :rank, :entry)"
    " ON CONFLICT (edition_id, rank) DO UPDATE SET entry_id = excluded.entry_id"
)
_UNRANK = text("DELETE FROM consensus_rank WHERE edition_id = :edition AND rank > :last")
# Its ranks go with it.
_DROP = text(
    "DELETE FROM edition WHERE id = :edition"
    " AND NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.edition_id = edition.id)"
)
_DROP_SOURCE = text(
    "DELETE FROM source WHERE slug = :slug"
    " AND NOT EXISTS (SELECT 1 FROM edition WHERE edition.source = source.slug)"
)
