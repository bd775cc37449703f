"""Tables of alerts and personal digests; deliveries that are of no edition."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

_INDEXES = (
    ("delivery", ("edition_id", "content_at"), None),
    ("delivery", ("ready_at",), "owner IS NULL AND ready_at IS NOT NULL"),
    ("delivery", ("owner",), "owner IS NOT NULL"),
    ("delivery_part", ("message",), None),
)


def upgrade() -> None:
    """Add tables and columns; older programs go on, and see no delivery without an edition."""
    op.add_column(
        "subscription",
        sa.Column("personal", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    if op.get_bind().dialect.name == "sqlite":
        _rebuild_deliveries()
    else:
        op.alter_column("delivery", "subscription_id", nullable=True)
        op.alter_column("delivery", "edition_id", nullable=True)
        op.add_column("delivery", _of("channel", nullable=True))
    _create_index(
        "delivery",
        ("subscription_id", "due_at"),
        "edition_id IS NULL AND subscription_id IS NOT NULL",
        unique=True,
    )
    _create_index("delivery", ("channel_id",), "channel_id IS NOT NULL")
    # Alembic can't add a column of SQLite that refers to another table.
    op.execute("ALTER TABLE seen_paper ADD COLUMN delivery_id INTEGER REFERENCES delivery (id)")
    _create_alerts()
    op.create_table(
        "dismissed_paper",
        _of("person", "CASCADE", primary_key=True),
        _of("paper", primary_key=True, index=True),
        _of("entry", "SET NULL", nullable=True, index=True),
        _instant("dismissed_at", nullable=False),
    )


def _create_alerts() -> None:
    op.create_table(
        "alert",
        sa.Column("id", sa.Integer(), primary_key=True),
        _of("person", "CASCADE", index=True),
        _of("channel", index=True),
        sa.Column("query", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        *(sa.Column(name, sa.String()) for name in ("topic", "source", "author")),
        _instant("created_at", nullable=False),
        sa.Column("refusal", sa.String()),
        sa.Column("remedy", sa.String()),
        sa.Column("refusal_told", sa.Boolean(), nullable=False),
        sa.UniqueConstraint("channel_id", "query"),
    )
    bytewise = sa.String().with_variant(sa.String(collation="C"), "postgresql")
    op.create_table(
        "alert_key",
        sa.Column("key", bytewise, primary_key=True),
        _of("alert", "CASCADE", primary_key=True, index=True),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "alert_paper",
        _of("alert", "CASCADE", primary_key=True),
        _of("paper", primary_key=True, index=True),
        _of("entry", "SET NULL", nullable=True, index=True),
        _of("delivery", nullable=True, index=True),
        _instant("found_at", nullable=False),
    )
    op.create_table(
        "new_entry",
        _of("entry", "CASCADE", primary_key=True),
        sa.Column("source", sa.String(), nullable=False),
        _instant("imported_at", nullable=False),
        sa.Column("state", sa.String(32), nullable=False, index=True),
    )


def _rebuild_deliveries() -> None:
    """Make the ledger anew: SQLite can't let an existing column be null.

    Parts are moved along, since a table that others refer to can't be dropped.
    """
    for table, columns, _ in _INDEXES:
        op.drop_index(_index_name(table, columns), table_name=table)
    for table in ("delivery", "delivery_part"):
        op.rename_table(table, f"old_{table}")
    op.create_table(
        "delivery",
        sa.Column("id", sa.Integer(), primary_key=True),
        _of("subscription", nullable=True),
        _of("edition", nullable=True),
        sa.Column("state", sa.String(32), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        _instant("due_at", nullable=False),
        _instant("enqueued_at", nullable=False),
        _instant("ready_at"),
        sa.Column("owner", sa.String()),
        sa.Column("fencing_token", sa.Integer(), nullable=False),
        sa.Column("send_anyway", sa.Boolean(), nullable=False),
        sa.Column("layout", sa.String(32)),
        sa.Column("size", sa.Integer()),
        sa.Column("topics", sa.JSON()),
        sa.Column("not_topics", sa.JSON()),
        _instant("content_at"),
        _instant("sent_at"),
        sa.Column("error", sa.String()),
        sa.Column("votes_changed", sa.Boolean(), nullable=False, server_default=sa.false()),
        _of("channel", nullable=True),
        sa.UniqueConstraint("subscription_id", "edition_id"),
    )
    op.create_table(
        "delivery_part",
        _of("delivery", primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("key", sa.String(), nullable=False, unique=True),
        sa.Column("refs", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(32), nullable=False),
        *(sa.Column(name, sa.String()) for name in ("digest", "place", "message", "url")),
        _instant("began_at"),
    )
    op.execute("INSERT INTO delivery SELECT *, NULL FROM old_delivery")
    op.execute("INSERT INTO delivery_part SELECT * FROM old_delivery_part")
    for table in ("old_delivery_part", "old_delivery"):
        op.drop_table(table)
    for table, columns, condition in _INDEXES:
        _create_index(table, columns, condition)


def _create_index(
    table: str, columns: tuple[str, ...], condition: str | None, *, unique: bool = False
) -> None:
    where = sa.text(condition) if condition else None
    op.create_index(
        _index_name(table, columns),
        table,
        list(columns),
        unique=unique,
        sqlite_where=where,
        postgresql_where=where,
    )


def _index_name(table: str, columns: tuple[str, ...]) -> str:
    return "_".join(("ix", table, *columns))


def _instant(name: str, *, nullable: bool = True) -> "sa.Column[object]":
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _of(
    table: str,
    ondelete: str | None = None,
    *,
    primary_key: bool = False,
    nullable: bool = False,
    index: bool = False,
) -> "sa.Column[int]":
    parent = sa.ForeignKey(f"{table}.id", ondelete=ondelete)
    return sa.Column(
        f"{table}_id",
        sa.Integer(),
        parent,
        primary_key=primary_key,
        nullable=nullable,
        index=index,
    )
