"""The program in an empty folder, with an empty store, with the samples or without any store."""

import asyncio
import shutil
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.ingest.samples import add_samples
from store.database import Database
from tests.flows.program import Program
from tests.resources.made_once import made_once


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


@pytest.fixture(scope="session")
def samples_template(sqlite_template: Path) -> Path:
    """Return a store that holds the samples; tests copy it."""

    def make(path: Path) -> None:
        shutil.copy(sqlite_template, path)
        with closing(Database(f"sqlite:///{path}")) as database:
            asyncio.run(add_samples(database, datetime.now(UTC)))

    return made_once("samples.db", make)


@pytest.fixture
def sampled(broadsheet: Program, samples_template: Path) -> Program:
    """Return the program on a store that holds the samples."""
    shutil.copyfile(samples_template, broadsheet.folder / "broadsheet.db")
    return broadsheet


@pytest.fixture
def sqlite_url(tmp_path: Path, sqlite_template: Path) -> str:
    """Return the URL of an empty store at the newest schema, for what both databases do alike."""
    path = tmp_path / "store.db"
    shutil.copy(sqlite_template, path)
    return f"sqlite:///{path}"
