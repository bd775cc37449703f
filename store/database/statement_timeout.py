"""A connection to Postgres with a timeout for each statement.

To TCP a frozen server, or a connection that was cut silently, looks like a slow one, and libpq
waits for ever. This driver waits in slices:
https://www.psycopg.org/psycopg3/docs/api/connections.html
"""

import threading
import time
from collections.abc import Generator
from typing import Any, TypeVar

import psycopg

T = TypeVar("T")


class StatementTimeout:
    """The timeout of statements, shared by all connections of a store.

    Args:
        seconds: how long a statement may take.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._ended = threading.Event()

    def end(self) -> None:
        """End the wait for all statements."""
        self._ended.set()

    def is_over(self, began: float) -> bool:
        """Tell whether a statement that began then, by the monotonic clock, took too long."""
        return self._ended.is_set() or time.monotonic() - began > self._seconds

    def error(self) -> psycopg.OperationalError:
        """Return the error for a statement that took too long."""
        return psycopg.OperationalError("it did not answer in time")


class _Connection(psycopg.Connection[Any]):
    """A connection that closes when a statement times out."""

    timeout: StatementTimeout | None = None

    def wait(
        self,
        gen: Generator[Any, Any, T],
        *arguments: Any,  # noqa: ANN401 - the driver's own
        **options: Any,  # noqa: ANN401 - the same
    ) -> T:
        """Drive a statement to its end.

        Raises:
            psycopg.OperationalError: if that takes too long; it may have been carried out.
        """
        return super().wait(self._limited(gen), *arguments, **options)

    def _limited(self, gen: Generator[Any, Any, T]) -> Generator[Any, Any, T]:
        began = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                # Nothing is ready at the end of each slice, of a tenth of a second.
                ready = yield wanted
                if not ready and self.timeout and self.timeout.is_over(began):
                    self.pgconn.finish()
                    raise self.timeout.error()
                wanted = gen.send(ready)
        except StopIteration as end:
            answer: T = end.value
            return answer


def connect(timeout: StatementTimeout, *arguments: Any, **options: Any) -> psycopg.Connection[Any]:  # noqa: ANN401 - the driver's own
    """Connect, with a timeout for each statement.

    Raises:
        psycopg.Error: if it can't be connected to.
    """
    connection = _Connection.connect(*arguments, **options)
    connection.timeout = timeout
    return connection
