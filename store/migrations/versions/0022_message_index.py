"""An index of posted messages, by which a thread below one is known."""

from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Create the index; older programs may go on."""
    op.create_index("ix_delivery_part_message", "delivery_part", ["message"])
