"""A bot over the real documents, by which answers are judged."""

import asyncio
import shutil
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.app import Broadsheet
from bot.ingest.pipeline import ImportOptions, ingest
from store.database import Database
from store.migrations.upgrade import upgrade
from tests.bot.conftest import bot_of
from tests.conftest import fresh_postgres
from tests.shared_data import shared_file

_DOCUMENTS = (
    "seeds/002_dc9cd6f66951fc0f.txt",
    "seeds/001_60719b701ad4a391.txt",
    "seeds/000_6b97a1adf3c6bd05.txt",
    "archive-README.md",
)


@pytest.fixture(scope="package", params=["sqlite", "postgres"])
def bot(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Broadsheet]:
    """Return a bot over the real documents, on each database."""
    documents = [shared_file(name) for name in _DOCUMENTS]
    if request.param == "sqlite":
        path = tmp_path_factory.mktemp("score") / "store.db"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        yield from _bot(f"sqlite:///{path}", documents)
        return
    with fresh_postgres(request.getfixturevalue("postgres_server")) as url:
        yield from _bot(url, documents)


def _bot(url: str, documents: Sequence[Path]) -> Iterator[Broadsheet]:
    database = Database(url)
    upgrade(database.engine)
    asyncio.run(_take_in(database, documents))
    yield bot_of(database)
    database.close()


async def _take_in(database: Database, documents: Sequence[Path]) -> None:
    now = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
    for path in documents:
        report = await ingest(database, path.name, path.read_bytes(), ImportOptions(), now)
        assert report.error is None
