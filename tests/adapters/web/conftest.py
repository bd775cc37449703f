"""A filled store for the tests of pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.database import Database
from tests.bot.conftest import filled_store


@pytest.fixture
def filled(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """Return a store with two newsletters and a review."""
    yield from filled_store(sqlite_template, tmp_path / "filled.db")
