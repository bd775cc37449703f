"""The program in an empty folder."""

from pathlib import Path

import pytest

from tests.flows.program import Program


@pytest.fixture
def broadsheet(tmp_path: Path) -> Program:
    """Return the program in an empty folder, on the default SQLite file."""
    return Program(tmp_path, "sqlite:///broadsheet.db")
