"""A session for reading."""

from typing import Any

from sqlalchemy import Connection
from sqlmodel import Session


class Reading(Session):
    """A session of one connection, whose transaction somebody else began and ends.

    It hands that out as it is: a session's own way there, by a transaction of its own, takes
    longer than a small read.
    """

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._connection = connection

    def connection(self, *_: Any, **__: Any) -> Connection:  # noqa: ANN401 - what a session's takes
        """Return the connection."""
        return self._connection
