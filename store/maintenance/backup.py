"""Backups, which are SQLite files for both databases: made beside running writers."""

import fcntl
import os
import shutil
import sqlite3
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, MetaData, NullPool, create_engine
from sqlalchemy.exc import DatabaseError, DBAPIError
from sqlmodel import Session, SQLModel

from store.database.private_files import create_private
from store.errors import BackupError
from store.library.entries import reindex
from store.maintenance import rows
from store.migrations import upgrade

_SQLITE_MAGIC = b"SQLite format 3\0"  # https://www.sqlite.org/fileformat.html#the_database_header

# The prefixes of the folders of unfinished files.
_BACKUP, _RESTORE = ".backup-", "broadsheet-restore-"
_ANOTHER_FILE = "Make room there, or name a file elsewhere."
_OTHER_FOLDER = "Make room there, or name another folder in TMPDIR."
# A process holds a lock on this file of its folder, a moment after it has made it.
_LOCK = "in-use"
_NEW_SECONDS = 60
# https://www.sqlite.org/rescode.html#extended_result_code_list
_FIRST_BYTE = 0xFF
_UNWRITTEN = frozenset({
    sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_TRUNCATE,
})  # fmt: skip


def backup(engine: Engine, path: Path) -> None:
    """Write all that is stored, as of one moment, into a new SQLite file.

    The file appears complete and sound or not at all. What a killed backup left beside it is
    deleted.

    Raises:
        BackupError: if the file exists or can't be written, or nothing is stored yet, or the store
            is damaged.
        SchemaTooNew, SchemaTooOld: if this program does not know the schema, on Postgres.
    """
    folder = path.absolute().parent
    try:
        if os.path.lexists(path):  # a link that leads nowhere is there too
            raise BackupError(f"{path} exists already.", "Name a new file; nothing is overwritten.")
        if not folder.is_dir():
            raise BackupError(f"There is no folder {folder}.", "Make it first.")
        with temporary_folder(folder, _BACKUP) as unfinished:
            create_private(unfinished / "backup.db")
            _back_up(engine, unfinished / "backup.db", f"The backup can't be written in {folder}")
            (unfinished / "backup.db").rename(path)
    except OSError as error:
        raise _unwritable(f"{path} can't be written", error.strerror or str(error)) from error


def restore(engine: Engine, path: Path) -> None:
    """Replace all that is stored by the contents of a backup, in one transaction.

    A backup of an older version is upgraded first, on a copy in the folder for temporary files,
    where what a killed restore left is deleted.

    Raises:
        BackupError: if the file is no backup, is damaged or can't be copied.
        SchemaTooNew, SchemaTooOld: if it, or the store, is of a version that this program does not
            know.
    """
    parent = Path(tempfile.gettempdir())
    failed = f"The backup can't be copied to {parent}, where temporary files go"
    try:
        with temporary_folder(parent, _RESTORE) as folder:
            copy = folder / "backup.db"
            create_private(copy)
            with _written(failed, _OTHER_FOLDER):
                _copy_backup(path, copy)
            source = _open(copy)
            with _written(failed, _OTHER_FOLDER):
                upgrade.upgrade(source)
            upgrade.upgrade(engine)
            with source.connect() as old, engine.begin() as new:
                _replace(old, new)
    except OSError as error:
        raise _unwritable(failed, error.strerror or str(error), _OTHER_FOLDER) from error


def _back_up(engine: Engine, unfinished: Path, failed: str) -> None:
    """Write a store into a file, and check the file.

    Raises:
        BackupError: as `backup`; `failed` says where a file can't be written.
    """
    try:
        with engine.connect() as connection, _written(failed):
            if upgrade.current(connection) is None:
                raise BackupError("There is nothing to back up: the store is not set up yet.")
            if connection.dialect.name == "sqlite":
                _copy_file(connection, unfinished)
            else:
                _copy_tables(connection, unfinished)
            finding = _damage(unfinished)
    except (sqlite3.DatabaseError, DatabaseError) as error:
        if not _is_damage(error):
            raise
        finding = str(getattr(error, "orig", error))
    if finding:
        raise BackupError(
            f"The store is damaged, so no backup was made of it: {finding}.",
            "broadsheet db check says what is wrong; broadsheet db restore FILE puts back a backup"
            " from before.",
        )


def _damage(path: Path) -> str | None:
    """Return the first problem that SQLite finds in a file, `None` where it is sound."""
    with closing(sqlite3.connect(path)) as database:
        finding: str = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
    return None if finding == "ok" else finding.splitlines()[-1]


@contextmanager
def _written(failed: str, remedy: str = _ANOTHER_FILE) -> Iterator[None]:
    """Translate SQLite's errors where it can't write a file, which is not the store.

    A store that is only read has none of these errors.

    Raises:
        BackupError: where the file can't be written.
    """
    try:
        yield
    except (sqlite3.Error, DBAPIError) as error:
        if _is_unwritten(error):
            raise _unwritable(failed, str(getattr(error, "orig", error)), remedy) from error
        raise


def _unwritable(failed: str, reason: str, remedy: str = _ANOTHER_FILE) -> BackupError:
    return BackupError(f"{failed}: {reason}.", remedy)


def _is_unwritten(error: Exception) -> bool:
    return _code(error) & _FIRST_BYTE == sqlite3.SQLITE_FULL or _code(error) in _UNWRITTEN


def _is_damage(error: Exception) -> bool:
    return _code(error) & _FIRST_BYTE in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def _code(error: Exception) -> int:
    """Return SQLite's extended code of an error, 0 for another database."""
    code: int = getattr(getattr(error, "orig", error), "sqlite_errorcode", 0)
    return code


def _copy_file(connection: Connection, path: Path) -> None:
    original = connection.connection.driver_connection
    if not isinstance(original, sqlite3.Connection):
        raise TypeError(f"{type(original)} is no SQLite connection")
    connection.rollback()  # a connection inside a transaction would wait for itself
    with closing(sqlite3.connect(path)) as copy:
        original.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it


def _copy_tables(connection: Connection, path: Path) -> None:
    """Copy a Postgres store of any known revision into an SQLite file of the same revision."""
    copy = _open(path)
    upgrade.upgrade(copy, upgrade.require_known(upgrade.current(connection)) or upgrade.head())
    found = MetaData()
    found.reflect(connection, only=lambda name, _: upgrade.is_model_table(name, "table", {}))
    tables = [rows.plain(each) for each in found.sorted_tables if each.name != "alembic_version"]
    with copy.begin() as target:
        for table in (*tables, rows.INDEX):
            # A migration may have added rows to a new table.
            target.execute(table.delete())
            rows.move(connection, target, table)


def _copy_backup(path: Path, copy: Path) -> None:
    try:
        with path.open("rb") as file:
            header = file.read(len(_SQLITE_MAGIC))
    except OSError as error:
        raise BackupError(f"{path} can't be read: {error.strerror}.") from error
    if header != _SQLITE_MAGIC:
        raise BackupError(f"{path} is no backup.", "Backups are made by broadsheet db backup FILE.")
    try:
        # Not a copy of the file: the log beside it, of a store in use, counts too.
        with closing(sqlite3.connect(path)) as original, closing(sqlite3.connect(copy)) as whole:
            original.backup(whole)
        if finding := _damage(copy):
            raise BackupError(f"{path} is damaged: {finding}.")
        with _open(copy).connect() as connection:
            revision = upgrade.current(connection)
    except (sqlite3.DatabaseError, DatabaseError) as error:
        if _is_unwritten(error):  # the copy
            raise
        is_what = "is damaged" if _is_damage(error) else "can't be read"
        reason = getattr(error, "orig", error)  # SQLAlchemy wraps the driver's
        raise BackupError(f"{path} {is_what}: {reason}.") from error
    if revision is None:
        raise BackupError(f"{path} is a database, but not one of Broadsheet.")
    upgrade.require_known(revision)


def _open(path: Path) -> Engine:
    """Return the engine of an SQLite file, which keeps no connection open."""
    return create_engine(f"sqlite:///{path}", poolclass=NullPool)


def _replace(old: Connection, new: Connection) -> None:
    tables = [rows.plain(each) for each in SQLModel.metadata.sorted_tables]
    for table in reversed(tables):
        new.execute(table.delete())
    for table in tables:
        rows.move(old, new, table)
        rows.continue_ids(new, table)
    with Session(new) as session:
        reindex(session)


@contextmanager
def temporary_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """Make a folder for the time of a context, and delete those that no process uses any more.

    The prefix is that of its name, and of those that are deleted.

    Raises:
        OSError: where it can't be made.
    """
    _sweep(parent, prefix)
    with tempfile.TemporaryDirectory(dir=parent, prefix=prefix) as made:
        folder = Path(made)
        with (folder / _LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield folder


def _sweep(parent: Path, prefix: str) -> None:
    """Delete the folders with the prefix and owner of ours that no process uses.

    A folder that can't be read or deleted stays: another process may be deleting it.
    """
    for found in parent.glob(f"{prefix}*"):
        try:
            facts = found.lstat()
            is_ours = stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.geteuid()
            if is_ours and time.time() - facts.st_mtime > _NEW_SECONDS and _is_unused(found):
                shutil.rmtree(found, ignore_errors=True)
        except OSError:
            continue


def _is_unused(folder: Path) -> bool:
    try:
        with (folder / _LOCK).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except FileNotFoundError:  # killed before it was locked
        return True
    return True
