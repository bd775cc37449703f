"""arXiv metadata of papers, by arXiv id, and which ids to fetch next."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from typing import Final

from sqlalchemy import (
    ColumnElement,
    case,
    exists,
    false,
    func,
    or_,
    select,
    update,
)
from sqlmodel import Session, col

from store import content_version
from store.database.statements import execute_each, insert_new
from store.library import authors, new_entries
from store.tables.library import ArxivRow, ConsensusRankRow, EditionRow, EntryRow, PaperRow

# An id that arXiv left out so many times in a row is unknown to it.
UNKNOWN_AFTER: Final = 2
# A paper is new while its newest edition ended at most so many days ago; most withdrawals and new
# versions come in that time.
_NEW_FOR = timedelta(days=60)
# Papers are fetched again after so long: new ones, others, and those that arXiv left out once,
# because some of its answers are incomplete.
_NEW_AGAIN = timedelta(days=3)
_AGAIN = timedelta(days=90)
_MISSED_AGAIN = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class ArxivPaper:
    """arXiv's metadata of a paper in its newest version.

    `arxiv_id` is without version; texts are folded to one line. The first of `categories` is the
    primary one. `submitted_at` is the time of the first version, `updated_at` of the newest.
    """

    arxiv_id: str
    version: int
    title: str
    authors: tuple[str, ...]
    abstract: str
    categories: tuple[str, ...]
    submitted_at: datetime
    updated_at: datetime
    comment: str | None = None
    journal_ref: str | None = None
    doi: str | None = None
    withdrawn: bool = False


# Of rows of `entry`: whether their paper was withdrawn from arXiv.
IS_WITHDRAWN: Final[ColumnElement[bool]] = (
    exists()
    .where(
        col(PaperRow.id) == col(EntryRow.paper_id), col(PaperRow.arxiv_id) == col(ArxivRow.arxiv_id)
    )
    .where(col(ArxivRow.withdrawn))
    .correlate(EntryRow)
    .label("withdrawn")
)

_FIELDS = tuple(ArxivPaper.__dataclass_fields__)
_KNOWN = select(*(getattr(ArxivRow, name) for name in _FIELDS)).where(
    col(ArxivRow.checked_at).is_not(None)
)


def of_paper(session: Session, paper_id: int) -> ArxivPaper | None:
    """Return a paper's metadata, `None` if it was not fetched yet or arXiv does not know it."""
    query = _KNOWN.join(PaperRow, col(PaperRow.arxiv_id) == col(ArxivRow.arxiv_id))
    row = session.connection().execute(query.where(col(PaperRow.id) == paper_id)).one_or_none()
    return ArxivPaper(*row) if row else None


def known(session: Session, ids: Collection[str] | None = None) -> dict[str, ArxivPaper]:
    """Return metadata by arXiv id: of all papers, or of at most some 100 ids."""
    query = _KNOWN if ids is None else _KNOWN.where(col(ArxivRow.arxiv_id).in_(ids))
    return {row.arxiv_id: ArxivPaper(*row) for row in session.connection().execute(query)}


def due(session: Session, now: datetime, today: date, most: int) -> list[str]:
    """Return the arXiv ids to fetch, the most urgent first.

    Ids never fetched come first, then those that arXiv left out last time, then new papers; within
    each those of the newest editions. An unknown id is fetched again as rarely as an old one.
    `today` is the day that editions are compared with, `now` the time by the system clock.
    """
    asked_at, misses = col(ArxivRow.asked_at), col(ArxivRow.misses)
    last_day = func.max(col(EditionRow.last_day))
    is_missed = misses.between(1, UNKNOWN_AFTER - 1)
    is_new = (misses == 0) & (last_day >= today - _NEW_FOR)
    query = (
        select(col(PaperRow.arxiv_id))
        .join(EntryRow, col(EntryRow.paper_id) == col(PaperRow.id))
        .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
        .outerjoin(ArxivRow, col(ArxivRow.arxiv_id) == col(PaperRow.arxiv_id))
        .where(col(PaperRow.arxiv_id).is_not(None), col(EditionRow.sample) == false())
        .group_by(col(PaperRow.arxiv_id), asked_at, misses)
        .having(
            or_(
                asked_at.is_(None),
                asked_at > now,  # stored while the clock was wrong
                is_missed & (asked_at < now - _MISSED_AGAIN),
                is_new & (asked_at < now - _NEW_AGAIN),
                asked_at < now - _AGAIN,
            )
        )
        .order_by(
            case((asked_at.is_(None), 0), (is_missed, 1), (is_new, 2), else_=3),
            last_day.desc(),
            col(PaperRow.arxiv_id),
        )
    )
    return [each for each in session.connection().scalars(query.limit(most)) if each]


def store_answers(
    session: Session,
    ids: Sequence[str],
    papers: Collection[ArxivPaper],
    now: datetime,
    changed_at: datetime,
) -> bool:
    """Store arXiv's answer for some ids; return whether anything in it is new.

    If a paper was withdrawn, or is no longer, its editions count as changed, so that posts of them
    are corrected.
    `papers` are the metadata returned, of all or some of the ids. `now` is by the system clock,
    `changed_at` the same by the clock that editions go by.
    """
    connection = session.connection()
    before = known(session, ids)
    new = [{"arxiv_id": arxiv_id, "asked_at": now, "misses": 0} for arxiv_id in ids]
    execute_each(connection, insert_new(session, ArxivRow), new)
    answered = {paper.arxiv_id: paper for paper in papers}
    missed = update(ArxivRow).where(col(ArxivRow.arxiv_id).in_(set(ids) - answered.keys()))
    connection.execute(missed.values(asked_at=now, misses=col(ArxivRow.misses) + 1))
    for arxiv_id, paper in answered.items():
        this = update(ArxivRow).where(col(ArxivRow.arxiv_id) == arxiv_id)
        facts = {**asdict(paper), "asked_at": now, "checked_at": now, "misses": 0}
        connection.execute(this.values(facts))
    authors.index_authors(
        session,
        {arxiv_id: paper.authors for arxiv_id, paper in before.items()},
        {paper.arxiv_id: paper.authors for paper in papers},
    )
    new_entries.authors_arrived(
        session,
        {
            paper.arxiv_id
            for paper in papers
            if paper.authors and not (paper.arxiv_id in before and before[paper.arxiv_id].authors)
        },
    )
    news = [paper for paper in papers if before.get(paper.arxiv_id) != paper]
    if news:
        content_version.touch(session)
    withdrawn = {arxiv_id for arxiv_id, paper in before.items() if paper.withdrawn}
    flipped = [paper.arxiv_id for paper in news if paper.withdrawn != (paper.arxiv_id in withdrawn)]
    if flipped:
        of_ids = select(col(PaperRow.id)).where(col(PaperRow.arxiv_id).in_(flipped))
        _change_editions(session, col(EntryRow.paper_id).in_(of_ids), changed_at)
    return bool(news)


def touch_renamed(
    session: Session, ids: Mapping[int, tuple[str | None, str | None]], changed_at: datetime
) -> None:
    """Mark the editions of entries as changed whose papers are now withdrawn, or no longer.

    `ids` are the arXiv ids of each entry's paper, before and after.
    """
    if not ids:
        return
    either = {arxiv_id for both in ids.values() for arxiv_id in both if arxiv_id is not None}
    query = select(col(ArxivRow.arxiv_id)).where(
        col(ArxivRow.withdrawn), col(ArxivRow.arxiv_id).in_(either)
    )
    withdrawn = set(session.connection().scalars(query))
    if flipped := [
        entry for entry, (old, new) in ids.items() if (old in withdrawn) != (new in withdrawn)
    ]:
        _change_editions(session, col(EntryRow.id).in_(flipped), changed_at)


def _change_editions(session: Session, entries: ColumnElement[bool], at: datetime) -> None:
    """Mark all editions of some entries as changed, and each consensus that shows one."""
    connection = session.connection()
    rows = connection.execute(
        select(col(EntryRow.id), col(EntryRow.edition_id)).where(entries)
    ).all()
    consensuses = select(col(ConsensusRankRow.edition_id)).where(
        col(ConsensusRankRow.entry_id).in_([row.id for row in rows])
    )
    editions = {*(row.edition_id for row in rows), *connection.scalars(consensuses)}
    changed = update(EditionRow).where(col(EditionRow.id).in_(editions))
    connection.execute(changed.values(changed_at=at))
