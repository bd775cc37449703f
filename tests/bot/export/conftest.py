"""The real round-ups as the store hands them out."""

import asyncio
import shutil
from pathlib import Path

import pytest

from store.database import Database
from store.library.editions import export_editions
from store.records import Edition
from tests.bot.ingest.imports import import_real_documents


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
    await import_real_documents(database)
    return await database.read(export_editions)
