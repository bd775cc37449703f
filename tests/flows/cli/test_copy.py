"""`broadsheet db copy`: a store moved to Postgres and back, and what is refused."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.engine import make_url

from store.database import Database
from store.migrations import upgrade
from tests.bot.ingest.drafts import edition, entry
from tests.conftest import fresh_postgres
from tests.flows.posting.chats import import_week
from tests.flows.program import Program
from tests.store.maintenance.every_table import rows_of

_PASSWORD = "hunter2"  # noqa: S105 - an invented one, looked for in what is printed
_OLDER = Path(__file__).parents[2] / "data" / "older_posts" / "store.sql"
_LATER = edition(
    entry(1, "Later Paper", "It came later."),
    title="The Top AI Papers of the Week (January 12-18)",
    first_day=date(2026, 1, 12),
)
_LOOKUPS = (
    ("ask", "latest"),
    ("ask", "saved"),
    ("ask", "search gamma models"),
    ("search", "--", "alpha", "-beta"),
    ("export",),
    ("subscriptions", "list", "--json"),
    ("deliveries", "list", "--json"),
)


@pytest.fixture
def postgres(postgres_server: str) -> Iterator[str]:
    """Return the URL of an empty Postgres database."""
    with fresh_postgres(postgres_server) as url:
        yield url


@pytest.fixture
def older(storeless: Program) -> Program:
    """Return the program on the store of an older version, which has posted."""
    store = Database(f"sqlite:///{storeless.folder / 'broadsheet.db'}")
    upgrade.upgrade(store.engine)
    store.close()
    with closing(sqlite3.connect(storeless.folder / "broadsheet.db")) as rows:
        rows.executescript(_OLDER.read_text())
    return storeless


def test_a_store_moves_to_postgres_and_back(older: Program, postgres: str) -> None:
    """What the copy answers is what the store did; it takes new rows; the way back changes none."""
    assert [older("ask", line).code for line in ("save 3", "note 3 50% better", "vote 4")] == [
        0
    ] * 3
    answers = [older(*each) for each in _LOOKUPS]
    moved = older("db", "copy", postgres)
    assert (moved.code, moved.err) == (0, "")
    assert moved.out.startswith("Copied ")
    assert moved.out.endswith("; counts and digests agree.\n")

    there = Program(older.folder, postgres)
    assert there("db", "copy", "sqlite:///back.db").code == 0
    assert rows_of(older.folder / "back.db") == rows_of(older.folder / "broadsheet.db")
    assert [there(*each) for each in _LOOKUPS] == answers
    assert {each.code for each in answers} == {0}
    import_week(there, _LATER)
    assert there("ask", "save dair:2026-01-12#1").code == 0
    assert "Later Paper" in there("ask", "saved").out
    assert there("db", "check").out == "The store is sound.\n"


def _urls(folder: Path, postgres: str) -> Iterator[tuple[str, str]]:
    """Make what can't be copied to; yield the URL of each, and what is said of it."""
    whole = make_url(postgres).set(password=_PASSWORD)
    of_postgres = whole.render_as_string(hide_password=False)
    with psycopg.connect(postgres) as database:
        database.execute("CREATE TABLE songs (title text)")
    yield of_postgres, "has tables of another program, such as songs"
    with psycopg.connect(postgres) as database:
        database.execute("DROP TABLE songs")
        database.execute("CREATE TABLE alembic_version AS SELECT '9999' AS version_num")
    yield of_postgres, "was written by a newer Broadsheet (schema 9999)"
    yield "sqlite:///broadsheet.db", "broadsheet.db is the store that is to be copied"
    (folder / "link.db").symlink_to("broadsheet.db")
    yield "sqlite:///link.db", "link.db is the store that is to be copied"
    (folder / "notes.txt").write_text("Lunch is at noon.\n" * 99)
    yield "sqlite:///notes.txt", "file is not a database"
    yield "sqlite:///nowhere/new.db", "unable to open database file"
    yield "postgres://me:hunter2@127.0.0.1:1/x", "me:***@127.0.0.1:1/x can't be used: connection"
    yield "postgres://me:hunter2@x@127.0.0.1/x", "The URL to copy to can't be used: it holds more"
    yield "mysql://me:hunter2@127.0.0.1/x", "The URL to copy to can't be used: mysql is not"


def test_what_cannot_be_copied_to_is_refused(older: Program, postgres: str) -> None:
    """In a sentence and a remedy, with exit code 1, no secret told and nothing written."""
    assert older("db", "upgrade").code == 0
    for url, words in _urls(older.folder, postgres):
        files = {path: path.read_bytes() for path in older.folder.iterdir() if "-" not in path.name}
        ran = older("db", "copy", url)
        assert (ran.code, ran.out) == (1, ""), url
        sentence, remedy = ran.err.splitlines()
        assert words in sentence
        assert remedy.endswith(".")
        assert {path: path.read_bytes() for path in files} == files
        assert _PASSWORD not in ran.err + older("--debug", "db", "copy", url).err
    torn = older("db", "copy", "postgres://me:hun", "ter2@127.0.0.1/x")
    assert (torn.code, torn.out) == (2, "")
    assert "ter2" not in torn.err
