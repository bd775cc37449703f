"""Migrations: the upgraded schema, the lock, and stores of other versions."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import select, text
from sqlmodel import col

from store.database import Database
from store.errors import SchemaOutdated, SchemaTooNew, SchemaTooOld
from store.migrations import upgrade
from store.readers import saved, seen, seen_lists
from store.records import Person, SeenList, Workspace
from store.tables.coordination import SchemaSupportRow


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


_OF_BEFORE = """
INSERT INTO workspace (id, platform, external_id) VALUES (1, 'slack', 'T1');
INSERT INTO person (id, workspace_id, external_id) VALUES (1, 1, 'U1');
INSERT INTO paper (id, title_key, year) VALUES (1, 'kites', 2026);
INSERT INTO saved_paper (person_id, paper_id, title, saved_at, note)
  VALUES (1, 1, 'Kites', '2026-01-12 08:00:00', 'Read.');
INSERT INTO seen_list (person_id, place, refs, first, listed_at)
  VALUES (1, 'C1', '[]', 1, '2026-01-12 08:00:00')
"""


async def test_what_people_stored_is_there_after_an_upgrade(empty_url: str) -> None:
    """A list has its papers without tags, and the last list that was seen ended a visit."""
    ann, seen_at = Person(Workspace("slack", "T1"), "U1"), datetime(2026, 1, 12, 8, tzinfo=UTC)
    async with Database(empty_url) as database:
        upgrade.upgrade(database.engine, "0024")
        with database.engine.begin() as connection:
            for statement in _OF_BEFORE.split(";"):
                connection.execute(text(statement))
        upgrade.upgrade(database.engine)
        [paper] = await database.read(saved.list_all, ann)
        assert (paper.title, paper.note, paper.tags) == ("Kites", "Read.", ())
        later = seen_at + timedelta(days=1)
        page = SeenList(("dair:2026-01-05#1",), 1, None, None, None, later)
        await database.write(seen_lists.note, ann, "C1", page)
        assert await database.read(seen.last_visit, ann, later) == seen_at


_ALERT_OF_BEFORE = """
INSERT INTO workspace (id, platform, external_id) VALUES (1, 'slack', 'T1');
INSERT INTO channel (id, workspace_id, external_id) VALUES (1, 1, 'D1');
INSERT INTO person (id, workspace_id, external_id) VALUES (1, 1, 'U1');
INSERT INTO paper (id, title_key, year) VALUES (1, 'kites', 2026);
INSERT INTO alert (id, person_id, channel_id, query, words, created_at, refusal_told)
  VALUES (7, 1, 1, 'kites', 'kites', '2026-01-12 08:00:00', false);
INSERT INTO alert_key (key, alert_id) VALUES ('kite', 7);
INSERT INTO alert_paper (alert_id, paper_id, found_at) VALUES (7, 1, '2026-01-12 08:00:00')
"""


def test_an_alert_keeps_what_it_looks_for_and_has_told(empty_url: str) -> None:
    """It has its number, its keys and its papers after an upgrade, and goes with its person."""
    with closing(Database(empty_url)) as database:
        upgrade.upgrade(database.engine, "0027")
        with database.engine.begin() as connection:
            for statement in _ALERT_OF_BEFORE.split(";"):
                connection.execute(text(statement))
        upgrade.upgrade(database.engine)
        kept = [
            "SELECT id FROM alert",
            "SELECT alert_id FROM alert_key",
            "SELECT alert_id FROM alert_paper",
        ]
        with database.engine.begin() as connection:
            assert [connection.scalars(text(each)).all() for each in kept] == [[7]] * 3
            connection.execute(text("DELETE FROM person"))
            assert [connection.scalars(text(each)).all() for each in kept] == [[]] * 3


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


def test_a_store_that_is_not_set_up_is_told_apart(empty_url: str) -> None:
    """A verb that does not upgrade refuses it and names the one that does."""
    with (
        closing(Database(empty_url)) as database,
        database.engine.connect() as connection,
        pytest.raises(SchemaOutdated, match=r"not set up yet.*broadsheet db upgrade"),
    ):
        upgrade.require_current(connection)


def test_a_store_from_before_the_first_revision_is_told_how_it_comes_here(
    database: Database,
) -> None:
    """One sentence names the commit that upgrades it, and the tag that keeps that."""
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0023'"))
    with database.engine.connect() as connection, pytest.raises(SchemaTooOld):
        upgrade.require_current(connection)
    with pytest.raises(SchemaTooOld) as raised:
        upgrade.upgrade(database.engine)
    assert raised.value.sentence == (
        "The schema 0023 is too old for this Broadsheet; upgrade it first with commit"
        " 546f535ce00442b8e1d6e55a5125abccc6905ccf (tag schema-0024)."
    )
    assert SchemaTooOld.tag == f"schema-{upgrade.known_revisions()[0]}"


def test_what_programs_of_before_could_use_they_may_use_still(database: Database) -> None:
    """A store made now names the same oldest program as one that was upgraded."""
    with database.engine.connect() as connection:
        assert connection.scalar(select(col(SchemaSupportRow.oldest))) == "0019"


def test_the_file_names_are_the_revisions() -> None:
    """The revisions in the file names are those that Alembic reads from the files."""
    script = ScriptDirectory("store/migrations")
    revisions = [revision.revision for revision in script.walk_revisions()]
    assert tuple(reversed(revisions)) == upgrade.known_revisions()
