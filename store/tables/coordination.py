"""The tables of several processes on one store: who does what, and what is left of limits."""

from datetime import datetime

from sqlalchemy import Column
from sqlmodel import Field, SQLModel

from store.database.types import Instant


class LeaseRow(SQLModel, table=True):
    """Something that one process does for all, such as holding Discord's gateway.

    `owner` is that process, `None` where nobody does it, and `heartbeat` counts its signs of life.
    Processes that would do it have a row each of the same kind.
    """

    __tablename__ = "lease"

    name: str = Field(primary_key=True)
    owner: str | None
    heartbeat: int = 0


class RateLimitRow(SQLModel, table=True):
    """What is left of a platform's limit, as all processes use it.

    `free_at` is when the next request may leave that counts in it, `slow_until` until when
    fewer of them do: the platform refused one. Both by the database's clock.
    """

    __tablename__ = "rate_limit"

    key: str = Field(primary_key=True)
    free_at: datetime = Field(sa_column=Column(Instant, nullable=False, index=True))
    slow_until: datetime | None = Field(sa_column=Column(Instant))


class SchemaSupportRow(SQLModel, table=True):
    """One row: the oldest program, by the newest revision it knows, that may use this schema."""

    __tablename__ = "schema_support"

    oldest: str = Field(primary_key=True)


class RequestClaimRow(SQLModel, table=True):
    """A name under which something was done once, and when."""

    __tablename__ = "request_claim"

    key: str = Field(primary_key=True)
    claimed_at: datetime = Field(sa_column=Column(Instant, nullable=False, index=True))
