"""A connection to Postgres whose statements are not waited for without end.

A server that is frozen, or a line on which nothing passes any more, looks to TCP like one that
takes its time, and libpq waits for it for ever. This driver waits in slices:
https://www.psycopg.org/psycopg3/docs/api/connections.html
"""

import threading
import time
from collections.abc import Generator
from typing import Any, TypeVar

import psycopg

T = TypeVar("T")


class StatementTimeout:
    """How long statements are waited for, by all connections of a store.

    Args:
        seconds: how long each may take.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._over = threading.Event()

    def end(self) -> None:
        """Wait for no statement any more."""
        self._over.set()

    def is_over(self, began: float) -> bool:
        """Tell whether what began then, by the monotonic clock, has taken too long."""
        return self._over.is_set() or time.monotonic() - began > self._seconds

    def run_out(self) -> psycopg.OperationalError:
        """Return the error for what has."""
        return psycopg.OperationalError("it did not answer in time")


class _Connection(psycopg.Connection[Any]):
    """Waits for each answer as long as its patience lasts, and is closed when that runs out."""

    patience: StatementTimeout | None = None

    def wait(
        self,
        gen: Generator[Any, Any, T],
        *arguments: Any,  # noqa: ANN401 - the driver's own
        **options: Any,  # noqa: ANN401 - the same
    ) -> T:
        """Drive a statement to its end.

        Raises:
            psycopg.OperationalError: if that takes too long; what became of it nobody knows.
        """
        return super().wait(self._limited(gen), *arguments, **options)

    def _limited(self, gen: Generator[Any, Any, T]) -> Generator[Any, Any, T]:
        began = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                # Nothing is ready at the end of each slice, of a tenth of a second.
                ready = yield wanted
                if not ready and self.patience and self.patience.is_over(began):
                    self.pgconn.finish()
                    raise self.patience.run_out()
                wanted = gen.send(ready)
        except StopIteration as end:
            answer: T = end.value
            return answer


def connect(patience: StatementTimeout, *arguments: Any, **options: Any) -> psycopg.Connection[Any]:  # noqa: ANN401 - the driver's own
    """Connect; each statement is then waited for as long as that patience lasts.

    Raises:
        psycopg.Error: if it can't be connected to.
    """
    connection = _Connection.connect(*arguments, **options)
    connection.patience = patience
    return connection
