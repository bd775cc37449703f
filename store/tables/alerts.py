"""Tables of alerts: stored queries, the papers that they found, and entries not matched yet."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Column, UniqueConstraint
from sqlmodel import Field, SQLModel

from store.database.types import BYTEWISE, Instant, choice


class NewEntryState(StrEnum):
    """The state of a new entry: its import goes on, it is to be matched, or its authors are due."""

    IMPORTING = "importing"
    READY = "ready"
    WAITING = "waiting"


class AlertRow(SQLModel, table=True):
    """An alert: a person's query, and the channel or direct messages that hear of what it finds.

    `query` is the canonical text, `words` and the filters are its parts. `refusal` says why it can
    no longer be told, `refusal_told` whether the person knows.
    """

    __tablename__ = "alert"
    __table_args__ = (UniqueConstraint("channel_id", "query"),)

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", ondelete="CASCADE", index=True)
    channel_id: int = Field(foreign_key="channel.id", index=True)
    query: str
    words: str
    topic: str | None
    source: str | None
    author: str | None
    created_at: datetime = Field(sa_column=Column(Instant, nullable=False))
    refusal: str | None
    remedy: str | None
    refusal_told: bool = False


class AlertKeyRow(SQLModel, table=True):
    """An index of alerts by the keys that a paper needs one of (`store/search/stored_queries`)."""

    __tablename__ = "alert_key"
    __table_args__ = {"sqlite_with_rowid": False}

    key: str = Field(sa_column=Column(BYTEWISE, primary_key=True))
    alert_id: int = Field(foreign_key="alert.id", ondelete="CASCADE", primary_key=True, index=True)


class AlertPaperRow(SQLModel, table=True):
    """A paper that an alert told of, which it does only once.

    `delivery_id` is the delivery that tells, `None` where the preview of a new alert did.
    """

    __tablename__ = "alert_paper"

    alert_id: int = Field(foreign_key="alert.id", ondelete="CASCADE", primary_key=True)
    paper_id: int = Field(foreign_key="paper.id", primary_key=True, index=True)
    entry_id: int | None = Field(foreign_key="entry.id", ondelete="SET NULL", index=True)
    delivery_id: int | None = Field(foreign_key="delivery.id", index=True)
    found_at: datetime = Field(sa_column=Column(Instant, nullable=False))


class NewEntryRow(SQLModel, table=True):
    """An entry that an import added, until alerts are matched against it.

    `imported_at` and `source` name the import. It is kept while the authors of its paper are not
    known.
    """

    __tablename__ = "new_entry"

    entry_id: int = Field(foreign_key="entry.id", ondelete="CASCADE", primary_key=True)
    source: str
    imported_at: datetime = Field(sa_column=Column(Instant, nullable=False))
    state: NewEntryState = Field(
        sa_column=Column(choice(NewEntryState), nullable=False, index=True)
    )
