"""Where it is measured: a folder with the document, an empty store and a filled one."""

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
    """The files of a benchmark: nothing in them changes, runs work on copies."""

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
    """Set everything up for a document; it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="broadsheet-bench-") as folder:
        stage = Stage(Path(folder))
        stage.archive.write_bytes(archive)
        database = Database(f"sqlite:///{stage.empty}")
        upgrade(database.engine)
        database.close()
        shutil.copy(stage.empty, stage.filled)
        with product.opened(stage.filled) as filled:
            product.timed_import(filled, archive)
        yield stage


@contextmanager
def copied(store: Path) -> Iterator[Path]:
    """Give a copy of a store to work on; it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="broadsheet-bench-") as folder:
        yield Path(shutil.copy(store, Path(folder) / store.name))
