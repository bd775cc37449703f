"""Refs of papers: those of their entries; a paper without entries has `gone:` and its id."""

from sqlalchemy import select
from sqlmodel import Session, col

from store.library.editions import NEWEST_FIRST
from store.tables.library import EditionRow, EntryRow, PaperRow

_GONE = "gone:"
_MOST_DIGITS = 9  # of an id, which Postgres keeps in four bytes


def find(session: Session, ref: str) -> tuple[int, int | None] | None:
    """Return the ids of a paper and of the entry that a ref names, `None` where it names none.

    Where editions use one ref for two papers it is the newest one's.
    """
    if ref.startswith(_GONE):
        number = ref.removeprefix(_GONE)
        is_id = number.isascii() and number.isdecimal() and len(number) <= _MOST_DIGITS
        known = select(col(PaperRow.id)).where(col(PaperRow.id) == int(number if is_id else 0))
        paper = session.connection().scalar(known)
        return None if paper is None else (paper, None)
    query = (
        select(col(EntryRow.paper_id), col(EntryRow.id))
        .join(EditionRow, col(EditionRow.id) == col(EntryRow.edition_id))
        .where(col(EntryRow.ref) == ref)
        .order_by(*NEWEST_FIRST, col(EntryRow.position))
    )
    row = session.connection().execute(query.limit(1)).one_or_none()
    return row and (row.paper_id, row.id)


def gone_ref(paper: int) -> str:
    """Return the ref of a paper without entries."""
    return f"{_GONE}{paper}"
