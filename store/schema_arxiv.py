"""The tables of what arXiv says of papers."""

from datetime import datetime

from sqlalchemy import Boolean, Column, false
from sqlmodel import Field, SQLModel

from store.types import BYTEWISE, Instant, Strings


class ArxivRow(SQLModel, table=True):
    """What arXiv says of the paper of an id, which is without version.

    It was last asked at `asked_at`, and last told something at `checked_at`; `misses` is how often
    in a row it was asked and told nothing. The first of `categories` is the primary one. What
    arXiv never told of has no title. All instants but those of the paper's versions go by the
    clock that no setting moves.
    """

    __tablename__ = "arxiv"

    arxiv_id: str = Field(sa_column=Column(BYTEWISE, primary_key=True))
    version: int | None
    title: str | None
    authors: tuple[str, ...] = Field(sa_column=Column(Strings, nullable=False, server_default="[]"))
    abstract: str | None
    categories: tuple[str, ...] = Field(
        sa_column=Column(Strings, nullable=False, server_default="[]")
    )
    submitted_at: datetime | None = Field(sa_column=Column(Instant))
    updated_at: datetime | None = Field(sa_column=Column(Instant))
    comment: str | None
    journal_ref: str | None
    doi: str | None
    withdrawn: bool = Field(sa_column=Column(Boolean, nullable=False, server_default=false()))
    asked_at: datetime = Field(sa_column=Column(Instant, nullable=False))
    checked_at: datetime | None = Field(sa_column=Column(Instant))
    misses: int
