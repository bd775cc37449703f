"""A session over a connection."""

from typing import Any

from sqlalchemy import Connection
from sqlmodel import Session


class Over(Session):
    """A session over one connection, whose transaction somebody else began and ends.

    It hands that out as it is: a session's own way there, by a transaction of its own, takes
    longer than a small read, and as long as a small write.
    """

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._connection = connection

    def connection(self, *_: Any, **__: Any) -> Connection:  # noqa: ANN401 - what a session's takes
        """Return the connection."""
        return self._connection
