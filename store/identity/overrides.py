"""What people said of who is who: reading it and writing it down.

That two refs are of two papers stands among the splits, as the two with a blank between them, which
no ref has.
"""

from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select, text
from sqlmodel import Session, col

from store.database.statements import Reader
from store.database.types import Instant
from store.identity.identifiers import Apart, Judgements, Merge, Split
from store.tables.library import PaperMergeRow, PaperSplitRow

_MERGES = select(PaperMergeRow).order_by(
    col(PaperMergeRow.at), col(PaperMergeRow.one), col(PaperMergeRow.other)
)
_ANY = "SELECT 1 FROM paper_merge UNION ALL SELECT 1 FROM paper_split LIMIT 1"
_SPLITS = select(PaperSplitRow).order_by(col(PaperSplitRow.at), col(PaperSplitRow.ref))


_ADD_MERGE = text(
    "INSERT INTO paper_merge (one, other, at) VALUES (:one, :other, :at)"
    " ON CONFLICT (one, other) DO NOTHING"
).bindparams(bindparam("at", type_=Instant()))


def read(session: Session) -> Judgements:
    """Return all that was said, the oldest word first."""
    connection = session.connection()
    if not Reader(connection).rows(_ANY):  # every import asks
        return Judgements()
    splits = [(row.ref.split(" "), row.at) for row in connection.execute(_SPLITS)]
    return Judgements(
        tuple(Merge(row.one, row.other, row.at) for row in connection.execute(_MERGES)),
        tuple(Split(refs[0], at) for refs, at in splits if len(refs) == 1),
        tuple(Apart(refs[0], refs[1], at) for refs, at in splits if len(refs) > 1),
    )


def add_merge(session: Session, merge: Merge) -> None:
    """Write down that two papers are one, once."""
    values = {"one": merge.one, "other": merge.other, "at": merge.at}
    session.connection().execute(_ADD_MERGE, values)


def drop_merge(session: Session, merge: Merge) -> None:
    """Take back that two papers are one."""
    same = (col(PaperMergeRow.one) == merge.one) & (col(PaperMergeRow.other) == merge.other)
    session.connection().execute(delete(PaperMergeRow).where(same))


def add_split(session: Session, ref: str, now: datetime) -> None:
    """Write down that the entry of a ref is joined with no other."""
    session.connection().execute(insert(PaperSplitRow).values(ref=ref, at=now))


def drop_split(session: Session, ref: str) -> None:
    """Take back that the entry of a ref is joined with no other."""
    session.connection().execute(delete(PaperSplitRow).where(col(PaperSplitRow.ref) == ref))


def add_apart(session: Session, apart: Apart) -> None:
    """Write down that the entries of two refs are of two papers."""
    add_split(session, _both(apart), apart.at)


def drop_apart(session: Session, apart: Apart) -> None:
    """Take back that the entries of two refs are of two papers."""
    drop_split(session, _both(apart))


def _both(apart: Apart) -> str:
    return " ".join(sorted((apart.one, apart.other)))
