"""The tables of what is followed: which sources are fetched, from where, and who is at it."""

from datetime import datetime, time

from sqlalchemy import Boolean, Column, UniqueConstraint, false
from sqlmodel import Field, SQLModel

from store.database.types import Instant


class FollowedSourceRow(SQLModel, table=True):
    """A source that is fetched, while it is enabled, from its addresses.

    `weekday` (Monday is 0) and `hour` are when in UTC it usually has news: on every day where the
    weekday is `None`, and nobody knows when where both are.
    """

    __tablename__ = "followed_source"

    source: str = Field(foreign_key="source.slug", primary_key=True)
    enabled: bool
    weekday: int | None
    hour: time | None


class SourceAddressRow(SQLModel, table=True):
    """Where a source is fetched from, and what came of it last.

    `kind` is what is found there, `None` where each document is to say so itself. `etag` and
    `last_modified` are what the server said of what was taken in last. `tried_at` is when it was
    last fetched, `fetched_at` when that last went well, and `failing_since` when it first went
    wrong after that, with the last `error` in words; without `failing_since` that is what was left
    of a document which was taken in otherwise. One that is `predefined` came with the
    program.
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
    """Something that one process at a time does again and again, such as fetching a source.

    It is due from `next_at` on, by the clock that no setting moves. `owner` is the process that is
    at it, and `fencing_token` counts what was noted of it, so that whoever acts on an older one is
    found out. `failures` is how often in a row it went wrong.
    """

    __tablename__ = "job"

    name: str = Field(primary_key=True)
    owner: str | None
    fencing_token: int = 0
    next_at: datetime = Field(sa_column=Column(Instant, nullable=False))
    failures: int = 0
