"""The real round-ups as the store hands them out."""

import asyncio
from pathlib import Path

import pytest

from store.library.editions import export_editions
from store.records import Edition
from tests.bot.conftest import real_store


@pytest.fixture(scope="session")
def real_editions(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Edition]:
    """Return the editions of every real document, newest first."""
    path = tmp_path_factory.mktemp("real") / "store.db"
    [editions] = (
        asyncio.run(database.read(export_editions))
        for database in real_store(sqlite_template, path)
    )
    return editions
