"""Backups: SQLite files whichever the database, put back whole on either."""

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text

from store import search
from store.database import Database
from store.errors import BackupError, SchemaTooNew, SchemaTooOld, StoreFull
from store.library.editions import export_editions
from store.maintenance import backup
from store.maintenance.backup import temporary_folder
from store.maintenance.health import check
from store.migrations import upgrade
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import stored, take_in
from tests.store.maintenance.every_table import rows_of

WEEK = edition(
    entry(1, "Sparse attention", "Words.", links=["https://arxiv.org/abs/2601.00001"]),
    entry(2, "A survey", highlights=["x"]),
)


async def test_a_backup_restores_every_fact_on_either_database(
    database: Database, empty_url: str, tmp_path: Path
) -> None:
    """From each database to each: editions, papers and the index come back as they were."""
    before = await stored(database, WEEK)
    backup.backup(database.engine, tmp_path / "backup.db")
    async with Database(empty_url) as other:
        backup.restore(other.engine, tmp_path / "backup.db")
        assert await other.read(export_editions) == before
        query = search.SearchQuery(words=("attention",))
        assert len((await other.read(search.search, query, 10)).hits) == 1
        assert check(other.engine) == []
        # New rows are numbered after the restored ones.
        await other.write(take_in, edition(entry(3, "A third")), "another")
        assert len(await other.read(export_editions)) == 2


def test_what_was_restored_is_backed_up_as_it_was(
    filled: Path, empty_url: str, tmp_path: Path
) -> None:
    """From a file to either database and back every row is the same; what is indexed is anew."""
    database = Database(empty_url)
    backup.restore(database.engine, filled)
    backup.backup(database.engine, tmp_path / "backup.db")
    database.close()
    before, after = rows_of(filled), rows_of(tmp_path / "backup.db")
    assert {name for name in before if before[name] != after[name]} == {
        "content", "word", "acronym", "entry_text", "rowids",
    }  # fmt: skip


async def test_restoring_replaces_what_was_stored(database: Database, tmp_path: Path) -> None:
    """What came after the backup is gone once it is restored."""
    before = await stored(database, WEEK)
    backup.backup(database.engine, tmp_path / "backup.db")
    await stored(database, edition(entry(1, "Later")), slug="later")
    backup.restore(database.engine, tmp_path / "backup.db")
    assert await database.read(export_editions) == before


async def test_a_backup_is_a_store(database: Database, tmp_path: Path) -> None:
    """The file can be opened as it is, search included, and is one file."""
    before = await stored(database, WEEK)
    backup.backup(database.engine, tmp_path / "backup.db")
    assert [path.name for path in tmp_path.glob("backup*")] == ["backup.db"]
    async with Database(f"sqlite:///{tmp_path / 'backup.db'}") as copy:
        assert not upgrade.upgrade(copy.engine)
        assert await copy.read(export_editions) == before
        assert check(copy.engine) == []


async def test_a_store_in_use_can_be_restored_from(database: Database, tmp_path: Path) -> None:
    """What another process wrote into a file and did not yet move out of its log counts."""
    async with Database(f"sqlite:///{tmp_path / 'other.db'}") as other:
        upgrade.upgrade(other.engine)
        await other.write(take_in, WEEK)
        backup.restore(database.engine, tmp_path / "other.db")
        assert await database.read(export_editions) == await other.read(export_editions)
        assert len(await database.read(export_editions)) == 1


@pytest.mark.on_sqlite
def test_a_link_is_neither_overwritten_nor_followed(database: Database, tmp_path: Path) -> None:
    """Whether it leads to a file or nowhere, it is refused as a file is."""
    (tmp_path / "file").write_text("precious")
    for name, target in (("link.db", "file"), ("dangling.db", "nowhere")):
        (tmp_path / name).symlink_to(tmp_path / target)
        with pytest.raises(BackupError, match="exists already"):
            backup.backup(database.engine, tmp_path / name)
        assert (tmp_path / name).is_symlink()
    assert (tmp_path / "file").read_text() == "precious"
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.on_sqlite
def test_nothing_is_overwritten(database: Database, tmp_path: Path) -> None:
    """A file that exists is left as it is."""
    path = tmp_path / "precious.db"
    path.write_text("precious")
    with pytest.raises(BackupError, match="exists already"):
        backup.backup(database.engine, path)
    assert path.read_text() == "precious"


async def test_a_damaged_store_is_not_backed_up(sqlite_template: Path, tmp_path: Path) -> None:
    """What SQLite can copy page by page and finds unsound is refused, and no file appears."""
    path = tmp_path / "store.db"
    shutil.copy(sqlite_template, path)
    async with Database(f"sqlite:///{path}") as store:
        await store.write(take_in, WEEK)
    with closing(sqlite3.connect(path)) as file:
        rows = file.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entry'")
        [page], [size] = rows.fetchone(), file.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as pages:
        pages.seek((page - 1) * size)
        pages.write(b"\xff" * size)
    async with Database(f"sqlite:///{path}") as store:
        with pytest.raises(BackupError, match="The store is damaged"):
            backup.backup(store.engine, tmp_path / "backup.db")
        with pytest.raises(BackupError, match=r"store\.db is damaged"):
            backup.restore(store.engine, path)
    assert not [*tmp_path.glob("*backup*")]


@contextmanager
def _room(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond so many bytes, as on a disc without room."""
    everything = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, everything[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, everything)


@pytest.mark.on_sqlite
def test_without_room_for_a_backup_its_folder_is_named(database: Database, tmp_path: Path) -> None:
    """The store, which has room, is not blamed, and no file appears."""
    folder = tmp_path / "backups"
    folder.mkdir()
    with _room(65536), pytest.raises(BackupError, match=r"can't be written in .*backups"):
        backup.backup(database.engine, folder / "backup.db")
    assert not [*folder.iterdir()]


@pytest.mark.on_sqlite
def test_a_backup_that_no_folder_takes_is_refused(database: Database, tmp_path: Path) -> None:
    """What the system says of a name is told in words."""
    with pytest.raises(BackupError, match="can't be written: File name too long"):
        backup.backup(database.engine, tmp_path / ("b" * 300))


@pytest.mark.on_sqlite
def test_without_room_for_a_copy_its_folder_is_named(database: Database, tmp_path: Path) -> None:
    """A restore that can't copy the backup blames neither that nor the store."""
    backup.backup(database.engine, tmp_path / "backup.db")
    with _room(65536), pytest.raises(BackupError, match="where temporary files go"):
        backup.restore(database.engine, tmp_path / "backup.db")


async def test_without_room_in_the_store_the_store_is_named(
    sqlite_template: Path, tmp_path: Path
) -> None:
    """A restore that the store has no room for is refused as any write, and undone."""
    shutil.copy(sqlite_template, tmp_path / "backup.db")
    async with Database(f"sqlite:///{tmp_path / 'backup.db'}") as other:
        words = " ".join(f"word{number}" for number in range(2000))
        papers = (entry(rank, f"Paper {rank}", words) for rank in range(1, 20))
        await other.write(take_in, edition(*papers))
    shutil.copy(sqlite_template, tmp_path / "store.db")
    async with Database(f"sqlite:///{tmp_path / 'store.db'}") as store:
        with store.engine.connect() as connection:  # the one that a restore has
            connection.execute(text("PRAGMA max_page_count = 1"))  # as many as there are
        with pytest.raises(StoreFull, match=r"store\.db has no room left"):
            await store.run(lambda engine: backup.restore(engine, tmp_path / "backup.db"))
        assert await store.read(export_editions) == []


_HOLDS = """
import sys, time
from pathlib import Path
from store.maintenance.backup import temporary_folder
with temporary_folder(Path(sys.argv[1]), ".backup-") as folder:
    (folder / "backup.db").write_bytes(b"half")
    print("held", flush=True)
    time.sleep(60)
"""


def test_what_a_killed_backup_left_is_swept(tmp_path: Path) -> None:
    """The next one beside it deletes its folder, but none that is in use, new or no folder."""
    (tmp_path / ".backup-notes").write_text("mine")
    with ExitStack() as stack:
        holding = []
        for _ in range(2):
            command = [sys.executable, "-c", _HOLDS, str(tmp_path)]
            each = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE))
            stack.callback(each.kill)
            holding.append(each)
            assert each.stdout
            assert each.stdout.readline() == b"held\n"
        holding[0].kill()
        holding[0].wait()
        for folder in tmp_path.glob(".backup-*/"):
            os.utime(folder, (0, 0))  # made a while ago
        (tmp_path / ".backup-new").mkdir()  # whose lock may be taken in a moment
        with temporary_folder(tmp_path, ".backup-"):
            assert len([*tmp_path.glob(".backup-*/backup.db")]) == 1
            assert (tmp_path / ".backup-notes").is_file()
            assert (tmp_path / ".backup-new").is_dir()


@pytest.mark.on_sqlite
@pytest.mark.parametrize("content", [b"", b"notes\n", b"SQLite format 3\0 and then rubbish"])
async def test_what_is_no_backup_changes_nothing(
    database: Database, tmp_path: Path, content: bytes
) -> None:
    """A file of another kind, or a damaged one, is refused and the store left alone."""
    before = await stored(database, WEEK)
    (tmp_path / "notes.txt").write_bytes(content)
    with pytest.raises(BackupError, match=r"notes\.txt"):
        backup.restore(database.engine, tmp_path / "notes.txt")
    assert await database.read(export_editions) == before


def test_another_programs_database_is_no_backup(database: Database, tmp_path: Path) -> None:
    """An SQLite file without our schema is told apart."""
    with closing(sqlite3.connect(tmp_path / "other.db")) as other, other:
        other.execute("CREATE TABLE songs (title)")
    other.close()
    with pytest.raises(BackupError, match="not one of Broadsheet"):
        backup.restore(database.engine, tmp_path / "other.db")


def test_a_newer_backup_is_refused(database: Database, tmp_path: Path) -> None:
    """A backup that a later version made can't be restored by this one."""
    backup.backup(database.engine, tmp_path / "backup.db")
    with closing(sqlite3.connect(tmp_path / "backup.db")) as copy, copy:
        copy.execute("UPDATE alembic_version SET version_num = '9999'")
    copy.close()
    with pytest.raises(SchemaTooNew, match="9999"):
        backup.restore(database.engine, tmp_path / "backup.db")


def test_a_backup_from_before_the_first_revision_is_refused(
    database: Database, tmp_path: Path
) -> None:
    """The sentence names the commit that upgrades it; the store stays as it is."""
    backup.backup(database.engine, tmp_path / "backup.db")
    with closing(sqlite3.connect(tmp_path / "backup.db")) as copy, copy:
        copy.execute("UPDATE alembic_version SET version_num = '0023'")
    copy.close()
    with pytest.raises(SchemaTooOld, match=f"0023.*{SchemaTooOld.commit}"):
        backup.restore(database.engine, tmp_path / "backup.db")
    with database.engine.connect() as connection:
        assert upgrade.current(connection) == upgrade.head()


def test_a_store_from_before_the_first_revision_is_backed_up_as_it_is_or_refused(
    database: Database, tmp_path: Path
) -> None:
    """A file can be copied whatever is in it; tables of Postgres have to be known."""
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0023'"))
    if not database.is_sqlite:
        with pytest.raises(SchemaTooOld, match=f"0023.*{SchemaTooOld.commit}"):
            backup.backup(database.engine, tmp_path / "backup.db")
        return
    backup.backup(database.engine, tmp_path / "backup.db")
    with closing(sqlite3.connect(tmp_path / "backup.db")) as copy:
        assert copy.execute("SELECT version_num FROM alembic_version").fetchone() == ("0023",)


def test_a_store_that_is_not_set_up_has_nothing_to_back_up(empty_url: str, tmp_path: Path) -> None:
    """Backing up an empty database is refused, and no file appears."""
    database = Database(empty_url)
    with pytest.raises(BackupError, match="nothing to back up"):
        backup.backup(database.engine, tmp_path / "backup.db")
    assert not (tmp_path / "backup.db").exists()
    database.close()


async def test_checks_see_what_is_wrong(database: Database) -> None:
    """An index that lacks an entry, or holds one that is gone, is reported."""
    await stored(database, WEEK)
    assert check(database.engine) == []
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE entry_text SET rowid = rowid + 100 WHERE rowid = 1"))
    problems = check(database.engine)
    assert ["lacks 1" in problems[0], "holds 1" in problems[1]] == [True, True]
