"""Sources, editions with their contributions, papers, entries and the full-text index."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# FTS5 keeps its own copy of the folded text: an external-content index breaks silently as
# soon as one statement goes past its triggers, and this text is not stored elsewhere.
_SQLITE_INDEX = """
CREATE VIRTUAL TABLE entry_text USING fts5(
  title, summary, highlights, heading, section, tokenize = 'porter unicode61'
)
"""
# The stemmer that FTS5 has, and like it without stop words: both databases find the same.
_POSTGRES_STEMMING = (
    "CREATE TEXT SEARCH DICTIONARY porter_stem (TEMPLATE = snowball, LANGUAGE = porter)",
    "CREATE TEXT SEARCH CONFIGURATION words (COPY = simple)",
    "ALTER TEXT SEARCH CONFIGURATION words ALTER MAPPING FOR asciiword WITH porter_stem",
    "ALTER TEXT SEARCH CONFIGURATION words ALTER MAPPING FOR word, numword WITH porter_stem",
)
_POSTGRES_INDEX = """
CREATE TABLE entry_text (
  rowid integer PRIMARY KEY,
  title text NOT NULL, summary text NOT NULL, highlights text NOT NULL,
  heading text NOT NULL, section text NOT NULL,
  words tsvector NOT NULL GENERATED ALWAYS AS (
    setweight(to_tsvector('words', title), 'A') ||
    setweight(to_tsvector('words', summary), 'B') ||
    setweight(to_tsvector('words', highlights || ' ' || section), 'C') ||
    setweight(to_tsvector('words', heading), 'D')
  ) STORED
)
"""


def upgrade() -> None:
    """Create the tables of what was read."""
    op.create_table(
        "source",
        sa.Column("slug", sa.String(), primary_key=True),
        sa.Column("title", sa.String(), nullable=False),
    )
    op.create_table(
        "edition",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("source", sa.String(), sa.ForeignKey("source.slug"), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("first_day", sa.Date(), nullable=False),
        sa.Column("last_day", sa.Date(), nullable=False, index=True),
        sa.Column("week", sa.String(), nullable=False, index=True),
        sa.Column("published_on", sa.Date()),
        sa.Column("year_rule", sa.String()),
        sa.Column("overview", sa.String()),
        sa.Column("minutes", sa.Integer()),
        sa.Column("url", sa.String()),
        sa.Column("headings", sa.JSON(), nullable=False),
        sa.Column("sample", sa.Boolean(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("source", "first_day"),
    )
    op.create_table(
        "contribution",
        sa.Column("edition_id", sa.Integer(), sa.ForeignKey("edition.id"), primary_key=True),
        sa.Column("kind", sa.String(), primary_key=True),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("sample", sa.Boolean(), nullable=False),
        sa.Column("facts", sa.String(), nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "document",
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("said", sa.JSON(), nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "paper",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("arxiv_id", sa.String(), unique=True),
        sa.Column("doi", sa.String(), unique=True),
        sa.Column("title_key", sa.String(), nullable=False),
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Index("ix_paper_title_key_year", "title_key", "year"),
    )
    op.create_table(
        "entry",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("edition_id", sa.Integer(), sa.ForeignKey("edition.id"), nullable=False),
        sa.Column("paper_id", sa.Integer(), sa.ForeignKey("paper.id"), nullable=False, index=True),
        sa.Column("ref", sa.String(), nullable=False, index=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer()),
        sa.Column("episode", sa.String()),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("summary", sa.String()),
        sa.Column("highlights", sa.JSON(), nullable=False),
        sa.Column("heading", sa.String()),
        sa.Column("section", sa.String()),
        sa.Column("links", sa.JSON(), nullable=False),
        sa.Column("arxiv_id", sa.String()),
        sa.Column("doi", sa.String()),
        sa.Column("title_key", sa.String(), nullable=False, index=True),
        sa.UniqueConstraint("edition_id", "ref"),
    )
    if op.get_bind().dialect.name == "sqlite":
        op.execute(_SQLITE_INDEX)
    else:
        for statement in (*_POSTGRES_STEMMING, _POSTGRES_INDEX):
            op.execute(statement)
        op.execute("CREATE INDEX ix_entry_text_words ON entry_text USING gin (words)")
