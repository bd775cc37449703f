"""A plain name for the results of parsing that are cached."""

from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Rename the column; every row stays, and older programs stop."""
    op.execute("ALTER TABLE document RENAME COLUMN said TO parsed")
    op.execute("UPDATE schema_support SET oldest = '0019'")
