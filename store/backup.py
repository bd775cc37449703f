"""Backups are SQLite files, whichever the database: made beside running writers, put back whole."""

import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, Table, create_engine, select, text
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, SQLModel

from store import migrate
from store.errors import BackupError, SchemaTooNew
from store.private_files import create_private
from store.search import reindex

_INDEX = ("rowid", "title", "summary", "highlights", "heading", "section")
_SQLITE_MAGIC = b"SQLite format 3\0"  # https://www.sqlite.org/fileformat.html#the_database_header
_BATCH = 1000


def backup(engine: Engine, path: Path) -> None:
    """Write all that is stored, as of one moment, into a new SQLite file.

    The file appears complete or not at all.

    Raises:
        BackupError: if it exists, or can't be written, or nothing is stored yet.
    """
    if path.exists():
        raise BackupError(f"{path} exists already.", "Name a new file; nothing is overwritten.")
    if not path.absolute().parent.is_dir():
        raise BackupError(f"There is no folder {path.absolute().parent}.", "Make it first.")
    with tempfile.TemporaryDirectory(dir=path.absolute().parent, prefix=".backup-") as folder:
        unfinished = Path(folder) / "backup.db"
        create_private(unfinished)
        with engine.connect() as connection:
            if migrate.current(connection) is None:
                raise BackupError("There is nothing to back up: the store is not set up yet.")
            if connection.dialect.name == "sqlite":
                _copy_file(connection, unfinished)
            else:
                _copy_tables(connection, unfinished)
        unfinished.rename(path)


def restore(engine: Engine, path: Path) -> None:
    """Replace all that is stored by what a backup holds, in one transaction.

    A backup of an older version is brought up to date first, on a copy of it.

    Raises:
        BackupError: if the file is no backup.
        SchemaTooNew: if a later version of the program made it, or wrote the store.
    """
    with tempfile.TemporaryDirectory(prefix="broadsheet-restore-") as folder:
        copy = Path(folder) / "backup.db"
        create_private(copy)
        _copy_backup(path, copy)
        source = create_engine(f"sqlite:///{copy}")
        try:
            migrate.upgrade(source)
            migrate.upgrade(engine)
            with source.connect() as old, engine.begin() as new:
                _replace(old, new)
        finally:
            source.dispose()


def _copy_file(connection: Connection, path: Path) -> None:
    original = connection.connection.driver_connection
    if not isinstance(original, sqlite3.Connection):
        raise TypeError(f"{type(original)} is no SQLite connection")
    connection.rollback()  # a connection inside a transaction would wait for itself
    with closing(sqlite3.connect(path)) as copy:
        original.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it


def _copy_tables(connection: Connection, path: Path) -> None:
    """Copy a Postgres store, whatever its revision, into an SQLite file of the same one."""
    copy = create_engine(f"sqlite:///{path}")
    try:
        migrate.upgrade(copy, migrate.current(connection) or migrate.head())
        tables = MetaData()
        tables.reflect(connection, only=lambda name, _: migrate.is_ours(name, "table", {}))
        with copy.begin() as target:
            same = MetaData()
            same.reflect(target, only=lambda name, _: migrate.is_ours(name, "table", {}))
            for table in tables.sorted_tables:
                if table.name != "alembic_version":
                    # A migration may have put rows into a table that it made.
                    target.execute(same.tables[table.name].delete())
                    _copy_rows(connection, table, target, same.tables[table.name])
            _copy_index(connection, target)
    finally:
        copy.dispose()


def _copy_backup(path: Path, copy: Path) -> None:
    try:
        with path.open("rb") as file:
            header = file.read(len(_SQLITE_MAGIC))
    except OSError as error:
        raise BackupError(f"{path} can't be read: {error.strerror}.") from error
    if header != _SQLITE_MAGIC:
        raise BackupError(f"{path} is no backup.", "Backups are made by broadsheet db backup FILE.")
    try:
        # Not a copy of the file: what is in a log beside it, of a store in use, counts too.
        with closing(sqlite3.connect(path)) as original, closing(sqlite3.connect(copy)) as whole:
            original.backup(whole)
        revision = _revision(copy)
    except (sqlite3.DatabaseError, DatabaseError) as error:
        reason = getattr(error, "orig", error)  # SQLAlchemy wraps the driver's
        raise BackupError(f"{path} is damaged: {reason}.") from error
    if revision is None:
        raise BackupError(f"{path} is a database, but not one of Broadsheet.")
    if revision not in migrate.known_revisions():
        raise SchemaTooNew(revision)


def _revision(path: Path) -> str | None:
    engine = create_engine(f"sqlite:///{path}")
    try:
        with engine.connect() as connection:
            return migrate.current(connection)
    finally:
        engine.dispose()


def _replace(old: Connection, new: Connection) -> None:
    for table in reversed(SQLModel.metadata.sorted_tables):
        new.execute(table.delete())
    for table in SQLModel.metadata.sorted_tables:
        _copy_rows(old, table, new, table)
        if new.dialect.name == "postgresql" and "id" in table.c:
            _continue_ids(new, table)
    with Session(new) as session:
        reindex(session)


def _copy_rows(source: Connection, table: Table, target: Connection, same: Table) -> None:
    rows = source.execution_options(yield_per=_BATCH).execute(select(table)).mappings()
    for batch in rows.partitions(_BATCH):
        target.execute(same.insert(), [_storable(row) for row in batch])


def _storable(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a row as SQLite's own column types take it, where a table was reflected."""
    return {
        name: value.astimezone(UTC) if isinstance(value, datetime) else value
        for name, value in row.items()
    }


def _copy_index(source: Connection, target: Connection) -> None:
    names = ", ".join(_INDEX)
    rows = source.execute(text(f"SELECT {names} FROM entry_text"))  # noqa: S608 - constants
    places = ", ".join(f":{name}" for name in _INDEX)
    insert = text(f"INSERT INTO entry_text ({names}) VALUES ({places})")  # noqa: S608 - the same
    for batch in rows.mappings().partitions(_BATCH):
        target.execute(insert, [dict(row) for row in batch])


def _continue_ids(connection: Connection, table: Table) -> None:
    """Let Postgres number new rows after the restored ones."""
    statement = (
        f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'),"  # noqa: S608 - a table of ours
        f" coalesce(max(id), 1), max(id) IS NOT NULL) FROM {table.name}"
    )
    connection.execute(text(statement))
