"""Lines too long for a button, and since when the bot is no longer in a workspace."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the table of lines, and add when a workspace was left."""
    op.create_table(
        "line",
        sa.Column("digest", sa.String(), primary_key=True),
        sa.Column("line", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False, index=True),
    )
    op.add_column("workspace", sa.Column("left_at", sa.DateTime(timezone=True)))
    op.create_index("ix_workspace_left_at", "workspace", ["left_at"])
