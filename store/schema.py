"""The tables. Rows never leave `store/`: its functions hand out records.

Table classes of SQLModel skip validation, so nothing from outside is put into one
unchecked: what reaches them went through a draft or a record first.
"""

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, Boolean, Column, Index, UniqueConstraint, false, text
from sqlmodel import Field, SQLModel

from store import (
    schema_arxiv,  # noqa: F401 - fills the metadata with the tables of what arXiv says
    schema_fused,  # noqa: F401 - the same with those of the consensus
    schema_identity,  # noqa: F401 - the same with those of who is who
    schema_members,  # noqa: F401 - the same with those of what people keep for themselves
    schema_posts,  # noqa: F401 - the same with those of posting
    schema_replicas,  # noqa: F401 - the same with those of several processes
    schema_sources,  # noqa: F401 - the same with those of what is followed
)
from store.records import Heading, Highlight, Link
from store.types import BYTEWISE, Instant, Records, Strings


class SourceRow(SQLModel, table=True):
    """A source, under the slug that names it everywhere."""

    __tablename__ = "source"

    slug: str = Field(primary_key=True)
    title: str


class EditionRow(SQLModel, table=True):
    """An edition as computed from all its contributions.

    `week` is its ISO week, 2026-W02. `arrived_at` is when it was first stored, `None` where a
    program did that which did not note it.
    """

    __tablename__ = "edition"
    __table_args__ = (UniqueConstraint("source", "first_day"),)

    id: int | None = Field(default=None, primary_key=True)
    source: str = Field(foreign_key="source.slug")
    kind: str
    title: str
    first_day: date
    last_day: date = Field(index=True)
    week: str = Field(index=True)
    published_on: date | None
    year_rule: str | None
    overview: str | None
    minutes: int | None
    url: str | None
    headings: tuple[Heading, ...] = Field(sa_column=Column(Records(Heading), nullable=False))
    sample: bool = Field(index=True)
    changed_at: datetime = Field(sa_column=Column(Instant, nullable=False))
    arrived_at: datetime | None = Field(sa_column=Column(Instant))


class ContributionRow(SQLModel, table=True):
    """What one kind of document said about an edition, whole and as it said it.

    `digest` is a hash over `facts`, so that an unchanged contribution is known without
    reading it; `facts` is the draft as JSON text.
    """

    __tablename__ = "contribution"

    edition_id: int = Field(foreign_key="edition.id", primary_key=True)
    kind: str = Field(primary_key=True)
    digest: str
    sample: bool
    facts: str
    imported_at: datetime = Field(sa_column=Column(Instant, nullable=False))


class DocumentRow(SQLModel, table=True):
    """A document read before: what its bytes said, so that they need not be parsed again.

    `key` is a hash over the bytes, the options and the parsers' version. `said` lists
    (first day, digest) of each edition in it and the warnings.
    """

    __tablename__ = "document"

    key: str = Field(primary_key=True)
    source: str
    kind: str
    said: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    imported_at: datetime = Field(sa_column=Column(Instant, nullable=False))


class PaperRow(SQLModel, table=True):
    """A paper, by the signs of its entries; `year` is the arXiv id's, else the oldest edition's."""

    __tablename__ = "paper"
    __table_args__ = (Index("ix_paper_title_key_year", "title_key", "year"),)

    id: int | None = Field(default=None, primary_key=True)
    arxiv_id: str | None = Field(sa_column=Column(BYTEWISE, unique=True))
    doi: str | None = Field(unique=True)
    title_key: str
    year: int


class EntryRow(SQLModel, table=True):
    """A paper's place in an edition.

    `title_key` is its title, folded, and `name_key` the name before the title's colon.
    """

    __tablename__ = "entry"
    __table_args__ = (
        UniqueConstraint("edition_id", "ref"),
        *(
            Index(f"ix_entry_{column}", column, sqlite_where=text(f"{column} IS NOT NULL"))
            for column in ("arxiv_id", "doi", "name_key")
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    edition_id: int = Field(foreign_key="edition.id")
    paper_id: int = Field(foreign_key="paper.id", index=True)
    ref: str = Field(index=True)
    position: int
    rank: int | None
    episode: str | None
    title: str
    summary: str | None
    highlights: tuple[Highlight, ...] = Field(sa_column=Column(Records(Highlight), nullable=False))
    heading: str | None
    section: str | None
    links: tuple[Link, ...] = Field(sa_column=Column(Records(Link), nullable=False))
    arxiv_id: str | None
    doi: str | None
    title_key: str = Field(index=True)
    name_key: str | None
    topics: tuple[str, ...] = Field(sa_column=Column(Strings, nullable=False, server_default="[]"))


class EntryTopicRow(SQLModel, table=True):
    """The topics of entries once more, to find entries by."""

    __tablename__ = "entry_topic"

    topic: str = Field(primary_key=True)
    entry_id: int = Field(foreign_key="entry.id", primary_key=True, index=True)


class EntryWordRow(SQLModel, table=True):
    """What an entry is found by while somebody types.

    These are the folded words of its title, and its `ref` in lower case: after a colon, which
    no folded word holds, once whole and once without its source. After `=` and `<` stand the keys
    by which entries are found that may be of its paper (`store/candidate_keys.py`).
    """

    __tablename__ = "entry_word"
    __table_args__ = {"sqlite_with_rowid": False}

    word: str = Field(sa_column=Column(BYTEWISE, primary_key=True))
    entry_id: int = Field(foreign_key="entry.id", primary_key=True, index=True)


class ContentRow(SQLModel, table=True):
    """One row on all that was imported.

    `version` is another token after every change, by which caches tell whether they still
    hold. `rules` names the rules by which topics and indexes were made of the entries.
    """

    __tablename__ = "content"

    id: int = Field(default=1, primary_key=True)
    version: str
    rules: str


class WordRow(SQLModel, table=True):
    """A folded word that an entry holds or held, by which others are corrected."""

    __tablename__ = "word"
    __table_args__ = {"sqlite_with_rowid": False}

    word: str = Field(primary_key=True)


class AcronymRow(SQLModel, table=True):
    """An acronym that an entry explains or explained: "moe", "mixture of expert"."""

    __tablename__ = "acronym"
    __table_args__ = {"sqlite_with_rowid": False}

    letters: str = Field(primary_key=True)
    words: str = Field(primary_key=True)


class WorkspaceRow(SQLModel, table=True):
    """A Slack workspace or a Discord guild. `platform` is an open string.

    `left_at` is since when the bot is no longer in it, `rests_until` until when it is sent nothing
    because the platform asked for that. `welcomed_at` is when the bot explained itself there.
    """

    __tablename__ = "workspace"
    __table_args__ = (UniqueConstraint("platform", "external_id"),)

    id: int | None = Field(default=None, primary_key=True)
    platform: str
    external_id: str
    left_at: datetime | None = Field(sa_column=Column(Instant, index=True))
    rests_until: datetime | None = Field(sa_column=Column(Instant, index=True))
    welcomed_at: datetime | None = Field(sa_column=Column(Instant))


class ChannelRow(SQLModel, table=True):
    """A channel of a workspace, under the platform's own id; `kind` is the platform's word."""

    __tablename__ = "channel"
    __table_args__ = (UniqueConstraint("workspace_id", "external_id"),)

    id: int | None = Field(default=None, primary_key=True)
    workspace_id: int = Field(foreign_key="workspace.id")
    external_id: str
    name: str | None
    private: bool = Field(sa_column=Column(Boolean, nullable=False, server_default=false()))
    kind: str | None


class WorkspaceSettingRow(SQLModel, table=True):
    """One thing that a workspace settled for itself; what has no row has its default."""

    __tablename__ = "workspace_setting"

    workspace_id: int = Field(foreign_key="workspace.id", primary_key=True)
    name: str = Field(primary_key=True)
    value: str


class ClaimRow(SQLModel, table=True):
    """A name under which something was done once, and when."""

    __tablename__ = "claim"

    key: str = Field(primary_key=True)
    at: datetime = Field(sa_column=Column(Instant, nullable=False, index=True))


class LineRow(SQLModel, table=True):
    """A command line under its digest, and when it was last kept."""

    __tablename__ = "line"

    digest: str = Field(primary_key=True)
    line: str
    at: datetime = Field(sa_column=Column(Instant, nullable=False, index=True))


class InstallationRow(SQLModel, table=True):
    """An app installed in a workspace or in a whole organisation; an id that is none is ''.

    `bot_token` is encrypted by `store.secrets`.
    """

    __tablename__ = "installation"
    __table_args__ = (UniqueConstraint("platform", "client_id", "enterprise_id", "team_id"),)

    id: int | None = Field(default=None, primary_key=True)
    platform: str
    client_id: str
    enterprise_id: str
    team_id: str
    bot_token: str
    bot_id: str
    bot_user_id: str
    bot_scopes: tuple[str, ...] = Field(sa_column=Column(Strings, nullable=False))
    app_id: str
    installer: str
    enterprise_name: str
    team_name: str
    is_org_wide: bool
    installed_at: datetime = Field(sa_column=Column(Instant, nullable=False))
    updated_at: datetime = Field(sa_column=Column(Instant, nullable=False))


class OAuthStateRow(SQLModel, table=True):
    """Installations that were begun, as the version before keeps them; states are signed now."""

    __tablename__ = "oauth_state"

    state: str = Field(primary_key=True)
    expires_at: datetime = Field(sa_column=Column(Instant, nullable=False, index=True))


TABLES = SQLModel.metadata.tables
