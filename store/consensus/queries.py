"""Reading the consensus of a week, and the best papers of a period over all sources."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeAlias

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from store.consensus.fusion import by_edition, disputed, merge_rankings
from store.consensus.refresh import VOTE_COLUMNS, build_votes, votes_of_week
from store.library import mentions
from store.library.editions import (
    IS_ORIGINAL,
    closed_on,
    edition_record,
    in_order,
    is_ahead,
)
from store.records import Edition, Mention
from store.search.filters import EVERYTHING, Filters, conditions
from store.sources import CONSENSUS, precedence
from store.tables.library import ConsensusRankRow, EditionRow, EntryRow

# The first and the last day of a period.
Days: TypeAlias = tuple[date, date]

_WITH_EDITION = select(*VOTE_COLUMNS).join(
    EditionRow, col(EditionRow.id) == col(EntryRow.edition_id)
)


@dataclass(frozen=True, slots=True)
class ConsensusPaper:
    """A paper at its rank in a consensus; `mentions` has the best of each source, best first."""

    rank: int
    mentions: tuple[Mention, ...]

    @property
    def is_agreed(self) -> bool:
        """True if more than one source has the paper."""
        return len(self.mentions) > 1


@dataclass(frozen=True, slots=True)
class Consensus:
    """The consensus of a week.

    `edition` has no entries; `papers` are in order, `disputed` has the most disputed first.
    """

    edition: Edition
    papers: tuple[ConsensusPaper, ...]
    disputed: tuple[ConsensusPaper, ...]

    @property
    def agreed(self) -> tuple[ConsensusPaper, ...]:
        """The papers that more than one source has, in order."""
        return tuple(paper for paper in self.papers if paper.is_agreed)

    @property
    def sources(self) -> tuple[str, ...]:
        """The slugs of the merged sources, by precedence."""
        found = {mention.edition.source for paper in self.papers for mention in paper.mentions}
        return tuple(sorted(found, key=precedence))

    def only_in(self, source: str) -> tuple[ConsensusPaper, ...]:
        """Return the papers that no other source has, in order."""
        return tuple(
            paper
            for paper in self.papers
            if not paper.is_agreed and paper.mentions[0].edition.source == source
        )


@dataclass(frozen=True, slots=True)
class NearestDays:
    """The last days of the last edition before a period and of the first one after it."""

    before: date | None
    after: date | None


def newest_week(session: Session, day: date) -> str | None:
    """Return the newest ISO week with a consensus, a closed one on a day (UTC) if there is any.

    One that lies ahead of the day is none.
    """
    open_last = case((closed_on(day), 0), else_=1)
    query = (
        select(col(EditionRow.week))
        .where(col(EditionRow.source) == CONSENSUS, ~is_ahead(day))
        .order_by(col(EditionRow.sample), open_last, *in_order())
        .limit(1)
    )
    return session.connection().scalar(query)


def of_week(session: Session, week: str, most_disputed: int) -> Consensus | None:
    """Return the consensus of an ISO week, `None` if it has none."""
    query = select(EditionRow).where(
        col(EditionRow.source) == CONSENSUS, col(EditionRow.week) == week
    )
    row = session.connection().execute(query).mappings().one_or_none()
    if row is None:
        return None
    merged = merge_rankings(votes_of_week(session, week))
    entries = [vote.entry for paper in merged for vote in paper.votes]
    found = iter(mentions.of_entries(session, entries))
    papers = {
        paper: ConsensusPaper(rank, tuple(next(found) for _ in paper.votes))
        for rank, paper in enumerate(merged, start=1)
    }
    return Consensus(
        edition=edition_record(row),
        papers=tuple(papers.values()),
        disputed=tuple(papers[paper] for paper in disputed(merged, most_disputed)),
    )


def hidden_refs(session: Session, edition_id: int) -> tuple[tuple[str, str], ...]:
    """Return the refs of a consensus' papers that it doesn't show, each with the one it shows."""
    shown, own = aliased(EntryRow, name="shown"), aliased(EditionRow, name="consensus")
    query = (
        select(col(EntryRow.ref), col(shown.ref))
        .select_from(ConsensusRankRow)
        .join(shown, col(shown.id) == col(ConsensusRankRow.entry_id))
        .join(own, col(own.id) == col(ConsensusRankRow.edition_id))
        .join(
            EntryRow,
            (col(EntryRow.paper_id) == col(shown.paper_id)) & (col(EntryRow.id) != col(shown.id)),
        )
        .join(
            EditionRow,
            (col(EditionRow.id) == col(EntryRow.edition_id))
            & (col(EditionRow.week) == col(own.week)),
        )
        .where(col(ConsensusRankRow.edition_id) == edition_id)
        .order_by(col(EntryRow.ref), col(shown.ref))
    )
    return tuple((row[0], row[1]) for row in session.connection().execute(query))


def best_papers(
    session: Session, period: Days, day: date, filters: Filters = EVERYTHING
) -> tuple[tuple[int, ...], ...]:
    """Return the papers of the editions that end in a period, best first.

    Each edition is a list, so that a paper counts as often as it is featured; editions still open
    on a day (UTC) are left out. A source is a filter of lists; the other filters choose among the
    papers and change no paper's rank. Each paper is given by the database ids of its entries, best
    first.
    """
    of_source = conditions(Filters(source=filters.source))
    in_period = col(EditionRow.last_day).between(*period)
    query = _WITH_EDITION.where(in_period, *_ending(day), *of_source)
    rows = session.connection().execute(query)
    papers = merge_rankings(build_votes(rows), by_edition)
    if others := conditions(replace(filters, source=None)):
        wanted = query.with_only_columns(col(EntryRow.paper_id)).where(*others)
        kept = set(session.connection().scalars(wanted))
        papers = [paper for paper in papers if paper.best.paper in kept]
    return tuple(tuple(vote.entry for vote in paper.votes) for paper in papers)


def order_by_votes(
    papers: Sequence[tuple[int, ...]], votes: Mapping[int, int]
) -> tuple[tuple[int, ...], ...]:
    """Order papers, as `best_papers` returns them, by readers' votes; of as many the order stays.

    `votes` are those of papers by the ids of their entries, for papers that have any. Pure.
    """

    def most_first(paper: tuple[int, ...]) -> int:
        return -max(votes.get(entry, 0) for entry in paper)

    return tuple(sorted(papers, key=most_first))


def nearest_days(
    session: Session, period: Days, day: date, filters: Filters = EVERYTHING
) -> NearestDays:
    """Return the last days of the editions around a period that have a paper wanted.

    Editions open on a day (UTC) are left out, and those that lie ahead of it.
    """
    first_day, last_day = period
    ends, connection = col(EditionRow.last_day), session.connection()
    editions = _WITH_EDITION.where(*_ending(day), ~is_ahead(day), *conditions(filters))
    before = editions.with_only_columns(func.max(ends)).where(ends < first_day)
    after = editions.with_only_columns(func.min(ends)).where(ends > last_day)
    return NearestDays(connection.scalar(before), connection.scalar(after))


def _ending(day: date) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of editions of sources that don't grow any more on a day (UTC)."""
    return IS_ORIGINAL, closed_on(day)
