"""Standing orders with all that posting takes, deliveries in parts, and notices to owners.

No command made an order before, so the tables of 0002 hold none and are made anew.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create the tables of the ledger."""
    op.drop_table("delivery")
    op.drop_table("subscription")
    op.add_column("channel", sa.Column("name", sa.String()))
    op.add_column(
        "channel", sa.Column("private", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    _create_subscriptions()
    _create_deliveries()
    op.create_table(
        "notice",
        sa.Column("id", sa.Integer(), primary_key=True),
        _of("subscription"),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("sentence", sa.String(), nullable=False),
        sa.Column("remedy", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        _instant("began_at"),
        _instant("ready_at", nullable=False, index=True),
    )


def _create_subscriptions() -> None:
    op.create_table(
        "subscription",
        sa.Column("id", sa.Integer(), primary_key=True),
        _of("channel"),
        sa.Column("state", sa.String(32), nullable=False),
        sa.Column("weekday", sa.Integer(), nullable=False),
        sa.Column("local_time", sa.Time(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("sources", sa.JSON(), nullable=False),
        sa.Column("topics", sa.JSON(), nullable=False),
        sa.Column("not_topics", sa.JSON(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("layout", sa.String(32), nullable=False),
        sa.Column("patience", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        _instant("paused_until", index=True),
        _instant("next_due_at", index=True),
        _instant("open_due_at", index=True),
        _instant("open_until", index=True),
        _instant("missed_at"),
        sa.Column("refusal", sa.String()),
        sa.Column("remedy", sa.String()),
        sa.Column("refusal_code", sa.String()),
        _instant("ended_at", index=True),
    )


def _create_deliveries() -> None:
    op.create_table(
        "delivery",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column(
            "subscription_id", sa.Integer(), sa.ForeignKey("subscription.id"), nullable=False
        ),
        _of("edition"),
        sa.Column("state", sa.String(32), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        _instant("due_at", nullable=False),
        _instant("enqueued_at", nullable=False),
        _instant("ready_at", index=True),
        sa.Column("owner", sa.String(), index=True),
        sa.Column("beat", sa.Integer(), nullable=False),
        sa.Column("insist", sa.Boolean(), nullable=False),
        sa.Column("layout", sa.String(32)),
        sa.Column("size", sa.Integer()),
        sa.Column("topics", sa.JSON()),
        sa.Column("not_topics", sa.JSON()),
        _instant("content_at"),
        _instant("sent_at"),
        sa.Column("error", sa.String()),
        sa.UniqueConstraint("subscription_id", "edition_id"),
    )
    op.create_table(
        "delivery_part",
        sa.Column("delivery_id", sa.Integer(), sa.ForeignKey("delivery.id"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("key", sa.String(), nullable=False, unique=True),
        sa.Column("refs", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(32), nullable=False),
        sa.Column("digest", sa.String()),
        sa.Column("place", sa.String()),
        sa.Column("message", sa.String()),
        sa.Column("url", sa.String()),
        _instant("began_at"),
    )


def _of(table: str) -> "sa.Column[int]":
    return sa.Column(
        f"{table}_id", sa.Integer(), sa.ForeignKey(f"{table}.id"), nullable=False, index=True
    )


def _instant(name: str, *, nullable: bool = True, index: bool = False) -> "sa.Column[object]":
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable, index=index)
