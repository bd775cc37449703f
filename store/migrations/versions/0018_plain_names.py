"""Plain names of tables and columns; lists, votes and what was seen belong to papers."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

from store.text import title_key

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
    "brief": {"member_id": "person_id", "at": "asked_at"},
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
    "saved": {"member_id": "person_id"},  # until `_keep_papers`, as are `seen` and `vote`
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


Row = dict[str, Any]

# Of each table of before: its key with `paper_id` in place of `ref`, and its order, newest first.
_SAVED = "SELECT person_id, ref, title, at AS saved_at, note FROM saved ORDER BY at DESC, ref"
_SEEN = "SELECT person_id, ref, at AS seen_at, brief_id, position FROM seen ORDER BY at DESC, ref"
_VOTES = "SELECT person_id, workspace_id, ref, at AS voted_at FROM vote ORDER BY at DESC, ref"
_KEYS = ("person_id", "workspace_id", "paper_id")
_NAMED = """
SELECT entry.ref, entry.paper_id, entry.id AS entry_id
FROM entry JOIN edition ON edition.id = entry.edition_id
WHERE entry.ref IN (SELECT ref FROM saved UNION SELECT ref FROM seen UNION SELECT ref FROM vote)
ORDER BY edition.sample DESC, edition.last_day, edition.source DESC, entry.position DESC
"""
_FIRST_YEAR, _LAST_YEAR = 1990, 2100


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
    _keep_papers()
    op.execute("UPDATE schema_support SET oldest = '0018'")


def _keep_papers() -> None:
    """Have saved papers, seen papers and votes belong to papers in place of refs of entries.

    Where editions use one ref twice the newest edition's entry is meant. A ref of no entry gets a
    paper without entries, under the title that was saved, which returns with that paper. Rows of
    one person that are of one paper become one, as when papers are merged.
    """
    saved, seen, votes = (
        [dict(row) for row in op.get_bind().execute(sa.text(query)).mappings()]
        for query in (_SAVED, _SEEN, _VOTES)
    )
    named = {
        row.ref: {"paper_id": row.paper_id, "entry_id": row.entry_id}
        for row in op.get_bind().execute(sa.text(_NAMED))
    }
    titles = {row["ref"]: row["title"] for row in reversed(saved)}
    years = {row["ref"]: int(str(row["saved_at"])[:4]) for row in saved}
    arxiv_ids = {_gone(f"arxiv:{each}"): each for each in _unused_arxiv_ids()}
    for ref in sorted({row["ref"] for row in (*saved, *seen, *votes)} - named.keys()):
        key = title_key(titles.get(ref, ""))
        year = _year(ref, key) or years.get(ref, 0)
        facts = {"arxiv_id": arxiv_ids.get(ref), "title_key": key, "year": year}
        named[ref] = {"paper_id": _add_paper(facts), "entry_id": None}
    for table in ("saved", "seen", "vote"):
        op.drop_table(table)
    _create_tables()
    _insert("saved_paper", _joined(saved, named, _one_saved))
    _insert("seen_paper", _joined(seen, named, _one_seen))
    _insert("vote", _joined(votes, named, lambda rows: rows[-1]))


def _gone(name: str) -> str:
    """Return the ref that a paper without entries was kept by until now."""
    return f"gone:{hashlib.blake2b(name.encode(), digest_size=8).hexdigest()}"


def _unused_arxiv_ids() -> Iterable[str]:
    return op.get_bind().scalars(
        sa.text(
            "SELECT arxiv_id FROM arxiv WHERE arxiv_id NOT IN"
            " (SELECT arxiv_id FROM paper WHERE arxiv_id IS NOT NULL)"
        )
    )


def _year(ref: str, key: str) -> int | None:
    """Return the year of a paper that is kept by its title."""
    years = range(_FIRST_YEAR, _LAST_YEAR)
    return next((year for year in years if _gone(f"title:{year}:{key}") == ref), None)


def _add_paper(facts: Row) -> int:
    added = sa.text(
        "INSERT INTO paper (arxiv_id, title_key, year) VALUES (:arxiv_id, :title_key, :year)"
        " RETURNING id"
    )
    return int(op.get_bind().execute(added, facts).scalar_one())


def _joined(
    rows: Iterable[Row], named: Mapping[str, Row], join: Callable[[Sequence[Row]], Row]
) -> list[Row]:
    """Return rows with their papers; those of one person and paper, newest first, are joined."""
    by_key: dict[tuple[object, ...], list[Row]] = defaultdict(list)
    for row in rows:
        kept = {name: value for name, value in row.items() if name != "ref"} | named[row["ref"]]
        by_key[tuple(kept.get(name) for name in _KEYS)].append(kept)
    return [join(each) for each in by_key.values()]


def _one_saved(rows: Sequence[Row]) -> Row:
    notes = dict.fromkeys(row["note"] for row in rows if row["note"])
    return {**rows[0], "note": " · ".join(notes) or None}


def _one_seen(rows: Sequence[Row]) -> Row:
    """Return the oldest row that a brief lists, else the oldest."""
    return next((row for row in reversed(rows) if row["brief_id"] is not None), rows[-1])


def _insert(table: str, rows: Sequence[Row]) -> None:
    if rows:
        names = ", ".join(rows[0])
        values = ", ".join(f":{name}" for name in rows[0])
        insert = f"INSERT INTO {table} ({names}) VALUES ({values})"  # noqa: S608 - names of ours
        op.get_bind().execute(sa.text(insert), rows)


def _create_tables() -> None:
    op.create_table(
        "saved_paper",
        _of("person", "CASCADE", primary_key=True),
        _of("paper", primary_key=True, index=True),
        _of("entry", "SET NULL", nullable=True, index=True),
        sa.Column("title", sa.String(), nullable=False),
        _instant("saved_at"),
        sa.Column("note", sa.String()),
    )
    op.create_table(
        "seen_paper",
        _of("person", "CASCADE", primary_key=True),
        _of("paper", primary_key=True, index=True),
        _of("entry", "SET NULL", nullable=True, index=True),
        _instant("seen_at"),
        _of("brief", "CASCADE", nullable=True, index=True),
        sa.Column("position", sa.Integer()),
    )
    op.create_table(
        "vote",
        _of("person", "CASCADE", primary_key=True),
        _of("workspace", "CASCADE", primary_key=True),
        _of("paper", primary_key=True),
        _of("entry", "SET NULL", nullable=True, index=True),
        _instant("voted_at"),
    )
    op.create_index("ix_vote_workspace_id_paper_id", "vote", ["workspace_id", "paper_id"])
    op.create_index("ix_vote_paper_id_workspace_id", "vote", ["paper_id", "workspace_id"])


def _instant(name: str) -> "sa.Column[object]":
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False)


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
