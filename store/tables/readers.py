"""Tables of people: their papers saved and seen, briefs, votes, alerts and last changes.

A saved paper, a seen paper and a vote belong to a paper (`paper_id`) and remember the entry that
the person saw (`entry_id`), `None` once that entry is gone or is of another paper. How they follow
papers through imports is in `store.library.kept_papers`. All of it goes with the person, and the
person with the workspace. A shared list is a channel's, and goes with that.
"""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from store.database.types import BYTEWISE, Instant, Strings, choice


class PersonRow(SQLModel, table=True):
    """A person, in the workspace that the person's facts belong to.

    Where people are the same in all of a platform's workspaces that is one of their own.
    `welcomed_at` is when the bot explained itself.
    """

    __tablename__ = "person"
    __table_args__ = (UniqueConstraint("workspace_id", "external_id"),)

    id: int = Field(default=None, primary_key=True)
    workspace_id: int = Field(foreign_key="workspace.id", ondelete="CASCADE")
    external_id: str
    welcomed_at: datetime | None = Field(sa_column=Column(Instant))


class SavedPaperRow(SQLModel, table=True):
    """A paper on a person's list, with the title that it was saved under, a note, and its tags."""

    __tablename__ = "saved_paper"

    person_id: int = Field(foreign_key="person.id", ondelete="CASCADE", primary_key=True)
    paper_id: int = Field(foreign_key="paper.id", primary_key=True, index=True)
    entry_id: int | None = Field(foreign_key="entry.id", ondelete="SET NULL", index=True)
    title: str
    saved_at: datetime = Field(sa_column=Column(Instant, nullable=False))
    note: str | None
    tags: tuple[str, ...] = Field(sa_column=Column(Strings, nullable=False, server_default="[]"))


class BriefRow(SQLModel, table=True):
    """A brief that a person asked for, and the minutes that it was to take, 0 of a recap."""

    __tablename__ = "brief"

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", ondelete="CASCADE", index=True)
    minutes: int
    asked_at: datetime = Field(sa_column=Column(Instant, nullable=False))


class SeenPaperRow(SQLModel, table=True):
    """A paper that a person opened, or that was listed to them.

    That was at `position` of the brief `brief_id`, or by the personal digest `delivery_id`.
    `read_at` is when the person said that they have read it.
    """

    __tablename__ = "seen_paper"

    person_id: int = Field(foreign_key="person.id", ondelete="CASCADE", primary_key=True)
    paper_id: int = Field(foreign_key="paper.id", primary_key=True, index=True)
    entry_id: int | None = Field(foreign_key="entry.id", ondelete="SET NULL", index=True)
    seen_at: datetime = Field(sa_column=Column(Instant, nullable=False))
    brief_id: int | None = Field(foreign_key="brief.id", ondelete="CASCADE", index=True)
    position: int | None
    delivery_id: int | None = Field(foreign_key="delivery.id")
    read_at: datetime | None = Field(sa_column=Column(Instant))


class DismissedPaperRow(SQLModel, table=True):
    """A paper that a person wants to see no more of in the personal digest."""

    __tablename__ = "dismissed_paper"

    person_id: int = Field(foreign_key="person.id", ondelete="CASCADE", primary_key=True)
    paper_id: int = Field(foreign_key="paper.id", primary_key=True, index=True)
    entry_id: int | None = Field(foreign_key="entry.id", ondelete="SET NULL", index=True)
    dismissed_at: datetime = Field(sa_column=Column(Instant, nullable=False))


class PersonalCommandStringRow(SQLModel, table=True):
    """A command string of one person under its digest, and when it was last kept."""

    __tablename__ = "personal_command_string"

    person_id: int = Field(foreign_key="person.id", ondelete="CASCADE", primary_key=True)
    digest: str = Field(primary_key=True, index=True)
    command: str
    kept_at: datetime = Field(sa_column=Column(Instant, nullable=False, index=True))


class VoteRow(SQLModel, table=True):
    """A person's vote for a paper, which counts in one workspace."""

    __tablename__ = "vote"
    __table_args__ = (
        Index("ix_vote_workspace_id_paper_id", "workspace_id", "paper_id"),
        Index("ix_vote_paper_id_workspace_id", "paper_id", "workspace_id"),
    )

    person_id: int = Field(foreign_key="person.id", ondelete="CASCADE", primary_key=True)
    workspace_id: int = Field(foreign_key="workspace.id", ondelete="CASCADE", primary_key=True)
    paper_id: int = Field(foreign_key="paper.id", primary_key=True)
    entry_id: int | None = Field(foreign_key="entry.id", ondelete="SET NULL", index=True)
    voted_at: datetime = Field(sa_column=Column(Instant, nullable=False))


class RecentChangeRow(SQLModel, table=True):
    """A change of the last hour: what it `was`, and the `commands` that restore what was before.

    Without these `why` says why it stays. One of a workspace is taken back only there. `request` is
    the platform's id of the request that made it, `undone_by` that of the one that took it back.
    """

    __tablename__ = "recent_change"
    __table_args__ = (UniqueConstraint("person_id", "request"),)

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", ondelete="CASCADE")
    workspace_id: int | None = Field(foreign_key="workspace.id", ondelete="CASCADE", index=True)
    changed_at: datetime = Field(sa_column=Column(Instant, nullable=False))
    was: str
    commands: tuple[str, ...] = Field(sa_type=Strings)
    why: str
    request: str | None
    undone_by: str | None


class _ListFields(SQLModel):
    """A list as it was shown at `listed_at`, and the paper `it`, spoken of last at `it_at`."""

    refs: tuple[str, ...] = Field(sa_type=Strings)
    first: int
    more: str | None
    back: str | None
    command: str | None
    listed_at: datetime | None = Field(sa_type=Instant)
    it: str | None
    it_at: datetime | None = Field(sa_type=Instant)


class SeenListRow(_ListFields, table=True):
    """The list that a person saw last in a place.

    After a day nothing is left of it but its instants, and `first` is 0. Where it began a visit,
    `left_at` is when the person had left before.
    """

    __tablename__ = "seen_list"

    person_id: int = Field(foreign_key="person.id", ondelete="CASCADE", primary_key=True)
    place: str = Field(primary_key=True)
    left_at: datetime | None = Field(sa_column=Column(Instant))


class SharedListRow(_ListFields, table=True):
    """The list that was shared last in a channel."""

    __tablename__ = "shared_list"

    channel_id: int = Field(foreign_key="channel.id", ondelete="CASCADE", primary_key=True)


class NewEntryState(StrEnum):
    """The state of a new entry: its import goes on, it is to be matched, or its authors are due."""

    IMPORTING = "importing"
    READY = "ready"
    WAITING = "waiting"


class AlertRow(SQLModel, table=True):
    """An alert: a person's query, and the channel or direct messages that hear of what it finds.

    `query` is the canonical text, `words` and the filters are its parts. `refusal` says why it can
    no longer be told, `refusal_told` whether the person knows. An id is given once: buttons that
    stop an alert are older than others.
    """

    __tablename__ = "alert"
    __table_args__ = (
        UniqueConstraint("channel_id", "query"),
        {"sqlite_autoincrement": True},
    )

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
