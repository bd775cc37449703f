"""Tables of the library: sources, editions, entries, papers, indexes, and arXiv metadata."""

from datetime import date, datetime, time
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


class EditionRow(SQLModel, table=True):
    """An edition as computed from all its contributions.

    `week` is its ISO week, 2026-W02. `arrived_at` is when it was first stored, `None` if an old
    program did so.
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
    """The content of an edition from one kind of document, complete and unchanged.

    `facts` is the draft as JSON text; `digest` is a hash over it, to detect changes without reading
    it.
    """

    __tablename__ = "contribution"

    edition_id: int = Field(foreign_key="edition.id", primary_key=True)
    kind: str = Field(primary_key=True)
    digest: str
    sample: bool
    facts: str
    imported_at: datetime = Field(sa_column=Column(Instant, nullable=False))


class DocumentRow(SQLModel, table=True):
    """The result of parsing a document, so that the same bytes need not be parsed again.

    `key` is a hash over the bytes, the options and the parsers' version. `parsed` lists
    (first day, digest) of each edition in it and the warnings.
    """

    __tablename__ = "document"

    key: str = Field(primary_key=True)
    source: str
    kind: str
    parsed: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    imported_at: datetime = Field(sa_column=Column(Instant, nullable=False))


class PaperRow(SQLModel, table=True):
    """A paper and its identifiers; `year` is the arXiv id's, else the oldest edition's."""

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
    """An index of entries by topic."""

    __tablename__ = "entry_topic"

    topic: str = Field(primary_key=True)
    entry_id: int = Field(foreign_key="entry.id", primary_key=True, index=True)


class EntryWordRow(SQLModel, table=True):
    """An index of entries by words, for autocomplete and candidates.

    It has the folded words of the title; the `ref` in lower case after a colon, which no folded
    word contains, once complete and once without its source; and the candidate keys, after `=` and
    `<` (`store/identity/identifiers.py`).
    """

    __tablename__ = "entry_word"
    __table_args__ = {"sqlite_with_rowid": False}

    word: str = Field(sa_column=Column(BYTEWISE, primary_key=True))
    entry_id: int = Field(foreign_key="entry.id", primary_key=True, index=True)


class ContentRow(SQLModel, table=True):
    """The one row about all imported content.

    `version` changes with every change of it, which tells caches whether they are current. `rules`
    names the rules by which topics and indexes were made.
    """

    __tablename__ = "content"

    id: int = Field(default=1, primary_key=True)
    version: str
    rules: str


class WordRow(SQLModel, table=True):
    """A folded word that an entry contains or contained, for spelling correction."""

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
    """arXiv's metadata of a paper, by arXiv id without version.

    It was last fetched at `asked_at`, and last found at `checked_at`; `misses` counts how often in
    a row arXiv left it out. The first of `categories` is the primary one. An id that arXiv never
    returned has no title. All instants but those of the paper's versions are by the system clock.
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


class AuthorWordRow(SQLModel, table=True):
    """An index of arXiv's authors of papers by the folded words of their names.

    `name` is the whole folded name. The rows of a paper follow from its `authors` in `arxiv`.
    """

    __tablename__ = "author_word"
    __table_args__ = {"sqlite_with_rowid": False}

    word: str = Field(sa_column=Column(BYTEWISE, primary_key=True))
    arxiv_id: str = Field(sa_column=Column(BYTEWISE, primary_key=True))
    name: str = Field(sa_column=Column(BYTEWISE, primary_key=True))


class ConsensusRankRow(SQLModel, table=True):
    """A paper's rank in a consensus edition, and the entry of a source that shows it there.

    The row is deleted with the entry or the edition.
    """

    __tablename__ = "consensus_rank"

    edition_id: int = Field(foreign_key="edition.id", ondelete="CASCADE", primary_key=True)
    rank: int = Field(primary_key=True)
    entry_id: int = Field(foreign_key="entry.id", ondelete="CASCADE", index=True)


class PaperMergeRow(SQLModel, table=True):
    """A manual override: two papers are one, each given by a name that outlasts its rows."""

    __tablename__ = "paper_merge"

    one: str = Field(primary_key=True)
    other: str = Field(primary_key=True)
    at: datetime = Field(sa_column=Column(Instant, nullable=False))


class PaperSplitRow(SQLModel, table=True):
    """A manual override: the ref of an entry that is joined with no other except by a merge.

    Or two refs, with a blank between them, of entries that are of two papers.
    """

    __tablename__ = "paper_split"

    ref: str = Field(primary_key=True)
    at: datetime = Field(sa_column=Column(Instant, nullable=False))
