"""Manual overrides of the grouping: records, read and written.

A separation is stored among the splits, as its two refs with a blank between them, which no ref
contains.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select
from sqlmodel import Session, col

from store.database.statements import insert_new
from store.tables.library import PaperMergeRow, PaperSplitRow


@dataclass(frozen=True, slots=True)
class Merge:
    """A manual override: two papers are one.

    Each has a name that outlasts database rows: `arxiv:2501.12948`, `doi:10.1000/1`,
    `title:2025:sparse attention`, or `entry:dair:2026-01-05#3` for an entry that was split off.
    """

    one: str
    other: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Split:
    """A manual override: the entry of a ref is joined with no other except by a merge."""

    ref: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Separation:
    """A manual override: the entries of two refs are of two papers, however similar they are."""

    one: str
    other: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ManualOverrides:
    """All manual overrides, oldest first."""

    merges: tuple[Merge, ...] = ()
    splits: tuple[Split, ...] = ()
    separations: tuple[Separation, ...] = ()


def read(session: Session) -> ManualOverrides:
    """Return all manual overrides, oldest first."""
    connection = session.connection()
    merges = select(PaperMergeRow).order_by(
        col(PaperMergeRow.at), col(PaperMergeRow.one), col(PaperMergeRow.other)
    )
    splits = select(PaperSplitRow).order_by(col(PaperSplitRow.at), col(PaperSplitRow.ref))
    named = [(row.ref.split(" "), row.at) for row in connection.execute(splits)]
    return ManualOverrides(
        tuple(Merge(row.one, row.other, row.at) for row in connection.execute(merges)),
        tuple(Split(refs[0], at) for refs, at in named if len(refs) == 1),
        tuple(Separation(refs[0], refs[1], at) for refs, at in named if len(refs) > 1),
    )


def add_merge(session: Session, merge: Merge) -> None:
    """Store a merge, once."""
    new = insert_new(session, PaperMergeRow)
    session.connection().execute(new, {"one": merge.one, "other": merge.other, "at": merge.at})


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
