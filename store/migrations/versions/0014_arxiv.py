"""Table of arXiv metadata."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

_BYTEWISE = sa.String().with_variant(sa.String(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the table; programs that know nothing of it may go on."""
    texts = ("comment", "journal_ref", "doi")
    op.create_table(
        "arxiv",
        sa.Column("arxiv_id", _BYTEWISE, primary_key=True),
        sa.Column("version", sa.Integer()),
        sa.Column("title", sa.String()),
        sa.Column("authors", sa.JSON(), nullable=False, server_default="[]"),
        sa.Column("abstract", sa.String()),
        sa.Column("categories", sa.JSON(), nullable=False, server_default="[]"),
        sa.Column("submitted_at", sa.DateTime(timezone=True)),
        sa.Column("updated_at", sa.DateTime(timezone=True)),
        *(sa.Column(name, sa.String()) for name in texts),
        sa.Column("withdrawn", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("checked_at", sa.DateTime(timezone=True)),
        sa.Column("misses", sa.Integer(), nullable=False),
    )
