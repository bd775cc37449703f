"""A copy of all that a store holds, in an empty one: on either database, all of it or nothing.

Leases and claims come along as they are, as if their processes had been killed: others take over
what those had claimed a minute later.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, Table, func, inspect, literal, select, table
from sqlmodel import SQLModel

from store.database import Database
from store.errors import CopyError, StoreUnavailable
from store.maintenance import rows
from store.maintenance.health import orphans
from store.migrations import upgrade

# Told what is done to rows, to how many of them, and how many there are.
Watch = Callable[[str, int, int], None]

# The program itself puts rows there as soon as it opens a new store.
_OF_ANY_STORE = frozenset({"alembic_version", "content", "schema_support"})
_ELSEWHERE = "Name an empty database or a new file; nothing is overwritten."


@dataclass(frozen=True, slots=True)
class Copied:
    """The number of rows and tables that were copied, and compared afterwards."""

    rows: int
    tables: int


async def copy_store(source: Database, target: Database, watch: Watch) -> Copied:
    """Copy a store, as of one moment, to an empty one, in one transaction there.

    The source may be written to meanwhile, and is at the newest schema. The target gets that, and
    takes no other rows until the copy is compared with the source, table by table.

    Raises:
        CopyError: if the target is the same store, is not empty, is of a newer version or can't be
            reached; if the source holds rows that belong nowhere; or if the copy differs.
        StoreError: any other refusal of either database.
    """
    if _place(source) == _place(target):
        raise CopyError(f"{target.name} is the store that is to be copied.", _ELSEWHERE)
    cancelled = threading.Event()

    def watching(what: str, done: int, total: int) -> None:
        if cancelled.is_set():
            raise CopyError("The copy was cancelled; nothing was kept.")
        watch(what, done, total)

    try:
        await target.read(lambda session: _require_empty(session.connection(), target.name))
        return await target.run(lambda engine: _copy(source, engine, target.name, watching))
    except asyncio.CancelledError:
        cancelled.set()
        raise
    except StoreUnavailable as error:
        if error.where != target.name:
            raise
        raise CopyError(
            error.sentence, "Make an empty database there, and check the URL and its user's rights."
        ) from error


def _place(database: Database) -> object:
    """Return what tells a store from others, whoever opens it."""
    if database.path:
        return database.path.resolve()
    url = database.url
    return url.host, url.port or 5432, url.database, url.query


def _require_empty(connection: Connection, name: str) -> None:
    """Refuse a database that holds anything.

    Raises:
        CopyError: where it does, or a later version of the program made it.
    """
    found = [
        each
        for each in inspect(connection).get_table_names()
        if upgrade.is_model_table(each, "table", {})
    ]
    revision = upgrade.current(connection)
    if revision is None and found:
        raise CopyError(
            f"The database at {name} has tables of another program, such as {found[0]}.", _ELSEWHERE
        )
    if revision is not None and revision > upgrade.head():
        raise CopyError(
            f"The store at {name} was written by a newer Broadsheet (schema {revision}).",
            _ELSEWHERE,
        )
    for each in sorted({*found} - _OF_ANY_STORE):
        if (
            connection.execute(select(literal(1)).select_from(table(each)).limit(1)).first()
            is not None
        ):
            raise CopyError(
                f"The store at {name} is not empty: its table {each} has rows.", _ELSEWHERE
            )


def _copy(source: Database, engine: Engine, name: str, watch: Watch) -> Copied:
    upgrade.upgrade(engine)
    tables = [*map(rows.plain, SQLModel.metadata.sorted_tables), rows.INDEX]
    with source.snapshot() as old, engine.connect() as new, upgrade.locked(new):
        # Another program may have written to it before it was locked.
        _require_empty(new, name)
        for each in tables:
            if each.name in _OF_ANY_STORE:
                new.execute(each.delete())
        with source.refusals_in_words():
            total = _count(old, tables)
        copied, compared = _Progress("Copied", total, watch), _Progress("Compared", total, watch)
        there = {}
        for each in tables:
            there[each.name] = rows.Tally()
            for batch in _read(source, old, each):
                rows.insert(new, each, batch)
                there[each.name].add(batch)
                copied.add(len(batch))
            rows.continue_ids(new, each)
        for each in tables:
            here = rows.Tally()
            for batch in rows.read(new, each):
                here.add(batch)
                compared.add(len(batch))
            _compare(each.name, there[each.name], here)
    return Copied(total, len(tables))


def _count(old: Connection, tables: Sequence[Table]) -> int:
    """Count the rows of a store that can be copied.

    Raises:
        CopyError: if a row belongs nowhere.
    """
    upgrade.require_current(old)
    if orphan := next(orphans(old), None):
        raise CopyError(f"Nothing was copied: {orphan}", "broadsheet db check lists all such rows.")
    return sum(old.scalar(select(func.count()).select_from(each)) or 0 for each in tables)


def _read(source: Database, old: Connection, of: Table) -> Iterator[rows.Rows]:
    with source.refusals_in_words():
        yield from rows.read(old, of)


def _compare(name: str, there: rows.Tally, here: rows.Tally) -> None:
    if (here.count, here.digest) != (there.count, there.digest):
        raise CopyError(
            f"The copy of {name} differs, so nothing was kept: {there.count:,} rows with digest"
            f" {there.digest[:12]} became {here.count:,} with {here.digest[:12]}.",
            "Look for triggers or rules of that database, or report it.",
        )


class _Progress:
    """The progress of one step over all rows."""

    def __init__(self, what: str, total: int, watch: Watch) -> None:
        self._what, self._total, self._watch = what, total, watch
        self._done = 0

    def add(self, count: int) -> None:
        """Tell of more rows."""
        self._done += count
        self._watch(self._what, self._done, self._total)
