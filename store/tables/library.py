"""Tables of the library: editions, entries, papers, their indexes, and arXiv metadata."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, Boolean, Column, Index, UniqueConstraint, false, text
from sqlmodel import Field, SQLModel

from store.database.types import BYTEWISE, Instant, Records, Strings
from store.records import Heading, Highlight, Link


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

    id: int = Field(default=None, primary_key=True)
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

    id: int = Field(default=None, primary_key=True)
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

    id: int = Field(default=None, primary_key=True)
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
    by which entries are found that may be of its paper (`store/identity/candidate_keys.py`).
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


class ConsensusRankRow(SQLModel, table=True):
    """A paper's rank in an edition of the consensus, and the entry of a source that shows it there.

    With the entry or the edition the row goes: programs that know nothing of it may drop either.
    """

    __tablename__ = "consensus_rank"

    edition_id: int = Field(foreign_key="edition.id", ondelete="CASCADE", primary_key=True)
    rank: int = Field(primary_key=True)
    entry_id: int = Field(foreign_key="entry.id", ondelete="CASCADE", index=True)


class PaperMergeRow(SQLModel, table=True):
    """Two papers that somebody said are one, each by a name that outlasts its rows."""

    __tablename__ = "paper_merge"

    one: str = Field(primary_key=True)
    other: str = Field(primary_key=True)
    at: datetime = Field(sa_column=Column(Instant, nullable=False))


class PaperSplitRow(SQLModel, table=True):
    """The ref of an entry that somebody said is joined with no other, but for a merge.

    Or two refs, with a blank between them, of entries that are of two papers.
    """

    __tablename__ = "paper_split"

    ref: str = Field(primary_key=True)
    at: datetime = Field(sa_column=Column(Instant, nullable=False))
