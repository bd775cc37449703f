"""Engines for the URL of a database: SQLite, with its readers and its one writer, and Postgres."""

import sqlite3
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, NullPool, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from store.database.private_files import create_private
from store.errors import BadDatabaseURL

# How long a writer waits for other writers.
_BUSY_SECONDS = 5
# How long a server may take to answer a statement; ours take a fraction of a second, and one that
# waits for a lock fails before. A connection that was cut silently is detected by it.
STATEMENT_SECONDS = 8.0
# How long connecting may take, in whole seconds.
# https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNECT-CONNECT-TIMEOUT
_CONNECT_SECONDS = 3
# A process that is frozen or cut off while it writes blocks other writers no longer than this.
# https://www.postgresql.org/docs/current/runtime-config-client.html#GUC-IDLE-IN-TRANSACTION-SESSION-TIMEOUT
_IDLE_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Engines:
    """The engines of one database.

    `reader` can't write; on Postgres `writer` runs SERIALIZABLE and `locking_rows` READ COMMITTED.
    What `durable` writes survives a power cut; `upkeep` has no timeouts, nor has `snapshot`, which
    reads one beside writers.
    """

    reader: Engine
    writer: Engine
    locking_rows: Engine
    durable: Engine
    upkeep: Engine
    snapshot: Engine

    def dispose(self) -> None:
        """Close every connection."""
        self.reader.dispose()
        self.writer.dispose()


def sqlite_engines(url: URL, readers: int) -> Engines:
    """Return a reader that can't write and a single writer that locks as it begins.

    With SQLAlchemy's default transactions, eight threads doing read-modify-writes lost nearly
    every update; with `BEGIN IMMEDIATE` none.
    """
    # The connection that was used last is used first: what is kept with it is needed again.
    reader = create_engine(url, pool_size=readers, max_overflow=0, pool_use_lifo=True)
    writer = create_engine(url, pool_size=1, max_overflow=0)
    _set_up(reader, begin="BEGIN", pragmas=("query_only = ON",))
    _set_up(writer, begin="BEGIN IMMEDIATE", pragmas=("journal_mode = WAL",))
    # The same connection, so that its cache stays valid; each transaction sets the option.
    durable = writer.execution_options(synchronous="FULL")
    return Engines(
        reader, writer, locking_rows=writer, durable=durable, upkeep=writer, snapshot=reader
    )


def postgres_engines(url: URL, readers: int, seconds: float, ended: threading.Event) -> Engines:
    """Return engines for Postgres whose statements take so many seconds at most.

    Once `ended` is set the wait for all statements ends.
    """
    engine = create_engine(url, pool_size=2 * readers, pool_pre_ping=True, pool_use_lifo=True)
    _set_timeouts(engine, seconds, ended)
    upkeep = create_engine(url, poolclass=NullPool, connect_args=_connect_args(url))
    locking_rows = engine.execution_options(isolation_level="READ COMMITTED")
    read_only = {
        "isolation_level": "REPEATABLE READ",
        "postgresql_readonly": True,
        "postgresql_deferrable": False,
    }
    return Engines(
        engine.execution_options(**read_only),
        engine.execution_options(isolation_level="SERIALIZABLE"),
        locking_rows,
        locking_rows,
        upkeep.execution_options(isolation_level="SERIALIZABLE"),
        upkeep.execution_options(**read_only),
    )


def _set_up(engine: Engine, begin: str, pragmas: tuple[str, ...]) -> None:
    common = (f"busy_timeout = {_BUSY_SECONDS * 1000}", "synchronous = NORMAL", "foreign_keys = ON")

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

    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        # By the driver, as each read begins so and most ask for little.
        driver: Any = connection.connection.driver_connection
        level = connection.get_execution_options().get("synchronous", "NORMAL")
        if connection.info.get("synchronous", "NORMAL") != level:
            driver.execute(f"PRAGMA synchronous = {level}")
            connection.info["synchronous"] = level
        driver.execute(begin)


def _execute_waiting(connection: sqlite3.Connection, pragma: str) -> None:
    """Set a pragma; when several processes set up one file, SQLite does not wait by itself.

    https://www.sqlite.org/rescode.html#busy_recovery
    """
    deadline = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.execute(pragma)
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _set_timeouts(engine: Engine, seconds: float, ended: threading.Event) -> None:
    from store.database.statement_timeout import TimedConnection

    @event.listens_for(engine, "do_connect")
    def open_connection(
        _dialect: object, _record: object, arguments: list[Any], options: dict[str, Any]
    ) -> object:
        options = {**_connect_args(engine.url), **options}
        connection = TimedConnection.connect(*arguments, **options)
        connection.seconds, connection.ended = seconds, ended
        return connection

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _record: object) -> None:  # noqa: ANN401 - the same
        connection.autocommit = True
        # By statements: a connection pooler may refuse options of a connection.
        connection.execute(
            f"SET lock_timeout = '{_BUSY_SECONDS}s';"
            f" SET idle_in_transaction_session_timeout = '{_IDLE_SECONDS}s'",
            prepare=False,
        )
        connection.autocommit = False


def _connect_args(url: URL) -> dict[str, Any]:
    return {} if "connect_timeout" in url.query else {"connect_timeout": _CONNECT_SECONDS}


def read_url(text: str) -> URL:
    """Parse a URL, and set the driver.

    It holds a password; where that is not encoded, pieces of it are parsed as the host.

    Raises:
        BadDatabaseURL: if it names no usable database; the error shows nothing of it but the name
            of the database's kind.
    """
    # The errors' own words hold pieces of the text, so they are no cause either.
    try:
        url = make_url(text.replace("postgres://", "postgresql://", 1))
    except (ArgumentError, ValueError):
        raise BadDatabaseURL(
            "it can't be read as a URL; inside a password write @ as %40, : as %3A and / as %2F"
        ) from None
    match url.get_backend_name():
        case "postgresql":
            if text.count("@") > 1:
                raise BadDatabaseURL("it holds more than one @; inside a password write it as %40")
            if "@" in f"{url.host}{url.database}":  # a slash too many, as in `:///`
                raise BadDatabaseURL("its user and password are not between // and the host")
            return url.set(drivername="postgresql+psycopg")
        case "sqlite":
            return _of_file(url)
        case other:
            raise BadDatabaseURL(f"{other} is not supported")


def redacted(url: URL) -> str:
    """Return a URL without its password, and without its options, which may hold one too."""
    return url.set(query={}).render_as_string(hide_password=True)


def _of_file(url: URL) -> URL:
    if url.drivername not in {"sqlite", "sqlite+pysqlite"}:
        raise BadDatabaseURL(f"{url.drivername} is not supported")
    if any((url.username, url.password, url.host, url.port)):
        raise BadDatabaseURL("the name of a file follows three slashes")
    if url.database in (None, "", ":memory:"):
        raise BadDatabaseURL("a store in memory would be lost; name a file")
    return url
