"""Tables of the lists that people saw last."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Create the tables; programs that know nothing of them may go on."""
    place = sa.Column("place", sa.String(), primary_key=True)
    op.create_table("seen_list", _of("person"), place, *_fields())
    op.create_table("shared_list", _of("channel"), *_fields())


def _of(table: str) -> "sa.Column[int]":
    parent = sa.ForeignKey(f"{table}.id", ondelete="CASCADE")
    return sa.Column(f"{table}_id", sa.Integer(), parent, primary_key=True)


def _fields() -> "tuple[sa.Column[object], ...]":
    return (
        sa.Column("refs", sa.JSON(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("more", sa.String()),
        sa.Column("back", sa.String()),
        sa.Column("listed_at", sa.DateTime(timezone=True)),
        sa.Column("it", sa.String()),
        sa.Column("it_at", sa.DateTime(timezone=True)),
    )
