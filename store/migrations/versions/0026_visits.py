"""When a person left, before the visit that goes on."""

from alembic import op

revision, down_revision = "0026", "0025"


def upgrade() -> None:
    """Add the column; a visit is told apart from the next list that somebody sees."""
    kind = "DATETIME" if op.get_bind().dialect.name == "sqlite" else "TIMESTAMP WITH TIME ZONE"
    op.execute(f"ALTER TABLE seen_list ADD COLUMN left_at {kind}")
