"""The sources that are followed, and the addresses that they are fetched from."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Create their tables; programs that know nothing of them may go on."""
    op.create_table(
        "followed",
        sa.Column("source", sa.String(), sa.ForeignKey("source.slug"), primary_key=True),
        sa.Column("enabled", sa.Boolean(), nullable=False),
    )
    instants = ("tried_at", "fetched_at", "failing_since")
    op.create_table(
        "address",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("source", sa.String(), sa.ForeignKey("followed.source"), nullable=False),
        sa.Column("kind", sa.String()),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("etag", sa.String()),
        sa.Column("last_modified", sa.String()),
        *(sa.Column(name, sa.DateTime(timezone=True)) for name in instants),
        sa.Column("error", sa.String()),
        sa.UniqueConstraint("source", "url"),
    )
