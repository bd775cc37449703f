"""A store with rows in every table."""

import shutil
from pathlib import Path

import pytest

from store.database import Database
from tests.store.maintenance.every_table import fill


@pytest.fixture
def filled(sqlite_template: Path, tmp_path: Path) -> Path:
    """Return its file."""
    path = tmp_path / "filled.db"
    shutil.copy(sqlite_template, path)
    database = Database(f"sqlite:///{path}")
    with database.engine.begin() as connection:
        fill(connection)
    database.close()
    return path
