"""The program, on an SQLite store or on both databases."""

from pathlib import Path

import pytest

from tests.flows.program import Program


@pytest.fixture
def broadsheet(tmp_path: Path) -> Program:
    """Return the program in an empty folder, on the default SQLite file."""
    return Program(tmp_path, "sqlite:///broadsheet.db")


@pytest.fixture
def broadsheet_on_both(tmp_path: Path, empty_url: str) -> Program:
    """Return the program in an empty folder, once on each database."""
    return Program(tmp_path, empty_url)
