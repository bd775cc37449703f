"""The tables of what people keep for themselves: their lists, what they have seen, their votes.

Papers are kept by the ref of an entry, which outlasts imports: which paper an entry is of may
change, and where an import gives the ref to another, what is kept moves
(`store.imports.follow_papers`). All of it goes with the person, and that with the workspace:
programs that know nothing of these tables may drop either.
"""

from datetime import datetime

from sqlalchemy import Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from store.database.types import Instant


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


class SavedRow(SQLModel, table=True):
    """A paper on somebody's list, with its title at the time and a note of theirs."""

    __tablename__ = "saved"

    person_id: int = Field(foreign_key="person.id", ondelete="CASCADE", primary_key=True)
    ref: str = Field(primary_key=True, index=True)
    title: str
    at: datetime = Field(sa_column=Column(Instant, nullable=False))
    note: str | None


class BriefRow(SQLModel, table=True):
    """A brief that somebody asked for, and the minutes that it was to take."""

    __tablename__ = "brief"

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", ondelete="CASCADE", index=True)
    minutes: int
    at: datetime = Field(sa_column=Column(Instant, nullable=False))


class SeenRow(SQLModel, table=True):
    """A paper that somebody opened, or that a brief listed: at `position` of `brief_id`."""

    __tablename__ = "seen"

    person_id: int = Field(foreign_key="person.id", ondelete="CASCADE", primary_key=True)
    ref: str = Field(primary_key=True, index=True)
    at: datetime = Field(sa_column=Column(Instant, nullable=False))
    brief_id: int | None = Field(foreign_key="brief.id", ondelete="CASCADE", index=True)
    position: int | None


class PersonalCommandStringRow(SQLModel, table=True):
    """A command line of somebody's own under its digest, and when it was last kept."""

    __tablename__ = "personal_command_string"

    person_id: int = Field(foreign_key="person.id", ondelete="CASCADE", primary_key=True)
    digest: str = Field(primary_key=True, index=True)
    command: str
    kept_at: datetime = Field(sa_column=Column(Instant, nullable=False, index=True))


class VoteRow(SQLModel, table=True):
    """A person's vote for a paper, which counts in one workspace."""

    __tablename__ = "vote"
    __table_args__ = (
        Index("ix_vote_workspace_id_ref", "workspace_id", "ref"),
        Index("ix_vote_ref_workspace_id", "ref", "workspace_id"),
    )

    person_id: int = Field(foreign_key="person.id", ondelete="CASCADE", primary_key=True)
    workspace_id: int = Field(foreign_key="workspace.id", ondelete="CASCADE", primary_key=True)
    ref: str = Field(primary_key=True)
    at: datetime = Field(sa_column=Column(Instant, nullable=False))
