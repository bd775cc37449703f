"""Plain names of tables and columns."""

from alembic import op

revision = "0018"
down_revision = "0017"

_TABLES = {
    "address": "source_address",
    "budget": "rate_limit",
    "claim": "request_claim",
    "followed": "followed_source",
    "fused": "consensus_rank",
    "line": "command_string",
    "member": "person",
    "own_line": "personal_command_string",
    "run": "job",
}
# By the new names of their tables.
_COLUMNS = {
    "brief": {"member_id": "person_id"},
    "command_string": {"line": "command", "at": "kept_at"},
    "delivery": {
        "beat": "fencing_token",
        "insist": "send_anyway",
        "recount": "votes_changed",
    },
    "job": {"beat": "fencing_token"},
    "lease": {"beat": "heartbeat"},
    "personal_command_string": {"member_id": "person_id", "line": "command", "at": "kept_at"},
    "request_claim": {"at": "claimed_at"},
    "saved": {"member_id": "person_id"},
    "seen": {"member_id": "person_id"},
    "subscription": {"ended_at": "cancelled_at"},
    "vote": {"member_id": "person_id"},
    "workspace": {"rests_until": "cooldown_until"},
}
# Table, columns, and the name that the index had.
_INDEXES = (
    ("brief", ("person_id",), "ix_brief_member_id"),
    ("command_string", ("kept_at",), "ix_line_at"),
    ("consensus_rank", ("entry_id",), "ix_fused_entry_id"),
    ("personal_command_string", ("digest",), "ix_own_line_digest"),
    ("personal_command_string", ("kept_at",), "ix_own_line_at"),
    ("rate_limit", ("free_at",), "ix_budget_free_at"),
    ("request_claim", ("claimed_at",), "ix_claim_at"),
    *(
        (
            "subscription",
            ("cancelled_at", "state", when),
            f"ix_subscription_ended_at_state_{when}",
        )
        for when in ("next_due_at", "open_until", "paused_until")
    ),
    ("workspace", ("cooldown_until",), "ix_workspace_rests_until"),
)


def upgrade() -> None:
    """Rename tables, columns and their indexes; every row stays, and older programs stop."""
    for old, new in _TABLES.items():
        op.rename_table(old, new)
    for table, columns in _COLUMNS.items():
        for old, new in columns.items():
            op.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")
    for table, indexed, old in _INDEXES:
        op.drop_index(old, table_name=table)
        op.create_index("_".join(("ix", table, *indexed)), table, list(indexed))
    op.drop_table("oauth_state")
    op.execute("UPDATE schema_support SET oldest = '0018'")
