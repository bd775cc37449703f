"""Engines for SQLite, with its readers and its one writer, and for Postgres."""

import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, NullPool, create_engine, event
from sqlalchemy.engine import URL
from sqlmodel import Session

from store.database.private_files import create_private

if TYPE_CHECKING:
    from store.database.statement_timeout import StatementTimeout

# How long a writer waits for other writers.
BUSY_SECONDS = 5
# How long a server may take to answer a statement; ours take a fraction of a second, and one that
# waits for a lock fails before. A connection that was cut silently is detected by it.
STATEMENT_SECONDS = 8.0
# How long connecting may take, in whole seconds.
# https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNECT-CONNECT-TIMEOUT
CONNECT_SECONDS = 3
# A process that is frozen or cut off while it writes blocks other writers no longer than this.
# https://www.postgresql.org/docs/current/runtime-config-client.html#GUC-IDLE-IN-TRANSACTION-SESSION-TIMEOUT
_IDLE_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Engines:
    """The engines of one database.

    `reader` can't write; on Postgres `writer` runs SERIALIZABLE and `locking_rows` READ COMMITTED.
    What `durable` writes survives a power cut; `upkeep` has no timeouts.
    """

    reader: Engine
    writer: Engine
    locking_rows: Engine
    durable: Engine
    upkeep: Engine

    def dispose(self) -> None:
        """Close every connection."""
        self.reader.dispose()
        self.writer.dispose()


def sqlite_engines(url: URL, readers: int) -> Engines:
    """Return a reader that can't write and a single writer that locks as it begins.

    With SQLAlchemy's default transactions, eight threads doing read-modify-writes lost nearly
    every update; with `BEGIN IMMEDIATE` none.
    """
    reader = create_engine(url, pool_size=readers, max_overflow=0)
    writer = create_engine(url, pool_size=1, max_overflow=0)
    _set_up(reader, begin="BEGIN", pragmas=("query_only = ON",))
    _set_up(writer, begin="BEGIN IMMEDIATE", pragmas=("journal_mode = WAL",))
    # The same connection, so that its cache stays valid; each transaction sets the option.
    durable = writer.execution_options(synchronous="FULL")
    return Engines(reader, writer, locking_rows=writer, durable=durable, upkeep=writer)


def postgres_engines(url: URL, readers: int, timeout: "StatementTimeout") -> Engines:
    """Return engines for Postgres whose statements have a timeout."""
    engine = create_engine(url, pool_size=2 * readers, pool_pre_ping=True)
    _set_timeouts(engine, timeout)
    upkeep = create_engine(url, poolclass=NullPool, connect_args=_connect_args(url))
    locking_rows = engine.execution_options(isolation_level="READ COMMITTED")
    return Engines(
        engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True, postgresql_deferrable=False
        ),
        engine.execution_options(isolation_level="SERIALIZABLE"),
        locking_rows,
        locking_rows,
        upkeep.execution_options(isolation_level="SERIALIZABLE"),
    )


def _set_up(engine: Engine, begin: str, pragmas: tuple[str, ...]) -> None:
    common = (f"busy_timeout = {BUSY_SECONDS * 1000}", "synchronous = NORMAL", "foreign_keys = ON")

    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # the driver would begin transactions by itself
        for pragma in (*common, *pragmas):
            _execute_waiting(connection, f"PRAGMA {pragma}")

    @event.listens_for(engine, "do_connect")
    def make_private(
        _dialect: object, _record: object, arguments: list[Any], _options: dict[str, Any]
    ) -> None:
        if not arguments[0].startswith("file:"):  # a URI has options of its own
            create_private(Path(arguments[0]))

    writes = begin == "BEGIN IMMEDIATE"

    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        # By the driver: through SQLAlchemy it takes longer than a small read.
        driver: Any = connection.connection.driver_connection
        if writes:
            level = connection.get_execution_options().get("synchronous", "NORMAL")
            driver.execute(f"PRAGMA synchronous = {level}")
        driver.execute(begin)


def _execute_waiting(connection: sqlite3.Connection, pragma: str) -> None:
    """Set a pragma; when several processes set up one file, SQLite does not wait by itself.

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


def _set_timeouts(engine: Engine, timeout: "StatementTimeout") -> None:
    from store.database.statement_timeout import connect

    @event.listens_for(engine, "do_connect")
    def open_connection(
        _dialect: object,
        _record: object,
        arguments: list[Any],
        options: dict[str, Any],
    ) -> object:
        return connect(timeout, *arguments, **{**_connect_args(engine.url), **options})

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _record: object) -> None:  # noqa: ANN401 - the same
        connection.autocommit = True
        # By statements: a connection pooler may refuse options of a connection.
        connection.execute(
            f"SET lock_timeout = '{BUSY_SECONDS}s';"
            f" SET idle_in_transaction_session_timeout = '{_IDLE_SECONDS}s'",
            prepare=False,
        )
        connection.autocommit = False


def _connect_args(url: URL) -> dict[str, Any]:
    return {} if "connect_timeout" in url.query else {"connect_timeout": CONNECT_SECONDS}


class ConnectionSession(Session):
    """A session over one connection, whose transaction the caller begins and ends.

    The connection is handed out as it is: a transaction of the session's own would take longer than
    a small read.
    """

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._connection = connection

    def connection(self, *_: Any, **__: Any) -> Connection:  # noqa: ANN401 - what a session's takes
        """Return the connection."""
        return self._connection
