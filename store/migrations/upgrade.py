"""Upgrades the schema, and compares it with the models.

Alembic is configured in code and imported only when there is something to do: for a store that is
up to date one small query is run.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, SQLModel

import store.tables  # noqa: F401 - fills SQLModel.metadata
from store import migrations
from store.errors import SchemaOutdated, SchemaTooNew, SchemaTooOld

# Any number will do, as long as no other program locks it in the same database.
_POSTGRES_LOCK = 0x62726F6164
# https://www.postgresql.org/docs/current/errcodes-appendix.html
_DEADLOCK = "40P01"
_REPEATS = 5


def known_revisions() -> tuple[str, ...]:
    """Return the revisions that this program knows, oldest first, from the names of its files."""
    names = (file.name for file in (files(migrations) / "versions").iterdir())
    return tuple(sorted(name[:4] for name in names if name[:4].isdigit()))


def head() -> str:
    """Return the newest revision, which this program works with."""
    return known_revisions()[-1]


def current(connection: Connection) -> str | None:
    """Return the store's revision, `None` before the first upgrade."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return revision


def require_known(revision: str | None) -> str | None:
    """Return a store's revision, which is one that this program knows, or `None`.

    Raises:
        SchemaTooNew: if a later version of the program wrote the store.
        SchemaTooOld: if it is from before the first of them.
    """
    if revision is None or revision in known_revisions():
        return revision
    # Revisions sort in their order.
    raise (SchemaTooOld if revision < known_revisions()[0] else SchemaTooNew)(revision)


def upgrade(engine: Engine, revision: str = "head") -> bool:
    """Upgrade the schema under a lock; return whether there was anything to do.

    Raises:
        SchemaTooNew, SchemaTooOld: as `require_known`.
    """
    target = head() if revision == "head" else revision
    with engine.connect() as connection:
        if require_known(current(connection)) == target:
            return False
    for _ in range(_REPEATS):
        try:
            return _upgrade_once(engine, target)
        except OperationalError as error:
            # Readers wait for the upgrade and it for them; the server ended one of them.
            if getattr(error.orig, "sqlstate", None) != _DEADLOCK:
                raise
    return _upgrade_once(engine, target)


def _upgrade_once(engine: Engine, target: str) -> bool:
    with engine.connect() as connection, locked(connection):
        # The last holder of the lock may have done it.
        if require_known(current(connection)) == target:
            return False
        _run(connection, target)
    return True


def is_current(session: Session) -> bool:
    """Tell whether a store is at the newest revision, without the lock that `upgrade` takes.

    Raises:
        SchemaTooNew, SchemaTooOld: as `require_known`.
    """
    return require_known(current(session.connection())) == head()


def require_current(connection: Connection) -> None:
    """Refuse a store that is not at the newest revision.

    Raises:
        SchemaOutdated, SchemaTooNew, SchemaTooOld: where it is older, newer, or much older.
    """
    revision = require_known(current(connection))
    if revision != head():
        raise SchemaOutdated(revision)


def differences(connection: Connection) -> list[str]:
    """Return the differences between the schema and the models, a line each."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    context = MigrationContext.configure(
        connection, opts={"include_name": is_model_table, "compare_type": True}
    )
    return [str(difference) for difference in compare_metadata(context, SQLModel.metadata)]


def is_model_table(name: str | None, kind: str, _parents: Mapping[Any, Any]) -> bool:
    """Tell whether a table belongs to the models; the full-text index does not.

    Otherwise Alembic would drop it, with the shadow tables of FTS5.
    """
    return kind != "table" or not (name or "").startswith("entry_text")


@contextmanager
def locked(connection: Connection) -> Iterator[None]:
    """Run one transaction while no other process upgrades.

    SQLite's writer locks the file as it begins. On Postgres the transaction must see the commit of
    the last holder of the lock; a serializable one would have an older snapshot.
    """
    if connection.dialect.name == "postgresql":
        connection.execution_options(isolation_level="READ COMMITTED")
    with connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _POSTGRES_LOCK})
            _wait_for_writers(connection)
        yield


def _wait_for_writers(connection: Connection) -> None:
    """Wait for the writers of running programs; later ones wait, and see the new revision.

    This comes first, so that no writer waits for a migration that waits for it.
    """
    if inspect(connection).has_table("alembic_version"):
        connection.execute(text("LOCK TABLE alembic_version IN EXCLUSIVE MODE"))


def _run(connection: Connection, revision: str) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "store:migrations")
    config.set_main_option("path_separator", "os")
    command.upgrade(config, revision)
