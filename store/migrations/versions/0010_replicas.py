"""Leases and budgets that several processes share, and which programs may use a schema."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Create the tables of several processes, and what posting asks of channels by them."""
    op.create_table(
        "lease",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("owner", sa.String()),
        sa.Column("beat", sa.Integer(), nullable=False),
    )
    op.create_table(
        "budget",
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("free_at", sa.DateTime(timezone=True), nullable=False, index=True),
        sa.Column("slow_until", sa.DateTime(timezone=True)),
    )
    support = op.create_table("schema_support", sa.Column("oldest", sa.String(), primary_key=True))
    op.bulk_insert(support, [{"oldest": revision}])
    op.add_column("channel", sa.Column("kind", sa.String()))
    op.add_column("workspace", sa.Column("rests_until", sa.DateTime(timezone=True)))
    op.create_index("ix_workspace_rests_until", "workspace", ["rests_until"])
    _index_anew()
    _index_some("ready_at", "owner IS NULL AND ready_at IS NOT NULL")
    _index_some("owner", "owner IS NOT NULL")


def _index_anew() -> None:
    """Find what is due, and what was corrected, by columns that are indexed together."""
    for column in ("ended_at", "next_due_at", "open_due_at", "open_until", "paused_until"):
        op.drop_index(f"ix_subscription_{column}", "subscription")
    for when in ("next_due_at", "open_until", "paused_until"):
        name = f"ix_subscription_ended_at_state_{when}"
        op.create_index(name, "subscription", ["ended_at", "state", when])
    op.drop_index("ix_delivery_edition_id", "delivery")
    op.create_index("ix_delivery_edition_id_content_at", "delivery", ["edition_id", "content_at"])


def _index_some(column: str, which: str) -> None:
    """Index deliveries by a column that was indexed for all of them."""
    name, those = f"ix_delivery_{column}", sa.text(which)
    op.drop_index(name, "delivery")
    op.create_index(name, "delivery", [column], sqlite_where=those, postgresql_where=those)
