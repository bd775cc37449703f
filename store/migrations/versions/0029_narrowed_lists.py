"""The command of a list that somebody saw, which the next line may narrow."""

from alembic import op

revision, down_revision = "0029", "0028"


def upgrade() -> None:
    """Add the columns; a list that was seen before is narrowed by none."""
    for table in ("seen_list", "shared_list"):
        op.execute(f"ALTER TABLE {table} ADD COLUMN command VARCHAR")
