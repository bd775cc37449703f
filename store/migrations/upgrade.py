"""Bringing the schema up to date, and telling whether it is what the models say.

Alembic is configured in code and imported only when there is something to do: a store
that is up to date costs one small query.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, SQLModel

import store.tables  # noqa: F401 - fills SQLModel.metadata
from store import migrations
from store.errors import SchemaOutdated, SchemaTooNew

if TYPE_CHECKING:
    from alembic.config import Config

# Any number will do, as long as no other program locks it in the same database.
_POSTGRES_LOCK = 0x62726F6164
# https://www.postgresql.org/docs/current/errcodes-appendix.html
_DEADLOCK = "40P01"
_REPEATS = 5


def known_revisions() -> tuple[str, ...]:
    """Return the revisions that this program knows, oldest first; they are file names."""
    names = (file.name for file in (files(migrations) / "versions").iterdir())
    return tuple(sorted(name[:4] for name in names if name[:4].isdigit()))


def head() -> str:
    """Return the newest revision, the one that this program works with."""
    return known_revisions()[-1]


def current(connection: Connection) -> str | None:
    """Return the store's revision, `None` before the first upgrade."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return revision


def upgrade(engine: Engine, revision: str = "head") -> bool:
    """Bring the schema up to date under a lock; return whether there was anything to do.

    Raises:
        SchemaTooNew: if a later version of the program wrote the store.
    """
    target = head() if revision == "head" else revision
    with engine.connect() as connection:
        if _refuse_newer(current(connection)) == target:
            return False
    for _ in range(_REPEATS):
        try:
            return _upgraded(engine, target)
        except OperationalError as error:
            # Readers wait for it and it for them; whose turn it is the server decides.
            if getattr(error.orig, "sqlstate", None) != _DEADLOCK:
                raise
    return _upgraded(engine, target)


def _upgraded(engine: Engine, target: str) -> bool:
    with engine.connect() as connection, locked(connection):
        # Whoever had the lock before may have done it.
        if _refuse_newer(current(connection)) == target:
            return False
        _run(connection, target)
    return True


def is_current(session: Session) -> bool:
    """Tell whether a store is at the newest revision; `upgrade` takes the lock of writers for that.

    Raises:
        SchemaTooNew: if a later version of the program wrote the store.
    """
    return _refuse_newer(current(session.connection())) == head()


def require_current(connection: Connection) -> None:
    """Refuse a store that is not at the newest revision.

    Raises:
        SchemaOutdated, SchemaTooNew: as their names say.
    """
    revision = _refuse_newer(current(connection))
    if revision != head():
        raise SchemaOutdated(revision)


def differences(connection: Connection) -> list[str]:
    """Return how the schema differs from the models, a line each; none is right."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    context = MigrationContext.configure(
        connection, opts={"include_name": is_model_table, "compare_type": True}
    )
    return [str(difference) for difference in compare_metadata(context, SQLModel.metadata)]


def is_model_table(name: str | None, kind: str, _parents: Mapping[Any, Any]) -> bool:
    """Tell whether a table belongs to the models: the full-text index does not.

    Left to itself Alembic would drop it, with the shadow tables that FTS5 keeps.
    """
    return kind != "table" or not (name or "").startswith("entry_text")


def _refuse_newer(revision: str | None) -> str | None:
    if revision is not None and revision not in known_revisions():
        raise SchemaTooNew(revision)
    return revision


@contextmanager
def locked(connection: Connection) -> Iterator[None]:
    """Run one transaction while no other process upgrades.

    SQLite's writer locks the file as it begins. On Postgres what the last holder of the lock
    committed must be seen once it is granted; a serializable transaction would go on with a
    snapshot from before.
    """
    if connection.dialect.name == "postgresql":
        connection.execution_options(isolation_level="READ COMMITTED")
    with connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _POSTGRES_LOCK})
            _wait_for_writers(connection)
        yield


def _wait_for_writers(connection: Connection) -> None:
    """Let the writers of running programs end, and the next ones wait and see the new revision.

    Taken before anything else, so that nobody waits for a migration who keeps it waiting.
    """
    if inspect(connection).has_table("alembic_version"):
        connection.execute(text("LOCK TABLE alembic_version IN EXCLUSIVE MODE"))


def _run(connection: Connection, revision: str) -> None:
    from alembic import command

    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _config() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "store:migrations")
    config.set_main_option("path_separator", "os")
    return config
