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


class TimedConnection(psycopg.Connection[Any]):
    """A connection that closes when a statement takes more than `seconds`, or `ended` is set."""

    seconds: float = 0.0
    ended: threading.Event | None = None

    def wait(self, gen: Generator[Any, Any, T], *arguments: Any, **options: Any) -> T:  # noqa: ANN401 - the driver's own
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
                if not ready and self.ended and self._is_over(self.ended, began):
                    self.pgconn.finish()
                    raise psycopg.OperationalError("it did not answer in time")
                wanted = gen.send(ready)
        except StopIteration as end:
            answer: T = end.value
            return answer

    def _is_over(self, ended: threading.Event, began: float) -> bool:
        return ended.is_set() or time.monotonic() - began > self.seconds
