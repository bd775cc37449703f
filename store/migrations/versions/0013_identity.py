"""Tables of merges and splits by operators, and the keys by which entries are joined."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_LOOKED_UP = ("arxiv_id", "doi", "name_key")


def upgrade() -> None:
    """Create the tables of merges and splits; programs that know nothing of them may go on.

    The names of the entries that are there are filled in by the next start.
    """
    op.create_table(
        "paper_merge",
        sa.Column("one", sa.String(), primary_key=True),
        sa.Column("other", sa.String(), primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "paper_split",
        sa.Column("ref", sa.String(), primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.add_column("entry", sa.Column("name_key", sa.String()))
    for column in _LOOKED_UP:
        has_one = sa.text(f"{column} IS NOT NULL")
        op.create_index(f"ix_entry_{column}", "entry", [column], sqlite_where=has_one)
