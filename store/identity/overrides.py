"""Reading and writing manual overrides.

A separation is stored among the splits, as its two refs with a blank between them, which no ref
contains.
"""

from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select, text
from sqlmodel import Session, col

from store.database.types import Instant
from store.identity.identifiers import ManualOverrides, Merge, Separation, Split
from store.tables.library import PaperMergeRow, PaperSplitRow

_MERGES = select(PaperMergeRow).order_by(
    col(PaperMergeRow.at), col(PaperMergeRow.one), col(PaperMergeRow.other)
)
_SPLITS = select(PaperSplitRow).order_by(col(PaperSplitRow.at), col(PaperSplitRow.ref))
_ADD_MERGE = text(
    "INSERT INTO paper_merge (one, other, at) VALUES (:one, :other, :at)"
    " ON CONFLICT (one, other) DO NOTHING"
).bindparams(bindparam("at", type_=Instant()))


def read(session: Session) -> ManualOverrides:
    """Return all manual overrides, oldest first."""
    connection = session.connection()
    splits = [(row.ref.split(" "), row.at) for row in connection.execute(_SPLITS)]
    return ManualOverrides(
        tuple(Merge(row.one, row.other, row.at) for row in connection.execute(_MERGES)),
        tuple(Split(refs[0], at) for refs, at in splits if len(refs) == 1),
        tuple(Separation(refs[0], refs[1], at) for refs, at in splits if len(refs) > 1),
    )


def add_merge(session: Session, merge: Merge) -> None:
    """Store a merge, once."""
    values = {"one": merge.one, "other": merge.other, "at": merge.at}
    session.connection().execute(_ADD_MERGE, values)


def drop_merge(session: Session, merge: Merge) -> None:
    """Delete a merge."""
    same = (col(PaperMergeRow.one) == merge.one) & (col(PaperMergeRow.other) == merge.other)
    session.connection().execute(delete(PaperMergeRow).where(same))


def add_split(session: Session, ref: str, now: datetime) -> None:
    """Store that the entry of a ref is joined with no other."""
    session.connection().execute(insert(PaperSplitRow).values(ref=ref, at=now))


def drop_split(session: Session, ref: str) -> None:
    """Delete the split of a ref."""
    session.connection().execute(delete(PaperSplitRow).where(col(PaperSplitRow.ref) == ref))


def add_separation(session: Session, separation: Separation) -> None:
    """Store that the entries of two refs are of two papers."""
    add_split(session, _both_refs(separation), separation.at)


def drop_separation(session: Session, separation: Separation) -> None:
    """Delete a separation."""
    drop_split(session, _both_refs(separation))


def _both_refs(separation: Separation) -> str:
    return " ".join(sorted((separation.one, separation.other)))
