"""A bot over the real documents, by which answers are judged.

It is SQLite's alone: that Postgres finds the same papers is shown by `tests/store/search`.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.app import Broadsheet
from store.database import Database
from tests.bot.conftest import bot_of, real_store


@pytest.fixture(scope="package")
def real(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Return a store with the real documents."""
    yield from real_store(sqlite_template, tmp_path_factory.mktemp("score") / "store.db")


@pytest.fixture(scope="package")
def bot(real: Database) -> Broadsheet:
    """Return a bot over the real documents."""
    return bot_of(real)
