"""Tags of saved papers."""

from alembic import op

revision, down_revision = "0025", "0024"


def upgrade() -> None:
    """Add the column; what a program of before saves has no tags."""
    op.execute("ALTER TABLE saved_paper ADD COLUMN tags JSON NOT NULL DEFAULT '[]'")
