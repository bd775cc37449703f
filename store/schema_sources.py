"""The tables of what is followed: which sources are fetched, and from where."""

from datetime import datetime

from sqlalchemy import Column, UniqueConstraint
from sqlmodel import Field, SQLModel

from store.types import Instant


class FollowedRow(SQLModel, table=True):
    """A source that is fetched, while it is enabled, from its addresses."""

    __tablename__ = "followed"

    source: str = Field(foreign_key="source.slug", primary_key=True)
    enabled: bool


class AddressRow(SQLModel, table=True):
    """Where a source is fetched from, and what came of it last.

    `kind` is what is found there, `None` where each document is to say so itself. `etag` and
    `last_modified` are what the server said of what was taken in last. `tried_at` is when it was
    last fetched, `fetched_at` when that last went well, and `failing_since` when it first went
    wrong after that, with the last `error` in words.
    """

    __tablename__ = "address"
    __table_args__ = (UniqueConstraint("source", "url"),)

    id: int | None = Field(default=None, primary_key=True)
    source: str = Field(foreign_key="followed.source")
    kind: str | None
    url: str
    etag: str | None
    last_modified: str | None
    tried_at: datetime | None = Field(sa_column=Column(Instant))
    fetched_at: datetime | None = Field(sa_column=Column(Instant))
    failing_since: datetime | None = Field(sa_column=Column(Instant))
    error: str | None
