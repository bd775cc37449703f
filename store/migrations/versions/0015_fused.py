"""The consensus of each week."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Create the table of ranks; the next start fills it, and other programs may go on."""
    op.create_table(
        "fused",
        _of("edition", primary_key=True),
        sa.Column("rank", sa.Integer(), primary_key=True),
        _of("entry", index=True),
    )


def _of(table: str, *, primary_key: bool = False, index: bool = False) -> "sa.Column[int]":
    parent = sa.ForeignKey(f"{table}.id", ondelete="CASCADE")
    return sa.Column(
        f"{table}_id",
        sa.Integer(),
        parent,
        primary_key=primary_key,
        nullable=False,
        index=index,
    )
