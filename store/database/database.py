"""The database: `await database.read(fn)` and `await database.write(fn)`, on SQLite or Postgres.

Functions take a `Session` and run in the threads of a bounded pool: on full-text queries that gave
1.7 times the throughput of an async engine, and never stalls the event loop. Each caller has a fair
share of the threads (`fair_threads`). A write is one function in one transaction; it must be free
of other side effects, because it may be repeated on Postgres.
"""

import asyncio
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar

from sqlalchemy import Connection, Engine, TextClause, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from store.database.engines import (
    STATEMENT_SECONDS,
    postgres_engines,
    read_url,
    redacted,
    sqlite_engines,
)
from store.database.fair_threads import FairThreads
from store.errors import (
    SchemaOutdated,
    SchemaTooNew,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreUnavailable,
)

__all__ = ["Database", "Session"]

P = ParamSpec("P")
A = TypeVar("A")
T = TypeVar("T")

READERS = 4
WRITE_REPEATS = 5
# How long a running statement may go on when the database is closed.
_CLOSING_SECONDS = 2.0

# Serialization failure and deadlock: Postgres rolled the transaction back and asks for a repeat.
# A unique violation can stand for the first when two writers insert the same new key, and a foreign
# key violation when one refers to a row that the other deletes.
# https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html
_REPEATABLE = frozenset({"40001", "40P01", "23503", "23505"})

# Writers run side by side, and a repeat runs alone, so that no number of writers on one hot
# row can starve it. LOCK TABLE is the one lock that is taken before the snapshot is; a
# migration, which writes this table, waits for writers and they for it.
# https://www.postgresql.org/docs/current/sql-lock.html
_LOCK_SHARED = text("LOCK TABLE alembic_version IN SHARE MODE")
_LOCK_ALONE = text("LOCK TABLE alembic_version IN EXCLUSIVE MODE")
_REVISION = text("SELECT version_num FROM alembic_version")


class Database:
    """One store. Nothing is opened before the first read or write.

    `readers` is how many reads run at once, `patience` how many seconds a Postgres server may take
    to answer a statement.

    Raises:
        BadDatabaseURL: if the URL is neither `sqlite:///FILE` nor `postgresql+psycopg://…`.
    """

    def __init__(
        self, url: str, readers: int = READERS, patience: float = STATEMENT_SECONDS
    ) -> None:
        self.url = read_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self._ended = threading.Event()
        self._engines = (
            sqlite_engines(self.url, readers)
            if self.is_sqlite
            else postgres_engines(self.url, readers, patience, self._ended)
        )
        # SQLAlchemy wraps the driver's errors, but not those of statements that bypass it.
        self._refusals = (DBAPIError, self._engines.writer.dialect.loaded_dbapi.Error)
        # The revisions that the program knows, oldest first, and the schemas that it may use.
        self._known: tuple[str, ...] = ()
        self._usable: set[str] = set()
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
        """The name of the store in messages: its file, or its URL without anything secret."""
        return str(self.path) if self.path else redacted(self.url)

    @property
    def engine(self) -> Engine:
        """The engine for migrations and backups, whose statements have no timeout."""
        return self._engines.upkeep

    @property
    def trouble(self) -> StoreError | None:
        """The error of the last write where it was the store's own, else `None`."""
        return self._trouble

    def require_revisions(self, known: Sequence[str]) -> None:
        """Write from now on only where the schema suits a program that knows these revisions.

        Another process may upgrade the schema meanwhile; where it suits no more, a write fails.
        """
        self._known, self._usable = tuple(known), {known[-1]}

    async def read(
        self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `fn(session, …)` on a read-only snapshot, and return its answer.

        Raises:
            StoreError: the database's refusal, in words.
        """
        return await self._read_threads.run(
            lambda: self._read(lambda session: fn(session, *args, **kwargs))
        )

    async def write(
        self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `fn(session, …)` in one transaction, commit it, and return its answer.

        On Postgres it is repeated, five times at most, when another writer got in its way.

        Raises:
            StoreBusy: if other writers kept the store all the while.
            StoreError: any other refusal of the database; nothing was written.
        """
        return await self._write_on(
            self._engines.writer, lambda session: fn(session, *args, **kwargs)
        )

    async def write_locking_rows(
        self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run as `write` a function that locks each row on which its decisions depend.

        On Postgres it runs READ COMMITTED, so that writers of different rows never get in each
        other's way, and rows that are locked can be skipped:
        https://www.postgresql.org/docs/current/sql-select.html#SQL-FOR-UPDATE-SHARE
        """
        return await self._write_on(
            self._engines.locking_rows, lambda session: fn(session, *args, **kwargs)
        )

    async def write_durably(
        self, fn: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run as `write_locking_rows` a function whose writes survive a power cut from then on.

        A power cut may undo the last `write` on SQLite, which waits for the disk only now and
        then: https://www.sqlite.org/pragma.html#pragma_synchronous
        """
        return await self._write_on(
            self._engines.durable, lambda session: fn(session, *args, **kwargs)
        )

    async def write_each(self, fn: Callable[[Session, A], T], items: Sequence[A]) -> list[T]:
        """Run `fn(session, item)` for each item, each in its own transaction, in order.

        The first failure ends it; what was written before stays. Other writers wait for all of
        them, so give few at a time.
        """

        def write_one(item: A) -> T:
            return self._write(self._engines.writer, lambda session: fn(session, item))

        return await self._write_threads.run(lambda: [write_one(item) for item in items])

    async def run(self, fn: Callable[[Engine], T]) -> T:
        """Run `fn(engine)` on the writer's thread: migrations, checks, backups."""

        def call() -> T:
            with self.refusals_in_words():
                return fn(self.engine)

        return await self._write_threads.run(call)

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Give a connection that reads one snapshot, for however long, beside writers."""
        with self.refusals_in_words():
            connection = self._engines.snapshot.connect()
        with connection, connection.begin():
            yield connection

    @contextmanager
    def refusals_in_words(self) -> Iterator[None]:
        """Translate what this database refuses in a block.

        Raises:
            StoreError: the database's refusal, in words.
        """
        try:
            yield
        except self._refusals as error:
            raise _store_error(error, self.name) from error

    def close(self) -> None:
        """Wait for running calls, for a silent server only a moment; close every connection."""
        timer = threading.Timer(_CLOSING_SECONDS, self._ended.set)
        timer.start()
        for threads in (self._read_threads, self._write_threads):
            threads.close()
        timer.cancel()
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

    async def _write_on(self, engine: Engine, call: Callable[[Session], T]) -> T:
        return await self._write_threads.run(lambda: self._write(engine, call))

    def _read(self, call: Callable[[Session], T]) -> T:
        try:
            # The transaction is rolled back at the end.
            with (
                self._engines.reader.connect() as connection,
                Session(connection) as session,
            ):
                connection.begin()
                return call(session)
        except self._refusals as error:
            raise self._read_error(error) from error

    def _read_error(self, error: Exception) -> StoreError:
        """Return the error of a read: perhaps an upgrade removed what it selects from."""
        refused = _store_error(error, self.name)
        if not (self.is_sqlite or type(refused) is StoreError):
            return refused
        try:
            with self._engines.reader.connect() as connection:
                self._begin(connection)
        except SchemaTooNew as newer:
            return newer
        except self._refusals:
            return refused
        return refused

    def _write(self, engine: Engine, call: Callable[[Session], T]) -> T:
        """Run a transaction, which Postgres may ask to repeat."""
        if self.is_sqlite:
            return self._write_once(engine, call)
        for attempt in range(WRITE_REPEATS):
            lock = _LOCK_ALONE if attempt else _LOCK_SHARED
            try:
                return self._write_once(engine, call, lock)
            except StoreError as error:
                if _sqlstate(error.__cause__) not in _REPEATABLE:
                    raise
            # Writers of other programs hold no such lock; don't meet them again at once.
            time.sleep(random.uniform(0, 0.01 * 2**attempt))  # noqa: S311 - jitter, not a secret
        return self._write_once(engine, call, _LOCK_ALONE)

    def _write_once(
        self, engine: Engine, call: Callable[[Session], T], lock: TextClause | None = None
    ) -> T:
        try:
            with (
                engine.connect() as connection,
                connection.begin(),
                Session(connection) as session,
            ):
                self._begin(connection, lock)
                answer = call(session)
                session.flush()
        except self._refusals as error:
            refused = _store_error(error, self.name)
            if isinstance(refused, StoreUnavailable | StoreFull):
                self._trouble = refused
            raise refused from error
        except (SchemaTooNew, SchemaOutdated) as error:
            self._trouble = error
            raise
        self._trouble = None
        return answer

    def _begin(self, connection: Connection, lock: TextClause | None = None) -> None:
        """Take a lock before the snapshot is taken, and check that the schema may be used.

        Each schema names the oldest program that may use it, by the newest revision that it knows:
        a migration that older programs can't follow raises `schema_support.oldest`.

        Raises:
            SchemaTooNew: where a later program changed it in a way that this one can't follow.
            SchemaOutdated: where an older one was put in its place.
        """
        if lock is not None:
            connection.execute(lock)
        if not self._known:
            return
        revision = connection.scalar(_REVISION)
        if revision in self._usable:
            return
        # Revisions sort in their order.
        if revision is None or revision < self._known[-1]:
            raise SchemaOutdated(revision)
        oldest = connection.scalar(text("SELECT oldest FROM schema_support"))
        if oldest is None or oldest > self._known[-1]:
            raise SchemaTooNew(revision, meanwhile=True)
        self._usable.add(revision)


# Serialization failure, deadlock, a lock that was not to be had in time.
_BUSY = frozenset({"40001", "40P01", "55P03"})
# https://www.postgresql.org/docs/current/errcodes-appendix.html
_FULL = "53100"
_CUT_OFF = frozenset({"25P03", "57P01", "57P02", "57P03"})


def _sqlstate(error: BaseException | None) -> str | None:
    """Return Postgres's code of an error, `None` where it has none."""
    state = getattr(error.orig if isinstance(error, DBAPIError) else error, "sqlstate", None)
    return state if isinstance(state, str) else None


def _store_error(error: Exception, where: str) -> StoreError:
    """Return the error for a refusal of the database; `where` names the database."""
    reason = str(error.orig if isinstance(error, DBAPIError) else error).strip()
    state = _sqlstate(error)
    if state in _BUSY or "database is locked" in reason:
        return StoreBusy()
    first_line = reason.splitlines()[0] if reason else type(error).__name__
    if state == _FULL or "disk is full" in reason:
        return StoreFull(where, first_line)
    if state in _CUT_OFF or _is_cut_off(error) or "not a database" in reason:
        return StoreUnavailable(where, first_line)
    return StoreError(f"The store refused a statement: {reason}.")


def _is_cut_off(error: BaseException | None) -> bool:
    """Tell whether the database refuses any statement, not only this one."""
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or _is_cut_off(error.orig)
    if isinstance(error, sqlite3.Error):
        # All errors of a statement itself have one code, the first.
        # https://www.sqlite.org/rescode.html#primary_result_code_list
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        return isinstance(error, sqlite3.OperationalError) and code != sqlite3.SQLITE_ERROR
    return any(kind.__name__ == "OperationalError" for kind in type(error).__mro__)
