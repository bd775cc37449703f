"""Read the same answers with `sqlite3` alone; nothing is parsed, decided or compared here."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from store.search import SearchQuery

HITS = 10
Row = tuple[Any, ...]
Rows = list[Row]


@contextmanager
def connected(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a store with the pragmas that the product sets."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")
        yield connection


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
    some = f"{_FIND} AND +rowid IN ({', '.join('?' * len(ids))})"
    return [score for _, score in connection.execute(some, (_match(query), *ids))]


def _match(query: SearchQuery) -> str:
    return " AND ".join(f'"{word}"' for word in query.words)
