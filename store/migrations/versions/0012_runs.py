"""Runs, one at a time over all processes, and when sources usually have news."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Create the table of runs; programs that know nothing of it may go on."""
    op.create_table(
        "run",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("owner", sa.String()),
        sa.Column("beat", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
    )
    op.add_column("followed", sa.Column("weekday", sa.Integer()))
    op.add_column("followed", sa.Column("hour", sa.Time()))
    op.add_column(
        "address",
        sa.Column("predefined", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
