"""A bot over the real documents, by which answers are judged."""

import asyncio
import shutil
from collections.abc import Iterator

import pytest

from bot.app import Broadsheet
from store.database import Database
from store.migrations.upgrade import upgrade
from tests.bot.conftest import bot_of
from tests.bot.ingest.imports import import_real_documents
from tests.conftest import fresh_postgres


@pytest.fixture(scope="package", params=["sqlite", "postgres"])
def bot(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Broadsheet]:
    """Return a bot over the real documents, on each database."""
    if request.param == "sqlite":
        path = tmp_path_factory.mktemp("score") / "store.db"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        yield from _bot(f"sqlite:///{path}")
        return
    with fresh_postgres(request.getfixturevalue("postgres_server")) as url:
        yield from _bot(url)


def _bot(url: str) -> Iterator[Broadsheet]:
    database = Database(url)
    upgrade(database.engine)
    asyncio.run(import_real_documents(database))
    yield bot_of(database)
    database.close()
