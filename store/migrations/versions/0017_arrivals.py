"""The arrival of editions."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add when each edition was first stored; older programs add editions without it."""
    op.add_column("edition", sa.Column("arrived_at", sa.DateTime(timezone=True)))
    # It arrived then or before: each contribution notes when it was last changed.
    op.execute(
        "UPDATE edition SET arrived_at = (SELECT min(contribution.imported_at) FROM contribution"
        " WHERE contribution.edition_id = edition.id)"
    )
