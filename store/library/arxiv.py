"""What arXiv says of papers, under their arXiv ids, and which of them it is to be asked about."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Date,
    and_,
    bindparam,
    case,
    exists,
    false,
    func,
    or_,
    select,
    text,
    update,
)
from sqlmodel import Session, col

from store import content_version
from store.database.types import Instant
from store.tables.library import ArxivRow, ConsensusRankRow, EditionRow, EntryRow, PaperRow

# So many times in a row arXiv says nothing of an id that it does not know.
UNKNOWN: Final = 2
# A paper is new while an edition has it that ended so many days ago at most; most withdrawals and
# new versions come in that time.
_NEW_FOR = timedelta(days=60)
# After so long papers are asked about again: new ones, the others, and those that arXiv said
# nothing of once, for it gives answers at times from which some are missing.
_NEW_AGAIN = timedelta(days=3)
_AGAIN = timedelta(days=90)
_MISSED_AGAIN = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class ArxivPaper:
    """What arXiv says of a paper in its newest version.

    `arxiv_id` is without that; texts are folded to one line. The first of `categories` is the
    primary one. `submitted_at` is when the first version came, `updated_at` the newest.
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


def of_paper(session: Session, paper_id: int) -> ArxivPaper | None:
    """Return what arXiv says of a paper, `None` where it did not yet, or does not know it."""
    query = _KNOWN.join(PaperRow, col(PaperRow.arxiv_id) == col(ArxivRow.arxiv_id))
    row = session.connection().execute(query.where(col(PaperRow.id) == paper_id)).one_or_none()
    return _record(row) if row else None


def known(session: Session, ids: Collection[str] | None = None) -> dict[str, ArxivPaper]:
    """Return what arXiv says of papers by their ids: of all of them, or of at most some 100."""
    query = _KNOWN if ids is None else _KNOWN.where(col(ArxivRow.arxiv_id).in_(ids))
    return {row.arxiv_id: _record(row) for row in session.connection().execute(query)}


def due(session: Session, now: datetime, today: date, most: int) -> list[str]:
    """Return the ids that arXiv is to be asked about, the most urgent first.

    Those never asked about come first, then those that it said nothing of the last time, each
    beginning with the newest editions. One that it said nothing of twice rests like the old ones.

    Args:
        session: where they are stored.
        now: the time, by the clock that no setting moves.
        today: the day that editions are compared with.
        most: how many to return.
    """
    values = {
        "now": now,
        "new_since": today - _NEW_FOR,
        "new_before": now - _NEW_AGAIN,
        "missed_before": now - _MISSED_AGAIN,
        "before": now - _AGAIN,
    }
    return list(session.connection().scalars(_DUE.limit(most), values))


def note(
    session: Session,
    asked: Sequence[str],
    told: Collection[ArxivPaper],
    now: datetime,
    changed_at: datetime,
) -> bool:
    """Note what arXiv said when it was asked about some ids; return whether that was any news.

    Where a paper was withdrawn, or is no longer, its editions are changed, and with them what was
    posted of them.

    Args:
        session: where it is stored.
        asked: the ids.
        told: what it said, of all or some of them.
        now: the time, by the clock that no setting moves.
        changed_at: the same by the clock that editions go by.
    """
    connection = session.connection()
    before = known(session, asked)
    connection.execute(_ADD, [{"arxiv_id": each, "asked_at": now} for each in asked])
    silent = set(asked) - {paper.arxiv_id for paper in told}
    if silent:
        connection.execute(_MISS, [{"of": each, "at": now} for each in silent])
    news = [paper for paper in told if before.get(paper.arxiv_id) != paper]
    if told:
        connection.execute(_TELL, [_values(paper, now) for paper in told])
    if news:
        content_version.touch(session)
    flipped = [paper.arxiv_id for paper in news if paper.withdrawn != _was_withdrawn(before, paper)]
    if flipped:
        papers = select(col(PaperRow.id)).where(col(PaperRow.arxiv_id).in_(flipped))
        _change_editions(session, col(EntryRow.paper_id).in_(papers), changed_at)
    return bool(news)


def _was_withdrawn(before: dict[str, ArxivPaper], paper: ArxivPaper) -> bool:
    return paper.arxiv_id in before and before[paper.arxiv_id].withdrawn


def rename(
    session: Session, ids: Mapping[int, tuple[str | None, str | None]], changed_at: datetime
) -> None:
    """Say that the editions of some entries changed where their papers are withdrawn by that.

    Or are no longer: the papers go by other arXiv ids than before.

    Args:
        session: where they are stored.
        ids: by entry, the id that its paper had and the one that it has.
        changed_at: when that changed, by the clock that editions go by.
    """
    if not ids:
        return
    named = {each for both in ids.values() for each in both if each is not None}
    query = select(col(ArxivRow.arxiv_id)).where(
        col(ArxivRow.withdrawn), col(ArxivRow.arxiv_id).in_(named)
    )
    withdrawn = set(session.connection().scalars(query))
    if flipped := [
        entry for entry, (old, new) in ids.items() if (old in withdrawn) != (new in withdrawn)
    ]:
        _change_editions(session, col(EntryRow.id).in_(flipped), changed_at)


def _change_editions(session: Session, of: ColumnElement[bool], at: datetime) -> None:
    """Say that all editions of some entries changed, and those that are fused of them."""
    connection = session.connection()
    entries = connection.execute(select(col(EntryRow.id), col(EntryRow.edition_id)).where(of)).all()
    fused = select(col(ConsensusRankRow.edition_id)).where(
        col(ConsensusRankRow.entry_id).in_([row.id for row in entries])
    )
    editions = {*(row.edition_id for row in entries), *connection.scalars(fused)}
    changed = update(EditionRow).where(col(EditionRow.id).in_(editions))
    connection.execute(changed.values(changed_at=at))


_FIELDS = tuple(ArxivPaper.__dataclass_fields__)
_KNOWN = select(*(getattr(ArxivRow, name) for name in _FIELDS)).where(
    col(ArxivRow.checked_at).is_not(None)
)
_LAST_DAY = func.max(col(EditionRow.last_day))
_NEVER = col(ArxivRow.asked_at).is_(None)
_MISSED = col(ArxivRow.misses).between(1, UNKNOWN - 1)
_IS_NEW = (col(ArxivRow.misses) == 0) & (bindparam("new_since", type_=Date()) <= _LAST_DAY)
_DUE = (
    select(col(PaperRow.arxiv_id))
    .join(EntryRow, col(EntryRow.paper_id) == col(PaperRow.id))
    .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
    .outerjoin(ArxivRow, col(ArxivRow.arxiv_id) == col(PaperRow.arxiv_id))
    .where(col(PaperRow.arxiv_id).is_not(None), col(EditionRow.sample) == false())
    .group_by(col(PaperRow.arxiv_id), col(ArxivRow.asked_at), col(ArxivRow.misses))
    .having(
        or_(
            _NEVER,
            # Noted while the clock was wrong.
            col(ArxivRow.asked_at) > bindparam("now", type_=Instant()),
            and_(_MISSED, col(ArxivRow.asked_at) < bindparam("missed_before", type_=Instant())),
            and_(_IS_NEW, col(ArxivRow.asked_at) < bindparam("new_before", type_=Instant())),
            col(ArxivRow.asked_at) < bindparam("before", type_=Instant()),
        )
    )
    .order_by(
        case((_NEVER, 0), (_MISSED, 1), (_IS_NEW, 2), else_=3),
        _LAST_DAY.desc(),
        col(PaperRow.arxiv_id),
    )
)
_ADD = text(
    "INSERT INTO arxiv (arxiv_id, asked_at, misses) VALUES (:arxiv_id, :asked_at, 0)"
    " ON CONFLICT DO NOTHING"
).bindparams(bindparam("asked_at", type_=Instant()))
_MISS = (
    update(ArxivRow)
    .where(col(ArxivRow.arxiv_id) == bindparam("of"))
    .values(asked_at=bindparam("at"), misses=col(ArxivRow.misses) + 1)
)
_TELL = (
    update(ArxivRow)
    .where(col(ArxivRow.arxiv_id) == bindparam("of"))
    .values(
        {name: bindparam(f"is_{name}") for name in _FIELDS if name != "arxiv_id"}
        | {"asked_at": bindparam("at"), "checked_at": bindparam("at"), "misses": 0}
    )
)


def _record(row: Iterable[Any]) -> ArxivPaper:
    return ArxivPaper(*row)


def _values(paper: ArxivPaper, now: datetime) -> dict[str, Any]:
    values = {f"is_{name}": value for name, value in asdict(paper).items() if name != "arxiv_id"}
    return values | {"of": paper.arxiv_id, "at": now}
