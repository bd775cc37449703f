"""A bot over the real documents, by which answers are judged."""

import asyncio
from collections.abc import Iterator
from contextlib import closing

import pytest

from bot.app import Broadsheet
from store.database import Database
from tests.bot.conftest import bot_of, real_store
from tests.bot.ingest.imports import import_real_documents
from tests.conftest import copied_postgres, postgres_made_once


@pytest.fixture(scope="package", params=["sqlite", "postgres"])
def real(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Database]:
    """Return a store with the real documents, once on each database."""
    if request.param == "sqlite":
        path = tmp_path_factory.mktemp("score") / "store.db"
        yield from real_store(request.getfixturevalue("sqlite_template"), path)
        return
    server = request.getfixturevalue("postgres_server")
    empty = request.getfixturevalue("postgres_template")
    filled = postgres_made_once(server, "real_store", _import, f"TEMPLATE {empty}")
    with copied_postgres(server, filled) as url, closing(Database(url)) as database:
        yield database


@pytest.fixture(scope="package")
def bot(real: Database) -> Broadsheet:
    """Return a bot over the real documents, on each database."""
    return bot_of(real)


def _import(database: Database) -> None:
    asyncio.run(import_real_documents(database))
