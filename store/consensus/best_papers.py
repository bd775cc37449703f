"""The best papers of a period over all sources."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import func, select
from sqlmodel import Session, col

from store.consensus.fusion import by_edition, fuse
from store.consensus.refresh import VOTES, votes_of
from store.library.editions import IS_CLOSED, IS_ORIGINAL, iso_week
from store.tables.library import EditionRow, EntryRow


@dataclass(frozen=True, slots=True)
class Nearest:
    """When the editions end that are the last before a period and the first after it."""

    before: date | None
    after: date | None


def top(
    session: Session, first_day: date, last_day: date, day: date
) -> tuple[tuple[int, ...], ...]:
    """Return the papers of the editions that end in a period, the best first.

    Each edition is a list of its own, so that a paper counts as often as it is featured; what
    still grows on a day (UTC) is left out. Of each paper the entries are returned, by database id,
    the best first.
    """
    query = (
        select(*VOTES)
        .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
        .where(IS_ORIGINAL, IS_CLOSED, col(EditionRow.last_day).between(first_day, last_day))
    )
    rows = session.connection().execute(query, {"this_week": iso_week(day, day)})
    papers = fuse(votes_of(rows), by_edition)
    return tuple(tuple(vote.entry for vote in paper.votes) for paper in papers)


def by_votes(
    papers: Sequence[tuple[int, ...]], votes: Mapping[int, int]
) -> tuple[tuple[int, ...], ...]:
    """Return papers as `top` gives them, those first for which most people voted; pure.

    `votes` are those of papers by the ids of their entries, for papers that have any. Among as many
    votes the order stays.
    """

    def most_first(paper: tuple[int, ...]) -> int:
        return -max(votes.get(entry, 0) for entry in paper)

    return tuple(sorted(papers, key=most_first))


def nearest(session: Session, first_day: date, last_day: date, day: date) -> Nearest:
    """Return when editions end before a period and after it, but for what grows on a day (UTC)."""
    ends, connection = col(EditionRow.last_day), session.connection()
    before = select(func.max(ends)).where(IS_ORIGINAL, IS_CLOSED, ends < first_day)
    after = select(func.min(ends)).where(IS_ORIGINAL, IS_CLOSED, ends > last_day)
    values = {"this_week": iso_week(day, day)}
    return Nearest(connection.scalar(before, values), connection.scalar(after, values))
