"""A store for a bot in Slack."""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.database import Database
from tests.bot.conftest import EARLIER, REVIEW, WEEK
from tests.bot.ingest.importing import take_in


@pytest.fixture
def stocked(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """Return a store with two newsletters and a review."""
    path = tmp_path / "stocked.db"
    shutil.copy(sqlite_template, path)
    database = Database(f"sqlite:///{path}")
    for slug, draft in (("dair", EARLIER), ("dair", WEEK), ("paperdive", REVIEW)):
        asyncio.run(database.write(take_in, draft, slug))
    yield database
    database.close()


@pytest.fixture(params=["socket", "http"])
def transport(request: pytest.FixtureRequest) -> str:
    """Return each way in which requests come from Slack."""
    return str(request.param)
