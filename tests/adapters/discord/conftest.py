"""A filled store for the tests of Discord."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.database import Database
from tests.bot.conftest import filled_store


@pytest.fixture
def stocked(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """Return a store with two newsletters and a review."""
    yield from filled_store(sqlite_template, tmp_path / "stocked.db")
