"""What is stored is for its owner alone: store, logs and backups, whatever the umask lets."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import chdir, closing
from pathlib import Path

import pytest

from store.database import Database
from store.database.private_files import files_of, list_exposed
from store.maintenance import backup
from store.migrations import upgrade


@pytest.fixture(autouse=True)
def _everybody_may() -> Iterator[None]:
    """Let the process make files that everybody may read and write."""
    before = os.umask(0)
    yield
    os.umask(before)


def _modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


async def test_a_new_store_is_for_its_owner(tmp_path: Path) -> None:
    """So are the files that SQLite keeps beside it, also where its name is a link."""
    (tmp_path / "store.db").symlink_to(tmp_path / "elsewhere.db")
    async with Database(f"sqlite:///{tmp_path / 'store.db'}") as database:
        await database.run(upgrade.upgrade)
        names = ("elsewhere.db", "elsewhere.db-shm", "elsewhere.db-wal", "store.db")
        assert _modes(tmp_path) == dict.fromkeys(names, 0o600)


async def test_a_backup_is_for_its_owner(database: Database, tmp_path: Path) -> None:
    """Whichever the database, and however wide the store's own rights are."""
    if database.path:
        database.path.chmod(0o644)
    folder = tmp_path / "backups"
    folder.mkdir()
    backup.backup(database.engine, folder / "backup.db")
    assert _modes(folder) == {"backup.db": 0o600}


async def test_a_store_that_is_there_keeps_its_rights(
    sqlite_template: Path, tmp_path: Path
) -> None:
    """Whoever widened them knows why; they are told of it, and nothing is changed."""
    path = Path(shutil.copy(sqlite_template, tmp_path / "store.db"))
    path.chmod(0o660)
    async with Database(f"sqlite:///{path}") as database:
        await database.run(upgrade.upgrade)
    assert _modes(tmp_path)["store.db"] == 0o660


def test_what_others_may_read_is_found(sqlite_template: Path, tmp_path: Path) -> None:
    """The store, its log, and backups here or beside it; no file of anybody else's."""
    folder, here = tmp_path / "data", tmp_path / "here"
    for each in (folder, here):
        each.mkdir()
    store = folder / "store.db"
    for path in (store, folder / "old backup?.db", here / "monday"):
        shutil.copy(sqlite_template, path)
        path.chmod(0o640)
    Path(shutil.copy(sqlite_template, folder / "closed.db")).chmod(0o600)
    (folder / "store.db-wal").touch()
    (folder / "notes.txt").write_text("words")
    (folder / "later").mkdir()
    with closing(sqlite3.connect(folder / "other.db")) as other:
        other.execute("CREATE TABLE alembic_version (version_num)")
    with chdir(here):
        found = list_exposed(files_of(store))
    assert found == [
        store,
        folder / "store.db-wal",
        folder / "old backup?.db",
        Path("monday"),
    ]
