"""Tables of people: saved papers, seen papers, briefs and votes."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Create the tables of members; programs that know nothing of them may go on."""
    op.add_column("workspace", sa.Column("welcomed_at", sa.DateTime(timezone=True)))
    # Where the bot has a channel it is known, and need not explain itself.
    op.execute(
        "UPDATE workspace SET welcomed_at = CURRENT_TIMESTAMP"
        " WHERE id IN (SELECT workspace_id FROM channel)"
    )
    op.create_table(
        "member",
        sa.Column("id", sa.Integer(), primary_key=True),
        _of("workspace"),
        sa.Column("external_id", sa.String(), nullable=False),
        sa.Column("welcomed_at", sa.DateTime(timezone=True)),
        sa.UniqueConstraint("workspace_id", "external_id"),
    )
    op.create_table(
        "saved",
        _of("member", primary_key=True),
        sa.Column("ref", sa.String(), primary_key=True, index=True),
        sa.Column("title", sa.String(), nullable=False),
        _at(),
        sa.Column("note", sa.String()),
    )
    op.create_table(
        "brief",
        sa.Column("id", sa.Integer(), primary_key=True),
        _of("member", index=True),
        sa.Column("minutes", sa.Integer(), nullable=False),
        _at(),
    )
    op.create_table(
        "seen",
        _of("member", primary_key=True),
        sa.Column("ref", sa.String(), primary_key=True, index=True),
        _at(),
        _of("brief", index=True, nullable=True),
        sa.Column("position", sa.Integer()),
    )
    op.create_table(
        "own_line",
        _of("member", primary_key=True),
        sa.Column("digest", sa.String(), primary_key=True, index=True),
        sa.Column("line", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False, index=True),
    )
    op.create_table(
        "vote",
        _of("member", primary_key=True),
        _of("workspace", primary_key=True),
        sa.Column("ref", sa.String(), primary_key=True),
        _at(),
    )
    op.create_index("ix_vote_workspace_id_ref", "vote", ["workspace_id", "ref"])
    op.create_index("ix_vote_ref_workspace_id", "vote", ["ref", "workspace_id"])
    op.add_column(
        "delivery", sa.Column("recount", sa.Boolean(), nullable=False, server_default=sa.false())
    )


def _at() -> "sa.Column[object]":
    return sa.Column("at", sa.DateTime(timezone=True), nullable=False)


def _of(
    table: str, *, primary_key: bool = False, index: bool = False, nullable: bool = False
) -> "sa.Column[int]":
    parent = sa.ForeignKey(f"{table}.id", ondelete="CASCADE")
    return sa.Column(
        f"{table}_id",
        sa.Integer(),
        parent,
        primary_key=primary_key,
        nullable=nullable,
        index=index,
    )
