"""Connections to stores that the tests of a folder left open.

One that is left to the garbage collector is closed during some other test, and since Python 3.13
fails that one.
"""

import os
import sqlite3
from typing import Any

import psycopg
from sqlalchemy import event
from sqlalchemy.pool import Pool


class OpenConnections:
    """Every connection of a store since the last look, by the test that opened it."""

    def __init__(self) -> None:
        # Kept here none is collected, so each that was not closed is found.
        self._opened: list[tuple[str, Any]] = []

    def listen(self) -> None:
        """Record from now on each connection that a store opens."""
        event.listen(Pool, "connect", self._record)

    def close(self) -> set[str]:
        """Close those still open, and return the tests that opened them."""
        opened, self._opened = self._opened, []
        left = [(test, connection) for test, connection in opened if not _is_closed(connection)]
        for _, connection in left:
            connection.close()
        return {test for test, _ in left}

    def _record(self, connection: Any, _record: object) -> None:
        # Stores connect in threads of their own, so the test is looked up where pytest names it,
        # with its phase in brackets.
        test, _, _phase = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")
        self._opened.append((test or "no test", connection))


def _is_closed(connection: sqlite3.Connection | psycopg.Connection[Any]) -> bool:
    if isinstance(connection, psycopg.Connection):
        return connection.closed
    try:
        _ = connection.total_changes
    except sqlite3.ProgrammingError:  # it can't be asked otherwise
        return True
    return False
