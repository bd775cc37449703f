"""Rows that a statement is given as its one value, and reads as a table.

To run a statement for each row took three times as long on either database, most of that to bind
the values of each anew.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache, partial
from typing import Any

from sqlalchemy import Connection, Dialect, text

from store.prepared import Prepared, Row
from store.types import Instant

_INSTANT = Instant()
_MOMENTS = 64
# By JSON on both, which knows rows of different types:
# https://www.sqlite.org/json1.html#jeach
# https://www.postgresql.org/docs/current/functions-json.html#FUNCTIONS-JSON-PROCESSING
_EACH = {
    "sqlite": "json_each(:rows)",
    "postgresql": "jsonb_array_elements(CAST(:rows AS jsonb))",
}


class OfRows:
    """A statement in which `{given}` is the table `given` of the rows that it is run with.

    Args:
        statement: the statement.
        columns: the columns of a row, in order, each with its type on Postgres.
    """

    def __init__(self, statement: str, **columns: str) -> None:
        self._said = {
            name: Prepared(text(statement.format(given=_table(name, columns, each))))
            for name, each in _EACH.items()
        }

    def run(self, connection: Connection, rows: Iterable[Sequence[Any]]) -> int:
        """Run it, instants being aware; return how many rows were changed.

        Raises:
            ValueError: for an instant that is not.
        """
        dialect = connection.dialect
        return self._said[dialect.name].run(connection, _given(rows, dialect))

    def rows(self, connection: Connection, rows: Iterable[Sequence[Any]]) -> list[Row]:
        """Do the same, and return the rows that it returns, as the driver gives them.

        Raises:
            ValueError: as `run`.
        """
        dialect = connection.dialect
        return self._said[dialect.name].rows(connection, _given(rows, dialect))


def _given(rows: Iterable[Sequence[Any]], dialect: Dialect) -> dict[str, str]:
    return {"rows": json.dumps(list(rows), default=partial(_plain, dialect))}


def _table(database: str, columns: dict[str, str], each: str) -> str:
    # SQLite keeps a value as what it is; by a cast it would take an instant for its year.
    read = "CAST(value ->> {place} AS {kind}) AS {name}"
    if database == "sqlite":
        read = "json_extract(value, '$[{place}]') AS {name}"
    listed = ", ".join(
        read.format(place=place, kind=kind, name=name)
        for place, (name, kind) in enumerate(columns.items())
    )
    return f"(SELECT {listed} FROM {each}) AS given"  # noqa: S608 - names of ours, values are bound


@lru_cache(_MOMENTS)
def _plain(dialect: Dialect, value: datetime) -> str:
    """Write an instant as the database does; rows that are given together mostly say the same."""
    moment = _INSTANT.process_bind_param(value, dialect) or value
    return moment.isoformat(" ", "microseconds")
