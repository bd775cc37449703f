"""Health checks of a store: probes, and the checks of `db check`."""

from collections.abc import Iterator

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session

from store.migrations import upgrade


def probe_read(session: Session) -> None:
    """Read a row that every store has; on SQLite `SELECT 1` would not read the file."""
    session.connection().execute(text("SELECT version_num FROM alembic_version")).one()


def probe_write(session: Session) -> None:
    """Write to the disk without changing anything."""
    session.connection().execute(text("UPDATE schema_support SET oldest = oldest"))


def check(engine: Engine) -> list[str]:
    """Return the problems of a store, a sentence each, without changing it.

    Raises:
        SchemaOutdated, SchemaTooNew: if its schema is not this program's.
    """
    with engine.connect() as connection:
        upgrade.require_current(connection)
        problems = [
            *(f"The schema differs: {line}." for line in upgrade.differences(connection)),
            *_index(connection),
        ]
        if connection.dialect.name == "sqlite":
            problems += _sqlite(connection)
        connection.rollback()
    return problems


def orphans(connection: Connection) -> Iterator[str]:
    """Find rows whose foreign keys lead nowhere; Postgres never holds any."""
    if connection.dialect.name == "sqlite":
        for table, row, parent, _ in connection.execute(text("PRAGMA foreign_key_check")):
            yield f"Row {row} of {table} belongs to no row of {parent}."


def _index(connection: Connection) -> Iterator[str]:
    missing = "SELECT count(*) FROM entry WHERE id NOT IN (SELECT rowid FROM entry_text)"
    if number := connection.scalar(text(missing)):
        yield f"The full-text index lacks {number} entries."
    stale = "SELECT count(*) FROM entry_text WHERE rowid NOT IN (SELECT id FROM entry)"
    if number := connection.scalar(text(stale)):
        yield f"The full-text index holds {number} entries that are gone."
    # Words of a deleted entry are rows without a parent, which are found too.
    unnamed = "SELECT count(*) FROM entry WHERE id NOT IN (SELECT entry_id FROM entry_word)"
    if number := connection.scalar(text(unnamed)):
        yield f"The index of what is typed lacks {number} entries."


def _sqlite(connection: Connection) -> Iterator[str]:
    for (finding,) in connection.execute(text("PRAGMA integrity_check")):
        if finding != "ok":
            yield f"SQLite finds: {finding}."
    yield from orphans(connection)
    try:
        connection.execute(text("INSERT INTO entry_text(entry_text) VALUES ('integrity-check')"))
    except DatabaseError:
        yield "The full-text index is damaged."
