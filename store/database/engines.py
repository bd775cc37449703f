"""How a database is connected to: SQLite's readers and its one writer, and Postgres."""

import sqlite3
import time
from dataclasses import dataclass
from json import JSONDecoder
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, NullPool, create_engine, event
from sqlalchemy.engine import URL

from store.database.private_files import create_private

if TYPE_CHECKING:
    from store.database.statement_timeout import Patience


from sqlmodel import Session

# How long one who writes waits for others who do.
BUSY_SECONDS = 5
# How long a server may take to answer a statement, which all of ours do in a fraction of a second;
# what waits for others is told that it is busy before. A line that is cut without a word is found
# out by that, and one who asks in a chat hears of it.
STATEMENT_SECONDS = 8.0
# The same for a server that may not be there at all, in whole seconds.
# https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNECT-CONNECT-TIMEOUT
CONNECT_SECONDS = 3
# A process that is frozen or cut off while it writes keeps others from writing no longer than this.
# https://www.postgresql.org/docs/current/runtime-config-client.html#GUC-IDLE-IN-TRANSACTION-SESSION-TIMEOUT
_SILENT_SECONDS = 10

# What `json.loads` does besides is to ask for options that nobody gives.
_READ_JSON = JSONDecoder().decode


@dataclass(frozen=True, slots=True)
class Engines:
    """The ways into one database.

    `reader` can't write, `writer` runs SERIALIZABLE, `by_rows` READ COMMITTED on Postgres; what
    `through` writes outlasts a power cut; `upkeep` is for work that may take its time.
    """

    reader: Engine
    writer: Engine
    by_rows: Engine
    through: Engine
    upkeep: Engine

    def dispose(self) -> None:
        """Close every connection."""
        self.reader.dispose()
        self.writer.dispose()


def sqlite_engines(url: URL, readers: int) -> Engines:
    """Return a reader that can't write and a single writer that locks as it begins.

    With SQLAlchemy's default transactions, eight threads doing read-modify-writes lost
    nearly every update; `BEGIN IMMEDIATE` lost none.
    """
    reader = create_engine(url, pool_size=readers, max_overflow=0, json_deserializer=_READ_JSON)
    writer = create_engine(url, pool_size=1, max_overflow=0, json_deserializer=_READ_JSON)
    _prepare(reader, begin="BEGIN", pragmas=("query_only = ON",))
    _prepare(writer, begin="BEGIN IMMEDIATE", pragmas=("journal_mode = WAL",))
    # One connection, so that what it keeps in memory stays true; a transaction says what it is.
    through = writer.execution_options(synchronous="FULL")
    return Engines(reader, writer, by_rows=writer, through=through, upkeep=writer)


def postgres_engines(url: URL, readers: int, patience: "Patience") -> Engines:
    """Return ways into Postgres whose statements are not waited for without end."""
    engine = create_engine(url, pool_size=2 * readers, pool_pre_ping=True)
    _be_impatient(engine, patience)
    upkeep = create_engine(url, poolclass=NullPool, connect_args=_connecting(url))
    by_rows = engine.execution_options(isolation_level="READ COMMITTED")
    return Engines(
        engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True, postgresql_deferrable=False
        ),
        engine.execution_options(isolation_level="SERIALIZABLE"),
        by_rows,
        by_rows,
        upkeep.execution_options(isolation_level="SERIALIZABLE"),
    )


def _prepare(engine: Engine, begin: str, pragmas: tuple[str, ...]) -> None:
    common = (f"busy_timeout = {BUSY_SECONDS * 1000}", "synchronous = NORMAL", "foreign_keys = ON")

    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # the driver would begin transactions by itself
        for pragma in (*common, *pragmas):
            _execute_patiently(connection, f"PRAGMA {pragma}")

    @event.listens_for(engine, "do_connect")
    def make_private(
        _dialect: object, _record: object, arguments: list[Any], _options: dict[str, Any]
    ) -> None:
        if not arguments[0].startswith("file:"):  # a URI, which says itself what is made
            create_private(Path(arguments[0]))

    writes = begin == "BEGIN IMMEDIATE"

    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        # Past SQLAlchemy, whose part in it takes longer than a small read.
        driver: Any = connection.connection.driver_connection
        if writes:
            level = connection.get_execution_options().get("synchronous", "NORMAL")
            driver.execute(f"PRAGMA synchronous = {level}")
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


def _be_impatient(engine: Engine, patience: "Patience") -> None:
    from store.database.statement_timeout import connect

    @event.listens_for(engine, "do_connect")
    def open_connection(
        _dialect: object,
        _record: object,
        arguments: list[Any],
        options: dict[str, Any],
    ) -> object:
        return connect(patience, *arguments, **{**_connecting(engine.url), **options})

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _record: object) -> None:  # noqa: ANN401 - the same
        connection.autocommit = True
        # By statements: what stands between us and the server may refuse options of a connection.
        connection.execute(
            f"SET lock_timeout = '{BUSY_SECONDS}s';"
            f" SET idle_in_transaction_session_timeout = '{_SILENT_SECONDS}s'",
            prepare=False,
        )
        connection.autocommit = False


def _connecting(url: URL) -> dict[str, Any]:
    return {} if "connect_timeout" in url.query else {"connect_timeout": CONNECT_SECONDS}


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
