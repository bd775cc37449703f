"""Rows as they are stored: moved from one database to another, counted and digested."""

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    DateTime,
    Enum,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    select,
    text,
)
from sqlalchemy.types import TypeDecorator, TypeEngine

from store import search
from store.database.statements import execute_each
from store.database.types import Instant

Rows = Sequence[Mapping[str, Any]]

_BATCH = 1000
_HASHES = 1 << 256  # of SHA-256
# Dates and times as Python writes them; all instants are in UTC.
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=str)

# The full-text index, which is no table of the models; on Postgres stems are added to it.
INDEX = Table(
    "entry_text",
    MetaData(),
    Column("rowid", Integer),
    *(Column(name, Text) for name in ("title", "summary", "highlights", "heading", "section")),
)


class Tally:
    """The number of some rows, and a digest over them that is the same for both databases.

    It is the sum of the rows' hashes: their order does not count, for each database sorts texts by
    rules of its own. The order of their columns does.
    """

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0

    def add(self, rows: Rows) -> None:
        """Add rows."""
        self.count += len(rows)
        for row in rows:
            hashed = sha256(_CANONICAL.encode([*row.values()]).encode())
            self._sum += int.from_bytes(hashed.digest())

    @property
    def digest(self) -> str:
        """The digest of the rows so far, in hexadecimal."""
        return f"{self._sum % _HASHES:064x}"


def plain(table: Table) -> Table:
    """Return a table that reads and writes values as they are, on either database.

    A table class reads a missing list as an empty one, and refuses a word that it does not know.
    """
    columns = (Column(column.name, _plain_type(column.type)) for column in table.columns)
    return Table(table.name, MetaData(), *columns)


def read(connection: Connection, table: Table) -> Iterator[Rows]:
    """Read all rows of a plain table, so many at a time, in no order."""
    found = connection.execute(select(table), execution_options={"yield_per": _BATCH})
    for batch in found.mappings().partitions():
        yield [dict(row) for row in batch]


def insert(connection: Connection, table: Table, rows: Rows) -> None:
    """Add rows that were read elsewhere to a plain table."""
    if table is INDEX:
        search.write_texts(connection, rows)
    else:
        execute_each(connection, table.insert(), rows)


def move(source: Connection, target: Connection, table: Table) -> None:
    """Add all rows of a plain table to the same one elsewhere."""
    for rows in read(source, table):
        insert(target, table, rows)


def continue_ids(connection: Connection, table: Table) -> None:
    """Make Postgres number new rows after those that were added with their ids."""
    if connection.dialect.name == "postgresql" and "id" in table.c:
        statement = (
            f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'),"  # noqa: S608 - a table of ours
            f" coalesce(max(id), 1), max(id) IS NOT NULL) FROM {table.name}"
        )
        connection.execute(text(statement))


def _plain_type(kind: TypeEngine[Any]) -> TypeEngine[Any]:
    stored = kind.impl_instance if isinstance(kind, TypeDecorator) else kind
    if isinstance(stored, JSON):
        return JSON(none_as_null=True)
    if isinstance(stored, DateTime):
        return Instant()
    if isinstance(stored, Enum):
        return String()
    return kind
