"""Tables of workspace settings and of request claims."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the tables of settings and claims."""
    op.create_table(
        "workspace_setting",
        sa.Column("workspace_id", sa.Integer(), sa.ForeignKey("workspace.id"), primary_key=True),
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("value", sa.String(), nullable=False),
    )
    op.create_table(
        "claim",
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False, index=True),
    )
