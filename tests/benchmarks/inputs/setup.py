"""Prepare a folder with the archive, an empty store and a filled one, and open stores."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.ingest import documents
from bot.ingest.pipeline import ImportOptions, ingest
from store.database import Database, Session
from store.migrations.upgrade import upgrade

_NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Stage:
    """The files of a benchmark, which never change because runs work on copies."""

    folder: Path

    @property
    def archive(self) -> Path:
        """The archive, as bytes on disc."""
        return self.folder / "archive.md"

    @property
    def empty(self) -> Path:
        """A store at the newest schema that holds nothing."""
        return self.folder / "empty.db"

    @property
    def filled(self) -> Path:
        """A store that holds the archive and nothing else."""
        return self.folder / "filled.db"


@contextmanager
def staged(archive: bytes) -> Iterator[Stage]:
    """Yield the files for an archive and delete them afterwards."""
    with tempfile.TemporaryDirectory(prefix="broadsheet-bench-") as folder:
        stage = Stage(Path(folder))
        stage.archive.write_bytes(archive)
        database = Database(f"sqlite:///{stage.empty}")
        upgrade(database.engine)
        database.close()
        shutil.copy(stage.empty, stage.filled)
        with opened(stage.filled) as filled:
            asyncio.run(import_archive(filled, archive))
        yield stage


@contextmanager
def opened(path: Path) -> Iterator[Database]:
    """Open a store as a running bot has it: connections made, the formats' modules loaded."""
    documents.formats()
    with closing(Database(f"sqlite:///{path}")) as database:
        asyncio.run(_connect(database))
        yield database


async def _connect(database: Database) -> None:
    await database.read(_touch)
    await database.write(_touch)


def _touch(session: Session) -> None:
    session.connection()


async def import_archive(database: Database, archive: bytes) -> None:
    """Import an archive.

    Raises:
        RuntimeError: if the document was refused, so that there is nothing to measure.
    """
    report = await ingest(database, "archive.md", archive, ImportOptions(), _NOW)
    if report.error:
        raise RuntimeError(report.error)


@contextmanager
def copied(store: Path) -> Iterator[Path]:
    """Yield a copy of a store and delete it afterwards."""
    with tempfile.TemporaryDirectory(prefix="broadsheet-bench-") as folder:
        yield Path(shutil.copy(store, Path(folder) / store.name))
