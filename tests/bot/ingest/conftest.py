"""What tests of whole imports share."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.database import Database


@pytest.fixture
def store(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """Return an empty store."""
    path = tmp_path / "store.db"
    shutil.copy(sqlite_template, path)
    database = Database(f"sqlite:///{path}")
    yield database
    database.close()
