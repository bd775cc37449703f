"""A schema that changes under a running program: it goes on, or is refused in one sentence."""

import asyncio
from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, Engine, text

from store.database import Database, Session
from store.errors import SchemaOutdated, SchemaTooNew
from store.migrations import upgrade
from store.tables.library import SourceRow


@pytest.fixture
def running(database: Database) -> Database:
    """Return a store that a program of this version works on."""
    database.require_revisions(upgrade.known_revisions())
    return database


@pytest.fixture
def other(database: Database) -> Iterator[Database]:
    """Return the same store as another process sees it."""
    other = Database(database.url.render_as_string(hide_password=False))
    yield other
    other.close()


def _upgraded(connection: Connection, *, breaking: bool) -> None:
    """Do by hand what a migration of a later version would."""
    connection.execute(text("ALTER TABLE source ADD COLUMN later VARCHAR"))
    if breaking:
        connection.execute(text("ALTER TABLE source RENAME COLUMN title TO heading"))
        connection.execute(text("UPDATE schema_support SET oldest = '9998'"))
    connection.execute(text("UPDATE alembic_version SET version_num = '9998'"))


def _upgrade(engine: Engine, *, breaking: bool) -> None:
    with engine.begin() as connection:
        _upgraded(connection, breaking=breaking)


def _add(session: Session, slug: str = "one") -> None:
    session.add(SourceRow(slug=slug, title="One"))


def _titles(session: Session) -> list[str]:
    return list(session.scalars(text("SELECT title FROM source")))


async def test_a_program_goes_on_with_what_was_only_added(running: Database) -> None:
    """A later schema that leaves older programs able to work is written to as before."""
    await running.run(lambda engine: _upgrade(engine, breaking=False))
    await running.write(_add)
    await running.write_locking_rows(_add, "two")
    await running.write_durably(_add, "three")
    await running.write_each(_add, ["four"])
    assert await running.read(_titles) == ["One"] * 4
    assert running.trouble is None


async def test_a_program_that_cannot_follow_writes_nothing(running: Database) -> None:
    """Each kind of write is refused before it begins, in a sentence that says what to do."""
    await running.run(lambda engine: _upgrade(engine, breaking=True))
    began: list[str] = []

    def write(_session: Session, _item: str = "") -> None:
        began.append("")

    for call in (
        running.write(write),
        running.write_locking_rows(write),
        running.write_durably(write),
        running.write_each(write, ["one"]),
    ):
        with pytest.raises(SchemaTooNew) as caught:
            await call
        assert caught.value.sentence == (
            "The store was upgraded by a newer Broadsheet (schema 9998);"
            " restart this one with that version."
        )
    assert began == []
    assert isinstance(running.trouble, SchemaTooNew)


async def test_what_can_no_longer_be_read_is_said_the_same_way(running: Database) -> None:
    """A statement that the schema does not know any more is no riddle."""
    await running.run(lambda engine: _upgrade(engine, breaking=True))
    with pytest.raises(SchemaTooNew):
        await running.read(_titles)


async def test_a_schema_that_went_back_is_refused(running: Database) -> None:
    """A backup of an older version under a running program is not written to, nor is it well."""

    def go_back(engine: Engine) -> None:
        with engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '0009'"))

    await running.run(go_back)
    with pytest.raises(SchemaOutdated, match="0009"):
        await running.write(_add)
    assert isinstance(running.trouble, SchemaOutdated)


async def test_a_write_waits_for_an_upgrade_and_sees_it(running: Database, other: Database) -> None:
    """Begun while another process migrates, it is judged by what that leaves."""
    held, go_on = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def upgrade_slowly(engine: Engine) -> None:
        # As `migrate.upgrade` does, around what a later version would run.
        with engine.connect() as connection, upgrade.locked(connection):
            _upgraded(connection, breaking=True)
            loop.call_soon_threadsafe(held.set)
            asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result()

    upgrading = asyncio.create_task(other.run(upgrade_slowly))
    await held.wait()
    writing = asyncio.create_task(running.write(_add))
    done, _ = await asyncio.wait([writing], timeout=0.2)
    assert not done
    go_on.set()
    await upgrading
    with pytest.raises(SchemaTooNew):
        await writing
