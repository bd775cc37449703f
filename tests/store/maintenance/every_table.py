"""Rows in every table of a store, whatever there is, and what a file holds of them."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Boolean, Column, Connection, Date, Enum, Integer, Time
from sqlalchemy.types import TypeEngine
from sqlmodel import SQLModel

from store import search
from store.database.types import Instant, Records, Strings
from store.tables.coordination import SchemaSupportRow

_WORDS = ("b", "A'\"\\", "Ä 𝔘 \u2028", "_%")
IDS = (3, 13, 23, 33)
_DOCUMENT = {"z": [1, 1.0, 0.1, 1e22, None], "a": {"deep": "é\u0000"}, "t": True}
_VALUES: tuple[tuple[type[TypeEngine[Any]], Sequence[object]], ...] = (
    (Strings, ((), ("b",), ("A", "Ä"), ("_",))),
    (Records, ((), (), (), ())),
    (JSON, ({}, _DOCUMENT, {"1": []}, {"": 0})),
    (Instant, [datetime(2026, 1, 5 + n, 23, 59, 59, 10**n, tzinfo=UTC) for n in range(4)]),
    (Date, [date(1999 + n, 12, 31) for n in range(4)]),
    (Time, [time(9, n, 0, n) for n in range(4)]),
    (Integer, IDS),
    (Boolean, (True, False, True, False)),
)


def fill(connection: Connection) -> None:
    """Put four rows into every table; the last has nothing that may be missing.

    Ids have gaps, and each row belongs to the same row of its parents.
    """
    for table in SQLModel.metadata.sorted_tables:
        if table.name != SchemaSupportRow.__tablename__:  # which has its only row
            for n in range(len(IDS)):
                values = {column.name: _value(column, n) for column in table.c}
                # A missing list, where it is told, becomes an empty one.
                told = {name: value for name, value in values.items() if value is not None}
                connection.execute(table.insert(), told)
    columns = ("title", "summary", "highlights", "heading", "section")
    texts = [{"rowid": each, **dict.fromkeys(columns, f"kites {each}")} for each in IDS]
    search.write_texts(connection, texts)


def _value(column: Column[Any], n: int) -> object:
    for key in column.foreign_keys:
        return _value(key.column, n)
    if n == len(IDS) - 1 and column.nullable:
        return None
    if isinstance(column.type, Enum):
        return column.type.enums[n % len(column.type.enums)]
    fitting = (values[n] for kind, values in _VALUES if isinstance(column.type, kind))
    return next(fitting, f"{_WORDS[n]} {column.name}")


def rows_of(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of every table of a closed SQLite store, as the file has them."""
    with closing(sqlite3.connect(path)) as file:
        names = [*SQLModel.metadata.tables, "entry_text"]
        rows = {each: file.execute(f'SELECT * FROM "{each}"').fetchall() for each in names}  # noqa: S608 - tables
        rows["rowids"] = file.execute("SELECT rowid, title FROM entry_text").fetchall()
    return {name: sorted(found, key=repr) for name, found in rows.items()}
