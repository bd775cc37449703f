"""Reading the consensus: which weeks have one, and what each source says in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import bindparam, case, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from store.consensus import refresh
from store.consensus.fusion import Fused, disputed, fuse
from store.library import mentions
from store.library.editions import IS_CLOSED, NEWEST_FIRST, edition_record, iso_week
from store.records import Edition, Mention
from store.sources import CONSENSUS, precedence
from store.tables.library import ConsensusRankRow, EditionRow, EntryRow


@dataclass(frozen=True, slots=True)
class Placed:
    """A paper at its rank in a consensus; `mentions` are its best of each source, best first."""

    rank: int
    mentions: tuple[Mention, ...]

    @property
    def is_agreed(self) -> bool:
        """Whether more than one source has the paper."""
        return len(self.mentions) > 1


@dataclass(frozen=True, slots=True)
class Consensus:
    """A week as its sources have it together.

    `edition` has no entries; `papers` stand in their order, and the most `disputed` first.
    """

    edition: Edition
    papers: tuple[Placed, ...]
    disputed: tuple[Placed, ...]

    @property
    def agreed(self) -> tuple[Placed, ...]:
        """The papers that more than one source has, in their order."""
        return tuple(paper for paper in self.papers if paper.is_agreed)

    @property
    def sources(self) -> tuple[str, ...]:
        """The slugs of the sources that it is fused from, by precedence."""
        found = {each.edition.source for paper in self.papers for each in paper.mentions}
        return tuple(sorted(found, key=precedence))

    def only_in(self, source: str) -> tuple[Placed, ...]:
        """Return the papers that no other source has, in their order."""
        return tuple(
            paper
            for paper in self.papers
            if not paper.is_agreed and paper.mentions[0].edition.source == source
        )


def newest_week(session: Session, day: date) -> str | None:
    """Return the newest ISO week with a consensus: a closed one if any is on a day (UTC)."""
    open_last = case((IS_CLOSED, 0), else_=1)
    query = (
        select(col(EditionRow.week))
        .where(col(EditionRow.source) == CONSENSUS)
        .order_by(col(EditionRow.sample), open_last, *NEWEST_FIRST)
        .limit(1)
    )
    values = {"this_week": iso_week(day, day)}
    week: str | None = session.connection().scalar(query, values)
    return week


def of_week(session: Session, week: str, most_disputed: int) -> Consensus | None:
    """Return the consensus of an ISO week, `None` where it has none."""
    query = select(EditionRow).where(
        col(EditionRow.source) == CONSENSUS, col(EditionRow.week) == week
    )
    row = session.connection().execute(query).mappings().one_or_none()
    if row is None:
        return None
    papers = fuse(refresh.votes_of_week(session, week))
    ranks = {paper: rank for rank, paper in enumerate(papers, start=1)}
    named = _mentions(session, papers)
    placed = {paper: Placed(rank, named[paper]) for paper, rank in ranks.items()}
    return Consensus(
        edition=edition_record(row),
        papers=tuple(placed.values()),
        disputed=tuple(placed[paper] for paper in disputed(papers, most_disputed)),
    )


def _mentions(session: Session, papers: Sequence[Fused]) -> dict[Fused, tuple[Mention, ...]]:
    entries = [vote.entry for paper in papers for vote in paper.votes]
    found = iter(mentions.of_entries(session, entries))
    return {paper: tuple(next(found) for _ in paper.votes) for paper in papers}


def others(session: Session, edition_id: int) -> tuple[tuple[str, str], ...]:
    """Return the refs of a consensus' papers that it doesn't show, each with the one it does."""
    found = session.connection().execute(_OTHERS, {"edition": edition_id})
    return tuple((other, shown) for other, shown in found)


_SHOWN, _ITS = aliased(EntryRow, name="shown"), aliased(EditionRow, name="its")
_OTHERS = (
    select(col(EntryRow.ref), col(_SHOWN.ref))
    .select_from(ConsensusRankRow)
    .join(_SHOWN, col(_SHOWN.id) == col(ConsensusRankRow.entry_id))
    .join(_ITS, col(_ITS.id) == col(ConsensusRankRow.edition_id))
    .join(
        EntryRow,
        (col(EntryRow.paper_id) == col(_SHOWN.paper_id)) & (col(EntryRow.id) != col(_SHOWN.id)),
    )
    .join(
        EditionRow,
        (col(EditionRow.id) == col(EntryRow.edition_id)) & (col(EditionRow.week) == col(_ITS.week)),
    )
    .where(col(ConsensusRankRow.edition_id) == bindparam("edition"))
    .order_by(col(EntryRow.ref), col(_SHOWN.ref))
)
