"""Topics of entries, what caches of the content are kept by, and a way to find samples."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add what the tagger assigns, and a row that names the present content."""
    op.add_column("entry", sa.Column("topics", sa.JSON(), nullable=False, server_default="[]"))
    op.create_table(
        "entry_topic",
        sa.Column("topic", sa.String(), primary_key=True),
        sa.Column("entry_id", sa.Integer(), sa.ForeignKey("entry.id"), primary_key=True),
    )
    op.create_index("ix_entry_topic_entry_id", "entry_topic", ["entry_id"])
    op.create_index("ix_edition_sample", "edition", ["sample"])
    op.create_table(
        "content",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("rules", sa.String(), nullable=False),
    )
