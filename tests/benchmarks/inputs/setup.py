"""Prepare a folder with the archive, an empty store and a filled one."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from store.database import Database
from store.migrations.upgrade import upgrade
from tests.benchmarks.processes import product


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
        with product.opened(stage.filled) as filled:
            product.import_archive(filled, archive)
        yield stage


@contextmanager
def copied(store: Path) -> Iterator[Path]:
    """Yield a copy of a store and delete it afterwards."""
    with tempfile.TemporaryDirectory(prefix="broadsheet-bench-") as folder:
        yield Path(shutil.copy(store, Path(folder) / store.name))
