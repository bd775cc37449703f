"""Workspaces, channels, their subscriptions, and what was delivered to them."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables of who gets what."""
    op.create_table(
        "workspace",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("external_id", sa.String(), nullable=False),
        sa.UniqueConstraint("platform", "external_id"),
    )
    op.create_table(
        "channel",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("workspace_id", sa.Integer(), sa.ForeignKey("workspace.id"), nullable=False),
        sa.Column("external_id", sa.String(), nullable=False),
        sa.UniqueConstraint("workspace_id", "external_id"),
    )
    op.create_table(
        "subscription",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column(
            "channel_id", sa.Integer(), sa.ForeignKey("channel.id"), nullable=False, index=True
        ),
        sa.Column("state", sa.String(32), nullable=False),
        sa.Column("weekday", sa.Integer(), nullable=False),
        sa.Column("local_time", sa.Time(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("sources", sa.JSON(), nullable=False),
        sa.Column("topics", sa.JSON(), nullable=False),
        sa.Column("not_topics", sa.JSON(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("layout", sa.String(32), nullable=False),
        sa.Column("paused_until", sa.DateTime(timezone=True)),
        sa.Column("next_due_at", sa.DateTime(timezone=True), index=True),
    )
    op.create_table(
        "delivery",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column(
            "subscription_id", sa.Integer(), sa.ForeignKey("subscription.id"), nullable=False
        ),
        sa.Column("edition_id", sa.Integer(), sa.ForeignKey("edition.id"), nullable=False),
        sa.Column("state", sa.String(32), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True)),
        sa.Column("error", sa.String()),
        sa.UniqueConstraint("subscription_id", "edition_id"),
    )
