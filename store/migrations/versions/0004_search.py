"""The words that occur, the acronyms that are explained, and stems of our own on Postgres."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

# Postgres' stemmer and that of FTS5 part ways at some words, so the stems are made before
# they come here. What was indexed has to be indexed anew.
_POSTGRES = (
    "ALTER TABLE entry_text DROP COLUMN words",
    "ALTER TABLE entry_text ADD COLUMN words tsvector NOT NULL DEFAULT ''",
    "CREATE INDEX ix_entry_text_words ON entry_text USING gin (words)",
    "DROP TEXT SEARCH CONFIGURATION words",
    "DROP TEXT SEARCH DICTIONARY porter_stem",
)


def upgrade() -> None:
    """Create the tables that searches correct and widen words by."""
    op.create_table(
        "word",
        sa.Column("word", sa.String(), primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "acronym",
        sa.Column("letters", sa.String(), primary_key=True),
        sa.Column("words", sa.String(), primary_key=True),
        sqlite_with_rowid=False,
    )
    if op.get_bind().dialect.name != "sqlite":
        for statement in _POSTGRES:
            op.execute(statement)
