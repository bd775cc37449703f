"""Plain statements: SQLAlchemy's part in a search would take longer than the search."""

import json
import sqlite3
from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError


def marked(connection: Connection, statement: str) -> str:
    """Return a statement whose values are marked by `?` as the driver wants them marked."""
    return statement if connection.dialect.name == "sqlite" else statement.replace("?", "%s")


class Reader:
    """Reads through a connection; statements mark their values by `?`, on Postgres too."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.is_sqlite = connection.dialect.name == "sqlite"

    @property
    def kept(self) -> dict[Any, Any]:
        """What may be kept for as long as the connection to the database."""
        return self._connection.info

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Return all rows.

        Raises:
            DBAPIError: whatever the database refused.
        """
        if not self.is_sqlite:
            plain = marked(self._connection, statement)
            return [tuple(row) for row in self._connection.exec_driver_sql(plain, values)]
        driver: Any = self._connection.connection.driver_connection
        try:
            rows: list[tuple[Any, ...]] = driver.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise DBAPIError.instance(statement, values, error, sqlite3.Error) from error
        return rows

    def among(self, column: str, values: Collection[int] | Collection[str]) -> tuple[str, object]:
        """Return a condition that a column's value is one of many, and the value that it marks."""
        if self.is_sqlite:
            condition = f"{column} IN (SELECT value FROM json_each(?))"  # noqa: S608 - a column of ours
            return condition, json.dumps(list(values))
        return f"{column} = ANY(?)", list(values)
