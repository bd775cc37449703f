"""The tables that coordinate processes: jobs, leases, rate limits, request claims."""

from datetime import datetime

from sqlalchemy import Column
from sqlmodel import Field, SQLModel

from store.database.types import Instant


class LeaseRow(SQLModel, table=True):
    """A lease on work that one process does for all, such as holding Discord's gateway.

    `owner` is that process, `None` where the lease is free; it counts `heartbeat` up. Each process
    that takes part has a row of the same kind.
    """

    __tablename__ = "lease"

    name: str = Field(primary_key=True)
    owner: str | None
    heartbeat: int = 0


class RateLimitRow(SQLModel, table=True):
    """A rate limit of a platform, shared by all processes.

    `free_at` is when the next request may be sent; until `slow_until` fewer are sent, because the
    platform refused one. Both are by the database's clock.
    """

    __tablename__ = "rate_limit"

    key: str = Field(primary_key=True)
    free_at: datetime = Field(sa_column=Column(Instant, nullable=False, index=True))
    slow_until: datetime | None = Field(sa_column=Column(Instant))


class SchemaSupportRow(SQLModel, table=True):
    """One row: the oldest program that may use this schema, by the newest revision it knows."""

    __tablename__ = "schema_support"

    oldest: str = Field(primary_key=True)


class RequestClaimRow(SQLModel, table=True):
    """The key of a request that was carried out, and when."""

    __tablename__ = "request_claim"

    key: str = Field(primary_key=True)
    claimed_at: datetime = Field(sa_column=Column(Instant, nullable=False, index=True))


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
