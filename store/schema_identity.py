"""The tables of who is who, as operators said it."""

from datetime import datetime

from sqlalchemy import Column
from sqlmodel import Field, SQLModel

from store.types import Instant


class PaperMergeRow(SQLModel, table=True):
    """Two papers that somebody said are one, each by a name that outlasts its rows."""

    __tablename__ = "paper_merge"

    one: str = Field(primary_key=True)
    other: str = Field(primary_key=True)
    at: datetime = Field(sa_column=Column(Instant, nullable=False))


class PaperSplitRow(SQLModel, table=True):
    """The ref of an entry that somebody said is joined with no other, but for a merge.

    Or two refs, with a blank between them, of entries that are of two papers.
    """

    __tablename__ = "paper_split"

    ref: str = Field(primary_key=True)
    at: datetime = Field(sa_column=Column(Instant, nullable=False))
