"""A filled store, for what platforms make of answers; an empty one is on SQLite alone.

What databases do otherwise is in `store/`, and what processes share in the packages that share it.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.database import Database
from tests.bot.conftest import database_url, filled_store

__all__ = ["database_url", "stocked"]


@pytest.fixture
def stocked(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """Return a store with two newsletters and a review."""
    yield from filled_store(sqlite_template, tmp_path / "stocked.db")
