"""A store with one invented week, for programs that only read it."""

from pathlib import Path

import pytest

from tests.bot.ingest.drafts import edition, entry
from tests.flows.program import Program, write_week

WEEK = edition(
    *(entry(rank, f"Invented Paper {rank}", f"It finds thing {rank}.") for rank in range(1, 13)),
    title="The Top AI Papers of the Week (January 5-11)",
)


@pytest.fixture(scope="session")
def week(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the URL of a store that holds twelve invented papers, the newest edition."""
    folder = tmp_path_factory.mktemp("week")
    url = f"sqlite:///{folder / 'broadsheet.db'}"
    assert Program(folder, url)("import", write_week(folder, WEEK).name).code == 0
    return url


@pytest.fixture
def broadsheet(tmp_path: Path, week: str) -> Program:
    """Return the program in an empty folder, on the invented week."""
    return Program(tmp_path, week)
