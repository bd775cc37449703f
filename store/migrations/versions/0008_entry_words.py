"""Table of the words for autocomplete, and arXiv ids in the order of their bytes."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_BYTEWISE = sa.String().with_variant(sa.String(collation="C"), "postgresql")
_ENTRIES = sa.text("SELECT id, ref, title_key FROM entry")
_ADD = sa.text("INSERT INTO entry_word (word, entry_id) VALUES (:word, :entry_id)")
_AT_ONCE = 1000


def upgrade() -> None:
    """Create the index of what is typed, with the words of all entries."""
    op.create_table(
        "entry_word",
        sa.Column("word", _BYTEWISE, primary_key=True),
        sa.Column("entry_id", sa.Integer(), sa.ForeignKey("entry.id"), primary_key=True),
        sqlite_with_rowid=False,
    )
    connection = op.get_bind()
    for entries in connection.execute(_ENTRIES).partitions(_AT_ONCE):
        connection.execute(_ADD, [
            {"word": word, "entry_id": entry_id}
            for entry_id, ref, title_key in entries
            for word in _words(ref, title_key)
        ])  # fmt: skip
    op.create_index("ix_entry_word_entry_id", "entry_word", ["entry_id"])
    if connection.dialect.name == "postgresql":
        op.execute('ALTER TABLE paper ALTER COLUMN arxiv_id TYPE varchar COLLATE "C"')


def _words(ref: str, title_key: str) -> set[str]:
    name = ref.lower()
    return {f":{name}", f":{name.rpartition(':')[2]}", *title_key.split()}
