"""The program in an empty folder, with an empty store or without any."""

import shutil
from pathlib import Path

import pytest

from tests.flows.program import Program


@pytest.fixture
def storeless(tmp_path: Path) -> Program:
    """Return the program in an empty folder, on the default SQLite file, which is not made yet."""
    return Program(tmp_path, "sqlite:///broadsheet.db")


@pytest.fixture
def broadsheet(storeless: Program, sqlite_template: Path) -> Program:
    """Return the program on an empty store at the newest schema, the default SQLite file."""
    made = shutil.copy(sqlite_template, storeless.folder / "broadsheet.db")
    Path(made).chmod(0o600)  # as the program makes it
    return storeless


@pytest.fixture
def sqlite_url(tmp_path: Path, sqlite_template: Path) -> str:
    """Return the URL of an empty store at the newest schema, for what both databases do alike."""
    path = tmp_path / "store.db"
    shutil.copy(sqlite_template, path)
    return f"sqlite:///{path}"
