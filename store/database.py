"""The database: `await db.read(fn)` and `await db.write(fn)`, on SQLite or Postgres.

Functions take a `Session` and run in threads of a bounded pool of the database's own: on
full-text queries that gave 1.7 times the throughput of an async engine, and never stalls
the event loop. A write is one function in one transaction; it must be free of other side
effects, because Postgres may have it run again.
"""

import asyncio
import random
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from json import JSONDecoder
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlmodel import Session

from store.errors import BadDatabaseURL, StoreBusy, StoreError, StoreUnavailable

__all__ = ["Database", "Session"]

P = ParamSpec("P")
A = TypeVar("A")
T = TypeVar("T")

READERS = 4
WRITE_REPEATS = 5
BUSY_SECONDS = 5

# Serialization failure and deadlock: Postgres undid the transaction and asks for a repeat.
# A unique violation can stand for the first when two writers insert the same new key.
# https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html
_REPEATABLE = frozenset({"40001", "40P01", "23505"})

# What `json.loads` does besides is to ask for options that nobody gives.
_READ_JSON = JSONDecoder().decode

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

    Raises:
        BadDatabaseURL: if the URL names neither.
    """

    def __init__(self, url: str, readers: int = READERS) -> None:
        self.url = _checked(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        engines = _sqlite_engines if self.is_sqlite else _postgres_engines
        self._reader, self._writer = engines(self.url, readers)
        # SQLite has one writer; on Postgres a few may overlap and the server judges them.
        writers = 1 if self.is_sqlite else readers
        self._read_threads = ThreadPoolExecutor(readers, "store-read")
        self._write_threads = ThreadPoolExecutor(writers, "store-write")

    @property
    def path(self) -> Path | None:
        """The file of an SQLite store, `None` on Postgres."""
        return Path(str(self.url.database)) if self.is_sqlite else None

    @property
    def name(self) -> str:
        """The store as messages name it: its file, or its URL without the password."""
        return str(self.path) if self.path else self.url.render_as_string(hide_password=True)

    @property
    def engine(self) -> Engine:
        """The engine that writes, for migrations and backups."""
        return self._writer

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

    async def write_through(
        self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do the same as `write`; what is written outlasts a power cut when this returns.

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
                return fn(self._writer)
            except _REFUSALS as error:
                raise self._in_words(error) from error

        return await self._in(self._write_threads, translated)

    def close(self) -> None:
        """Wait for what runs and close every connection."""
        for threads in (self._read_threads, self._write_threads):
            threads.shutdown()
        self._reader.dispose()
        self._writer.dispose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self.close)

    async def _in(self, threads: ThreadPoolExecutor, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, call)

    def _look(self, fn: Callable[..., T], args: Any, kwargs: Any) -> T:  # noqa: ANN401 - passed through to fn, whose types the caller was held to
        try:
            # Its transaction begins with the first statement and is rolled back at the end.
            with Session(self._reader) as session:
                return fn(session, *args, **kwargs)
        except _REFUSALS as error:
            raise self._in_words(error) from error

    def _once(
        self,
        fn: Callable[..., T],
        args: Any,  # noqa: ANN401 - the same
        kwargs: Any,  # noqa: ANN401 - the same
        first: str | None = None,
    ) -> T:
        try:
            with Session(self._writer, expire_on_commit=False) as session, session.begin():
                if first:
                    session.connection().exec_driver_sql(first)
                return fn(session, *args, **kwargs)
        except _REFUSALS as error:
            raise self._in_words(error) from error

    def _repeated(self, fn: Callable[..., T], args: Any, kwargs: Any) -> T:  # noqa: ANN401 - the same
        if self.is_sqlite:
            return self._once(fn, args, kwargs)
        for attempt in range(WRITE_REPEATS):
            lock = _LOCK_ALONE if attempt else _LOCK_SHARED
            try:
                return self._once(fn, args, kwargs, first=lock)
            except StoreError as error:
                if _sqlstate(error.__cause__) not in _REPEATABLE:
                    raise
            # Writers of other programs hold no such lock; don't meet them again at once.
            time.sleep(random.uniform(0, 0.01 * 2**attempt))  # noqa: S311 - jitter, not a secret
        return self._once(fn, args, kwargs, first=_LOCK_ALONE)

    def _through(self, fn: Callable[..., T], args: Any, kwargs: Any) -> T:  # noqa: ANN401 - the same
        if not self.is_sqlite:
            return self._repeated(fn, args, kwargs)
        self._wait_for_disc("FULL")
        try:
            return self._repeated(fn, args, kwargs)
        finally:
            self._wait_for_disc("NORMAL")

    def _wait_for_disc(self, level: str) -> None:
        writer = self._writer.raw_connection()
        try:
            writer.cursor().execute(f"PRAGMA synchronous = {level}")
        except sqlite3.Error as error:
            raise self._in_words(error) from error
        finally:
            writer.close()

    def _in_words(self, error: DBAPIError | sqlite3.Error) -> StoreError:
        if _sqlstate(error) in {"40001", "40P01", "55P03"} or "database is locked" in str(error):
            return StoreBusy()
        reason = str(error.orig if isinstance(error, DBAPIError) else error).strip()
        cut_off = isinstance(error, OperationalError | sqlite3.OperationalError)
        if cut_off or "not a database" in str(error):
            return StoreUnavailable(self.name, reason.splitlines()[0])
        return StoreError(f"The store refused a statement: {reason}.")


# A transaction of SQLite's is begun past SQLAlchemy, which wraps all other errors.
_REFUSALS = (DBAPIError, sqlite3.Error)


def _checked(url: str) -> URL:
    try:
        parsed = make_url(url.replace("postgres://", "postgresql://", 1))
    except ArgumentError as error:
        raise BadDatabaseURL(f"{url!r} is no URL") from error
    backend = parsed.get_backend_name()
    if backend == "postgresql":
        return parsed.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise BadDatabaseURL(f"{backend} is not supported")
    if parsed.database in (None, "", ":memory:"):
        raise BadDatabaseURL("a store in memory would be lost; name a file")
    return parsed


def _sqlstate(error: BaseException | None) -> str | None:
    return getattr(error.orig, "sqlstate", None) if isinstance(error, DBAPIError) else None


def _sqlite_engines(url: URL, readers: int) -> tuple[Engine, Engine]:
    """Return a reader that can't write and a single writer that locks as it begins.

    With SQLAlchemy's default transactions, eight threads doing read-modify-writes lost
    nearly every update; `BEGIN IMMEDIATE` lost none.
    """
    reader = create_engine(url, pool_size=readers, max_overflow=0, json_deserializer=_READ_JSON)
    writer = create_engine(url, pool_size=1, max_overflow=0, json_deserializer=_READ_JSON)
    _prepare(reader, begin="BEGIN", pragmas=("query_only = ON",))
    _prepare(writer, begin="BEGIN IMMEDIATE", pragmas=("journal_mode = WAL",))
    return reader, writer


def _prepare(engine: Engine, begin: str, pragmas: tuple[str, ...]) -> None:
    common = (f"busy_timeout = {BUSY_SECONDS * 1000}", "synchronous = NORMAL", "foreign_keys = ON")

    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # the driver would begin transactions by itself
        for pragma in (*common, *pragmas):
            _execute_patiently(connection, f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        # Past SQLAlchemy, whose part in it takes longer than a small read.
        driver: Any = connection.connection.driver_connection
        driver.execute(begin)


def _execute_patiently(connection: sqlite3.Connection, pragma: str) -> None:
    """Set a pragma; SQLite does not wait by itself when several processes set up one file.

    https://www.sqlite.org/rescode.html#busy_recovery
    """
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute(pragma)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _postgres_engines(url: URL, readers: int) -> tuple[Engine, Engine]:
    engine = create_engine(url, pool_size=2 * readers, pool_pre_ping=True)
    reader = engine.execution_options(
        isolation_level="REPEATABLE READ", postgresql_readonly=True, postgresql_deferrable=False
    )
    return reader, engine.execution_options(isolation_level="SERIALIZABLE")
