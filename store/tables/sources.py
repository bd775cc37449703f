"""The tables of sources that are fetched, of their addresses, and of jobs."""

from datetime import datetime, time

from sqlalchemy import Boolean, Column, UniqueConstraint, false
from sqlmodel import Field, SQLModel

from store.database.types import Instant


class FollowedSourceRow(SQLModel, table=True):
    """A source that is fetched from its addresses while it is enabled.

    `weekday` (Monday is 0) and `hour` are when in UTC it usually has news: every day where the
    weekday is `None`, unknown where both are.
    """

    __tablename__ = "followed_source"

    source: str = Field(foreign_key="source.slug", primary_key=True)
    enabled: bool
    weekday: int | None
    hour: time | None


class SourceAddressRow(SQLModel, table=True):
    """An address of a source, and the result of its last fetch.

    `kind` is the kind of its documents, `None` where each is detected. `etag` and `last_modified`
    are the server's for the document imported last. `tried_at` is the last fetch, `fetched_at` the
    last that succeeded, and `failing_since` the first failure after that, with the last `error` in
    words; without `failing_since` the error is about parts of a document whose rest was imported.
    A `predefined` address came with the program.
    """

    __tablename__ = "source_address"
    __table_args__ = (UniqueConstraint("source", "url"),)

    id: int = Field(default=None, primary_key=True)
    source: str = Field(foreign_key="followed_source.source")
    kind: str | None
    url: str
    etag: str | None
    last_modified: str | None
    tried_at: datetime | None = Field(sa_column=Column(Instant))
    fetched_at: datetime | None = Field(sa_column=Column(Instant))
    failing_since: datetime | None = Field(sa_column=Column(Instant))
    error: str | None
    predefined: bool = Field(sa_column=Column(Boolean, nullable=False, server_default=false()))


class JobRow(SQLModel, table=True):
    """A job that one process at a time runs again and again, such as fetching a source.

    It is due at `next_at`, by the system clock. `owner` is the process that runs it, and
    `fencing_token` counts its steps, so that one with an older token is rejected. `failures` counts
    failures in a row.
    """

    __tablename__ = "job"

    name: str = Field(primary_key=True)
    owner: str | None
    fencing_token: int = 0
    next_at: datetime = Field(sa_column=Column(Instant, nullable=False))
    failures: int = 0
