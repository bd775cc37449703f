"""Copies of a store on either database: every row, or none."""

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import SQLModel

from store.database import Database
from store.database.statements import next_ids
from store.errors import CopyError
from store.maintenance.copy_store import Copied, copy_store
from store.maintenance.health import check
from store.migrations import upgrade
from store.search import SearchQuery, search
from tests.store.maintenance.every_table import IDS, rows_of


def _at(path: Path) -> str:
    return f"sqlite:///{path}"


async def _copied(source: str, target: str) -> Copied:
    async with Database(source) as one, Database(target) as other:
        return await copy_store(one, other, lambda *_: None)


def _held(path: Path) -> set[str]:
    """Return the tables of a file that have rows."""
    return {name for name, rows in rows_of(path).items() if rows}


async def test_a_copy_of_a_copy_has_every_row_as_it_was(
    filled: Path, empty_url: str, tmp_path: Path
) -> None:
    """Through either database and back the file has the same values."""
    before = rows_of(filled)
    assert min(map(len, before.values())) > 0
    last = tmp_path / "last.db"
    copied = await _copied(_at(filled), empty_url)
    assert copied == await _copied(empty_url, _at(last))
    async with Database(empty_url) as between:
        assert await between.run(check) == []
        hits = (await between.read(search, SearchQuery(words=("kite",)), 10)).hits
        assert len(hits) == len(before["entry_text"])
    assert rows_of(last) == before
    del before["rowids"]
    assert copied == Copied(sum(map(len, before.values())), len(before))


async def test_new_rows_of_a_copy_are_numbered_after_those_that_came(
    filled: Path, empty_url: str
) -> None:
    """Ids have gaps and do not begin with 1; no table would number a row as one that it has."""
    await _copied(_at(filled), empty_url)
    async with Database(empty_url) as copy:
        with copy.engine.begin() as connection:
            numbered = {
                each.class_.__tablename__: next_ids(connection, each.class_, 1)
                for each in SQLModel._sa_registry.mappers  # noqa: SLF001 - it has no other list
                if "id" in each.local_table.c
            }
    assert len(numbered) > 10
    assert {*map(tuple, numbered.values())} == {(max(IDS) + 1,)}


async def test_what_a_database_changes_is_no_copy(filled: Path, tmp_path: Path) -> None:
    """Where rows differ from those that were read, the table is named and nothing kept."""
    target = tmp_path / "target.db"
    async with Database(_at(target)) as database:
        await database.run(upgrade.upgrade)
        with database.engine.begin() as connection:
            connection.execute(
                text(
                    "CREATE TRIGGER shout AFTER INSERT ON source"
                    " BEGIN UPDATE source SET title = upper(title) WHERE slug = new.slug; END"
                )
            )
    with pytest.raises(CopyError, match="The copy of source differs, so nothing was kept: 4 rows"):
        await _copied(_at(filled), _at(target))
    assert _held(target) == {"schema_support"}


async def test_a_row_that_belongs_nowhere_is_named(filled: Path, empty_url: str) -> None:
    """A store that lost a row is not copied, for Postgres could not hold it."""
    with closing(sqlite3.connect(filled)) as file, file:
        file.execute("DELETE FROM channel WHERE id = 3")
    with pytest.raises(CopyError, match=r"Row \d+ of \w+ belongs to no row of channel"):
        await _copied(_at(filled), empty_url)


async def test_a_cancelled_copy_leaves_nothing(filled: Path, tmp_path: Path) -> None:
    """Whoever ends it in the middle finds an empty store, which can be copied to."""
    target, begun, ended = tmp_path / "target.db", asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def watch(_what: str, _done: int, _total: int) -> None:
        loop.call_soon_threadsafe(begun.set)
        ended.wait()

    async with Database(_at(filled)) as one, Database(_at(target)) as other:
        copying = asyncio.create_task(copy_store(one, other, watch))
        await begun.wait()
        copying.cancel()
        with pytest.raises(asyncio.CancelledError):
            await copying
        ended.set()
    assert _held(target) == {"schema_support"}
    assert (await _copied(_at(filled), _at(target))).rows > 0
