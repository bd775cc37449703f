"""A column that tells direct messages from channels, which their name did before."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

# Discord's word for direct messages stood as the kind of a channel; Slack's had none, and a name
# that no channel of Slack can have.
_IS_DIRECT = """
UPDATE channel SET direct = true
WHERE kind = 'private' OR (kind IS NULL AND private AND name = 'the chat with Broadsheet')
"""


def upgrade() -> None:
    """Add the column; older programs go on, and what they add counts as a private channel."""
    op.add_column(
        "channel",
        sa.Column("direct", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.execute(_IS_DIRECT)
