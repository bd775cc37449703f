"""Write the same rows and read the same answers with `sqlite3` alone.

Nothing is parsed, decided or compared here.
"""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from store.search import SearchQuery
from tests.benchmarks.measure import Stopwatch
from tests.benchmarks.processes.product import HITS

Row = tuple[Any, ...]
Rows = list[Row]
# The rows of one transaction by table, in an order that foreign keys allow.
Transaction = dict[str, Rows]

_LINE_WORDS = re.compile(r"\w+")
_OF_EDITION = {
    "source": "SELECT * FROM source WHERE slug = (SELECT source FROM edition WHERE id = ?)",
    "edition": "SELECT * FROM edition WHERE id = ?",
    "contribution": "SELECT * FROM contribution WHERE edition_id = ?",
    # A paper is written with the first edition that mentions it.
    "paper": "SELECT * FROM paper"
    " WHERE ? = (SELECT min(edition_id) FROM entry WHERE paper_id = paper.id)",
    "entry": "SELECT * FROM entry WHERE edition_id = ?",
    "entry_text": "SELECT rowid, * FROM entry_text"
    " WHERE rowid IN (SELECT id FROM entry WHERE edition_id = ?)",
    "entry_word": "SELECT * FROM entry_word"
    " WHERE entry_id IN (SELECT id FROM entry WHERE edition_id = ?)",
    "entry_topic": "SELECT * FROM entry_topic"
    " WHERE entry_id IN (SELECT id FROM entry WHERE edition_id = ?)",
}
# What belongs to no edition is written in a transaction of its own.
_OF_NONE = ("document", "word", "acronym", "content", "consensus_rank")


@contextmanager
def connected(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a store with the pragmas that the product sets."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")
        yield connection


def read_rows(filled: Path) -> list[Transaction]:
    """Read all rows of a filled store, an edition a transaction and what has none the last."""
    with connected(filled) as connection:
        ids = connection.execute("SELECT id FROM edition ORDER BY id").fetchall()
        others = {
            table: connection.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608 - names of the schema
            for table in _OF_NONE
        }
        return [*(_edition_rows(connection, key) for key in ids), others]


def _edition_rows(connection: sqlite3.Connection, key: tuple[int]) -> Transaction:
    return {
        table: connection.execute(query, key).fetchall() for table, query in _OF_EDITION.items()
    }


def timed_upsert(path: Path, transactions: Sequence[Transaction]) -> float:
    """Write rows into a store; return the ms, the opening of the store left out."""
    with connected(path) as connection:
        statements = {table: _upsert(connection, table) for table in (*_OF_EDITION, *_OF_NONE)}
        with Stopwatch() as watch:
            for transaction in transactions:
                connection.execute("BEGIN IMMEDIATE")
                for table, rows in transaction.items():
                    connection.executemany(statements[table], rows)
                connection.execute("COMMIT")
    return watch.milliseconds


def _upsert(connection: sqlite3.Connection, table: str) -> str:
    """Return the statement that inserts a row or brings the one with its key up to date."""
    columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
    names = [name for _, name, *_ in columns]
    if table == "entry_text":  # a virtual table knows REPLACE, but no ON CONFLICT
        names = ["rowid", *names]
        return f"REPLACE INTO {table} ({_list(names)}) VALUES ({_marks(names)})"  # noqa: S608 - names of the schema, values are bound
    keys = [name for _, name, *_, part in columns if part]
    updates = ", ".join(f"{name} = excluded.{name}" for name in names if name not in keys)
    return (
        f"INSERT INTO {table} ({_list(names)}) VALUES ({_marks(names)})"  # noqa: S608 - the same
        f" ON CONFLICT ({_list(keys)}) DO {f'UPDATE SET {updates}' if updates else 'NOTHING'}"
    )


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)


def _marks(values: Sequence[object]) -> str:
    return _list("?" * len(values))


def timed_scan(data: bytes) -> float:
    """Decode a document, part it into lines and these into words; return the ms."""
    with Stopwatch() as watch:
        for line in data.decode().splitlines():
            _LINE_WORDS.findall(line)
    return watch.milliseconds


# The weights of the columns are the product's.
_SCORE = "-bm25(entry_text, 10, 3, 2, 1, 2)"
_FIND = f"SELECT rowid, {_SCORE} AS score FROM entry_text WHERE entry_text MATCH ?"  # noqa: S608 - constants only


def find(connection: sqlite3.Connection, query: SearchQuery) -> Rows:
    """Return id and score of the ten best entries that hold every word, the best first."""
    ranked = f"{_FIND} ORDER BY score DESC LIMIT {HITS}"
    return connection.execute(ranked, (_match(query),)).fetchall()


def scores(connection: sqlite3.Connection, query: SearchQuery, ids: Sequence[int]) -> list[float]:
    """Return the scores, by the same formula, of those of some entries that hold every word."""
    # By the plus FTS5 is asked once for all, and not anew for each id.
    some = f"{_FIND} AND +rowid IN ({_marks(ids)})"
    return [score for _, score in connection.execute(some, (_match(query), *ids))]


def read_hits(connection: sqlite3.Connection, query: SearchQuery) -> None:
    """Find the ten best entries and read their rows and their editions'."""
    ids = [row_id for row_id, _ in find(connection, query)]
    connection.execute(
        "SELECT entry.*, edition.* FROM entry"  # noqa: S608 - marks only, values are bound
        " JOIN edition ON edition.id = entry.edition_id"
        " JOIN paper ON paper.id = entry.paper_id"
        f" WHERE entry.id IN ({_marks(ids)})",
        ids,
    ).fetchall()


def _match(query: SearchQuery) -> str:
    return " AND ".join(f'"{word}"' for word in query.words)
