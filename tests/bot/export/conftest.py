"""The real round-ups as the store hands them out."""

import asyncio
import shutil
from pathlib import Path

import pytest

from bot.ingest.pipeline import ImportOptions, ingest
from store.database import Database
from store.library.editions import export_editions
from store.records import Edition
from tests.bot.ingest.imports import NOW
from tests.shared_data import shared_file

_NAMES = (
    "seeds/000_6b97a1adf3c6bd05.txt",
    "seeds/001_60719b701ad4a391.txt",
    "seeds/002_dc9cd6f66951fc0f.txt",
    "archive-README.md",
)


@pytest.fixture(scope="session")
def real_editions(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Edition]:
    """Import every real document and return the editions, newest first."""
    path = tmp_path_factory.mktemp("real") / "store.db"
    shutil.copy(sqlite_template, path)
    database = Database(f"sqlite:///{path}")
    try:
        return asyncio.run(_imported(database))
    finally:
        database.close()


async def _imported(database: Database) -> list[Edition]:
    for name in _NAMES:
        document = shared_file(name)
        report = await ingest(database, name, document.read_bytes(), ImportOptions(), NOW)
        assert report.error is None
    return await database.read(export_editions)
