"""A store on trial: what is written by way of it is seen there, and never stays."""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine
from sqlmodel import Session

from store.database.database import Database

P = ParamSpec("P")
T = TypeVar("T")


class TrialDatabase(Database):
    """A store whose writes are undone when it is closed, and seen by its own reads until then.

    From its first write on all is one transaction, which costs the same however much is stored.
    Other writers of a row, and on SQLite all of them, wait for its end, so it is for one command.
    Postgres alone keeps the ids that it gave: the next rows have greater ones.
    """

    def __init__(self, url: str) -> None:
        # With one reader there is one thread for writes, which here is the only one.
        super().__init__(url, readers=1)
        self._begun: Connection | None = None

    async def read(
        self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run as `Database.read`, after the writes before."""
        return await self._write_threads.run(
            lambda: self._read(lambda session: fn(session, *args, **kwargs))
        )

    def close(self) -> None:
        """Wait for running calls, undo all writes and close every connection."""
        self._write_threads.close()
        if self._begun is not None:
            self._begun.rollback()
            self._begun.detach()
            self._begun.close()
            self._begun = None
        super().close()

    def _read(self, call: Callable[[Session], T]) -> T:
        if self._begun is None:
            return super()._read(call)
        return self._step(self._begun, call)

    def _write(self, engine: Engine, call: Callable[[Session], T]) -> T:
        del engine
        with self.refusals_in_words():
            if self._begun is None:
                # A snapshot that others overtake would be refused on Postgres.
                connection = self._engines.locking_rows.connect()
                try:
                    connection.begin()
                    self._begin(connection)
                except BaseException:
                    connection.close()
                    raise
                self._begun = connection
        return self._step(self._begun, call)

    def _step(self, connection: Connection, call: Callable[[Session], T]) -> T:
        """Run a call that fails alone."""
        with (
            self.refusals_in_words(),
            connection.begin_nested(),
            Session(connection, join_transaction_mode="rollback_only") as session,
        ):
            answer = call(session)
            session.flush()
        return answer
