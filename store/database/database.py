"""The database: `await db.read(fn)` and `await db.write(fn)`, on SQLite or Postgres.

Functions take a `Session` and run in threads of a bounded pool of the database's own: on
full-text queries that gave 1.7 times the throughput of an async engine, and never stalls
the event loop. Whoever they are run on behalf of has a fair share of them (`fair_share`).
A write is one function in one transaction; it must be free of other side effects, because
Postgres may have it run again.
"""

import asyncio
import random
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from store.database.driver_errors import in_words, sqlstate
from store.database.engines import (
    STATEMENT_SECONDS,
    Engines,
    Over,
    postgres_engines,
    sqlite_engines,
)
from store.database.fair_threads import FairThreads
from store.database.schema_guard import OLDEST, REVISION, Guard
from store.database.url import read_url, shown
from store.errors import (
    SchemaOutdated,
    SchemaTooNew,
    StoreError,
    StoreFull,
    StoreUnavailable,
)

if TYPE_CHECKING:
    from store.database.statement_timeout import Patience

__all__ = ["Database", "Session"]

P = ParamSpec("P")
A = TypeVar("A")
T = TypeVar("T")

READERS = 4
WRITE_REPEATS = 5
# For how long what runs at the end may go on.
_END_SECONDS = 2.0

# Serialization failure and deadlock: Postgres undid the transaction and asks for a repeat.
# A unique violation can stand for the first when two writers insert the same new key, and a foreign
# key violation when one refers to a row that the other deletes.
# https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html
_REPEATABLE = frozenset({"40001", "40P01", "23503", "23505"})

# Writers run side by side, and a repeat runs alone, so that no number of writers on one hot
# row can wear it out. LOCK TABLE is the one lock that is taken before the snapshot is; a
# migration, which writes this table, waits for writers and they for it.
# https://www.postgresql.org/docs/current/sql-lock.html
_LOCK_SHARED = "LOCK TABLE alembic_version IN SHARE MODE"
_LOCK_ALONE = "LOCK TABLE alembic_version IN EXCLUSIVE MODE"


class Database:
    """One store. Nothing is opened before the first read or write.

    Args:
        url: `sqlite:///FILE` or `postgresql+psycopg://…`.
        readers: how many reads run at once.
        patience: how many seconds a Postgres server may take to answer a statement.

    Raises:
        BadDatabaseURL: if the URL names neither.
    """

    def __init__(
        self, url: str, readers: int = READERS, patience: float = STATEMENT_SECONDS
    ) -> None:
        self.url = read_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self._patience: Patience | None = None
        self._engines = self._open(readers, patience)
        self._refusals = _refusals(self._engines.writer)
        self._guard: Guard | None = None
        self._trouble: StoreError | None = None
        # SQLite has one writer; on Postgres a few may overlap and the server judges them.
        writers = 1 if self.is_sqlite else readers
        self._read_threads = FairThreads(readers, "store-read")
        self._write_threads = FairThreads(writers, "store-write")

    @property
    def path(self) -> Path | None:
        """The file of an SQLite store, `None` on Postgres."""
        return Path(str(self.url.database)) if self.is_sqlite else None

    @property
    def name(self) -> str:
        """The store as messages name it: its file, or its URL without anything secret."""
        return str(self.path) if self.path else shown(self.url)

    @property
    def engine(self) -> Engine:
        """The engine for migrations and backups, whose statements may take their time."""
        return self._engines.upkeep

    @property
    def trouble(self) -> StoreError | None:
        """What was wrong with the store itself at the last write, `None` where nothing was."""
        return self._trouble

    def hold_to(self, known: Sequence[str]) -> None:
        """Write from now on only where the schema may be used by a program of these revisions.

        Others may bring it up to date meanwhile; whoever can't follow is told so by each write.
        """
        self._guard = Guard(known)

    async def read(
        self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `fn(session, …)` on a snapshot that can't be written to, and return its answer.

        Raises:
            StoreError: whatever the database refused, in words.
        """
        return await self._in(self._read_threads, lambda: self._look(fn, args, kwargs))

    async def write(
        self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `fn(session, …)` in one transaction, commit it, and return its answer.

        On Postgres it is run again, five times at most, when another writer got in its way.

        Raises:
            StoreBusy: if other writers kept the store all the while.
            StoreError: whatever else the database refused; nothing was written.
        """
        return await self._in(self._write_threads, lambda: self._repeated(fn, args, kwargs))

    async def write_rows(
        self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do the same as `write` with a function that locks each row by which it judges.

        On Postgres it runs READ COMMITTED, so that those who work on different rows never get in
        each other's way, and what another has locked can be skipped:
        https://www.postgresql.org/docs/current/sql-select.html#SQL-FOR-UPDATE-SHARE

        Raises:
            StoreError: as `write`.
        """
        return await self._in(self._write_threads, lambda: self._by_rows(fn, args, kwargs))

    async def write_through(
        self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do the same as `write_rows`; what is written outlasts a power cut when this returns.

        What `write` wrote last may be undone by one on SQLite, which waits for the disc only now
        and then: https://www.sqlite.org/pragma.html#pragma_synchronous

        Raises:
            StoreError: as `write`.
        """
        return await self._in(self._write_threads, lambda: self._through(fn, args, kwargs))

    async def write_each(self, fn: Callable[[Session, A], T], items: Sequence[A]) -> list[T]:
        """Run `fn(session, item)` for each item, each in a transaction of its own, in order.

        The first that fails ends it; what came before it stays written. Other writers wait
        for all of them, so give few at a time.

        Raises:
            StoreError: as `write`.
        """

        def call() -> list[T]:
            return [self._repeated(fn, (item,), {}) for item in items]

        return await self._in(self._write_threads, call)

    async def run(self, fn: Callable[[Engine], T]) -> T:
        """Run `fn(engine)` on the writer's thread: migrations, checks, backups."""

        def translated() -> T:
            try:
                return fn(self.engine)
            except self._refusals as error:
                raise in_words(error, self.name) from error

        return await self._in(self._write_threads, translated)

    def close(self) -> None:
        """Wait for what runs, a moment only for a server that is silent; close every connection."""
        hurry = threading.Timer(_END_SECONDS, self._patience.end) if self._patience else None
        if hurry:
            hurry.start()
        for threads in (self._read_threads, self._write_threads):
            threads.close()
        if hurry:
            hurry.cancel()
        self._engines.dispose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self.close)

    async def _in(self, threads: FairThreads, call: Callable[[], T]) -> T:
        return await asyncio.wrap_future(threads.submit(call))

    def _open(self, readers: int, seconds: float) -> Engines:
        if self.is_sqlite:
            return sqlite_engines(self.url, readers)
        from store.database.statement_timeout import Patience

        self._patience = Patience(seconds)
        return postgres_engines(self.url, readers, self._patience)

    def _look(self, fn: Callable[..., T], args: Any, kwargs: Any) -> T:  # noqa: ANN401 - passed through to fn, whose types the caller was held to
        try:
            # The transaction is rolled back at the end.
            with self._engines.reader.connect() as connection, Over(connection) as session:
                connection.begin()
                return fn(session, *args, **kwargs)
        except self._refusals as error:
            raise self._unreadable(error) from error

    def _unreadable(self, error: Exception) -> StoreError:
        """Say why nothing could be read: perhaps what it was asked by is no longer there."""
        said = in_words(error, self.name)
        if not (self.is_sqlite or type(said) is StoreError):
            return said
        try:
            with self._engines.reader.connect() as connection:
                self._begin(connection)
        except SchemaTooNew as newer:
            return newer
        except self._refusals:
            return said
        return said

    def _once(
        self,
        fn: Callable[..., T],
        args: Any,  # noqa: ANN401 - the same
        kwargs: Any,  # noqa: ANN401 - the same
        first: str | None = None,
        engine: Engine | None = None,
    ) -> T:
        try:
            with (
                (engine or self._engines.writer).connect() as connection,
                connection.begin(),
                Over(connection) as session,
            ):
                self._begin(connection, first)
                answer = fn(session, *args, **kwargs)
                session.flush()
        except self._refusals as error:
            said = in_words(error, self.name)
            self._noted(said)
            raise said from error
        except (SchemaTooNew, SchemaOutdated) as error:
            self._noted(error)
            raise
        self._trouble = None
        return answer

    def _noted(self, error: StoreError) -> None:
        if isinstance(error, StoreUnavailable | StoreFull | SchemaTooNew | SchemaOutdated):
            self._trouble = error

    def _begin(self, connection: Connection, first: str | None = None) -> None:
        """Take a lock before the snapshot is taken, and see that the schema may be used.

        Both in one trip to the server, past SQLAlchemy, which would take longer than that does.
        """
        statements = [each for each in (first, REVISION if self._guard else None) if each]
        if not statements:
            return
        driver: Any = connection.connection.driver_connection
        options = {} if self.is_sqlite else {"prepare": False}
        cursor = driver.execute("; ".join(statements), **options)
        for _ in statements[1:]:
            cursor.nextset()
        if self._guard:
            self._guard.judge(_only(cursor), lambda: _only(driver.execute(OLDEST)))

    def _repeated(
        self,
        fn: Callable[..., T],
        args: Any,  # noqa: ANN401 - the same
        kwargs: Any,  # noqa: ANN401 - the same
        engine: Engine | None = None,
    ) -> T:
        if self.is_sqlite:
            return self._once(fn, args, kwargs, engine=engine)
        for attempt in range(WRITE_REPEATS):
            lock = _LOCK_ALONE if attempt else _LOCK_SHARED
            try:
                return self._once(fn, args, kwargs, first=lock, engine=engine)
            except StoreError as error:
                if sqlstate(error.__cause__) not in _REPEATABLE:
                    raise
            # Writers of other programs hold no such lock; don't meet them again at once.
            time.sleep(random.uniform(0, 0.01 * 2**attempt))  # noqa: S311 - jitter, not a secret
        return self._once(fn, args, kwargs, first=_LOCK_ALONE, engine=engine)

    def _by_rows(self, fn: Callable[..., T], args: Any, kwargs: Any) -> T:  # noqa: ANN401 - the same
        return self._repeated(fn, args, kwargs, self._engines.by_rows)

    def _through(self, fn: Callable[..., T], args: Any, kwargs: Any) -> T:  # noqa: ANN401 - the same
        return self._repeated(fn, args, kwargs, self._engines.through)


def _refusals(engine: Engine) -> tuple[type[Exception], ...]:
    """Return what a database raises: SQLAlchemy wraps errors, but not where it is passed by."""
    return DBAPIError, engine.dialect.loaded_dbapi.Error


def _only(cursor: Any) -> str | None:  # noqa: ANN401 - either driver's
    row = cursor.fetchone()
    return row[0] if row else None
