"""Migrations: the upgraded schema, the lock, and stores of other versions."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import select, text
from sqlmodel import col

from store.database import Database
from store.errors import SchemaOutdated, SchemaTooNew
from store.migrations import upgrade
from store.tables.library import EditionRow
from store.tables.workspaces import ChannelRow, WorkspaceRow


def test_the_upgraded_schema_equals_the_models(database: Database) -> None:
    """An empty database is upgraded to exactly the tables that the models declare."""
    with database.engine.connect() as connection:
        assert upgrade.differences(connection) == []


def test_a_difference_is_seen(database: Database) -> None:
    """The comparison notices a column that a migration forgot."""
    with database.engine.begin() as connection:
        connection.execute(text("ALTER TABLE entry DROP COLUMN summary"))
    with database.engine.connect() as connection:
        [difference] = upgrade.differences(connection)
    assert "summary" in difference


def test_upgrading_twice_does_nothing(empty_url: str) -> None:
    """The first upgrade has something to do, the second has not."""
    database = Database(empty_url)
    assert upgrade.upgrade(database.engine)
    assert not upgrade.upgrade(database.engine)
    database.close()


def test_each_revision_can_be_reached_from_the_one_before(empty_url: str) -> None:
    """Every step on the way works by itself, and the store says where it stands."""
    database = Database(empty_url)
    for revision in upgrade.known_revisions():
        upgrade.upgrade(database.engine, revision)
        with database.engine.connect() as connection:
            assert upgrade.current(connection) == revision
    database.close()


def test_many_may_upgrade_at_once(empty_url: str) -> None:
    """Of eight processes that start together one upgrades and none fails."""

    def start(_number: int) -> bool:
        database = Database(empty_url)
        try:
            return upgrade.upgrade(database.engine)
        finally:
            database.close()

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(start, range(8))) == 1


def test_a_newer_store_is_refused(database: Database) -> None:
    """A schema from a later version is left alone, with its revision named."""
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(SchemaTooNew, match="9999"):
        upgrade.upgrade(database.engine)


def test_an_older_store_is_told_apart(empty_url: str) -> None:
    """A verb that does not upgrade refuses an older store and names the one that does."""
    database = Database(empty_url)
    upgrade.upgrade(database.engine, upgrade.known_revisions()[0])
    with database.engine.connect() as connection, pytest.raises(SchemaOutdated, match="0001"):
        upgrade.require_current(connection)
    database.close()


def test_a_workspace_that_was_there_before_is_not_new(empty_url: str) -> None:
    """A workspace with a channel before the first welcomes counts as welcomed."""
    with closing(Database(empty_url)) as database:
        upgrade.upgrade(database.engine, "0015")
        with database.engine.begin() as connection:
            for row in (
                "INTO workspace (id, platform, external_id) VALUES (1, 'slack', 'with a channel')",
                "INTO workspace (id, platform, external_id) VALUES (2, 'slack', 'with none')",
                "INTO channel (workspace_id, external_id) VALUES (1, 'C1')",
            ):
                connection.execute(text(f"INSERT {row}"))
        upgrade.upgrade(database.engine)
        with database.engine.connect() as connection:
            rows = connection.execute(select(WorkspaceRow)).mappings()
            welcomed = {row["external_id"]: row["welcomed_at"] is not None for row in rows}
    assert welcomed == {"with a channel": True, "with none": False}


def test_what_was_stored_before_arrived_when_it_was_imported(empty_url: str) -> None:
    """An edition stored before arrivals were noted arrived with its oldest contribution."""
    edition = (
        "INTO edition (id, source, kind, title, first_day, last_day, week, headings, sample,"
        " changed_at) VALUES (1, 'dair', 'newsletter', 'Papers', '2026-01-05', '2026-01-11',"
        " '2026-W02', '[]', false, '2026-01-15 00:00:00+00:00')"
    )
    said = "INTO contribution (edition_id, kind, digest, sample, facts, imported_at) VALUES"
    with closing(Database(empty_url)) as database:
        upgrade.upgrade(database.engine, "0016")
        with database.engine.begin() as connection:
            for row in (
                "INTO source (slug, title) VALUES ('dair', 'DAIR')",
                edition,
                f"{said} (1, 'newsletter', '', false, '', '2026-01-12 00:00:00+00:00')",
                f"{said} (1, 'archive', '', false, '', '2026-01-15 00:00:00+00:00')",
            ):
                connection.execute(text(f"INSERT {row}"))
        upgrade.upgrade(database.engine)
        with database.engine.connect() as connection:
            arrived_at = connection.scalar(select(col(EditionRow.arrived_at)))
    assert arrived_at == datetime(2026, 1, 12, tzinfo=UTC)


def test_direct_messages_are_known_from_what_was_stored_before(empty_url: str) -> None:
    """By Discord's kind, or where there is none by the name that only they have; no thread is."""
    named = "the chat with Broadsheet"
    channels = {
        "D1": f"('D1', '{named}', true, NULL, 1)",
        "D2": f"('D2', '{named}', true, 'private', 1)",
        "C1": "('C1', 'papers', false, NULL, 1)",
        "G1": "('G1', 'papers', true, NULL, 1)",
        "T1": f"('T1', '{named}', true, 'private_thread', 1)",
        "T2": "('T2', 'papers and a talk', true, 'private_thread', 1)",
    }
    columns = "INTO channel (external_id, name, private, kind, workspace_id) VALUES"
    with closing(Database(empty_url)) as database:
        upgrade.upgrade(database.engine, "0023")
        with database.engine.begin() as connection:
            workspace = "INTO workspace (id, platform, external_id) VALUES (1, 'slack', 'T1')"
            for row in (workspace, *(f"{columns} {each}" for each in channels.values())):
                connection.execute(text(f"INSERT {row}"))
        upgrade.upgrade(database.engine)
        with database.engine.begin() as connection:
            # As a program of the version before writes.
            connection.execute(text(f"INSERT {columns} ('C2', 'later', false, NULL, 1)"))
            rows = connection.execute(select(ChannelRow)).mappings()
            direct = {row["external_id"] for row in rows if row["direct"]}
    assert direct == {"D1", "D2"}


def test_the_file_names_are_the_revisions() -> None:
    """The revisions in the file names are those that Alembic reads from the files."""
    script = ScriptDirectory("store/migrations")
    revisions = [revision.revision for revision in script.walk_revisions()]
    assert tuple(reversed(revisions)) == upgrade.known_revisions()
