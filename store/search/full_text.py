"""Queries of the full-text index: FTS5 on SQLite, tsvector on Postgres.

https://www.sqlite.org/fts5.html#full_text_query_syntax
https://www.postgresql.org/docs/current/textsearch-controls.html
"""

import math
from collections.abc import Sequence
from typing import Any, Protocol

from sqlalchemy import Connection, text

from store.search.query import Forms, Run
from store.text import stem


class FullText(Protocol):
    """A database's full-text index; with `titles` only titles are searched."""

    def count(self, forms: Forms, *, titles: bool) -> int:
        """Return how many entries match any of the forms."""

    def scores(self, run: Run, *, titles: bool) -> dict[int, float]:
        """Return the entries that match a run, with scores that grow with its rarity."""

    def best(self, groups: Sequence[Forms], limit: int, *, titles: bool) -> dict[int, float]:
        """Return the best entries that match a form of every group, with their scores."""


def full_text(connection: Connection, entries: int) -> FullText:
    """Return the full-text index of a store with so many entries."""
    is_sqlite = connection.dialect.name == "sqlite"
    return Fts5(connection) if is_sqlite else Tsvector(connection, entries)


def rarity(matches: int, entries: int) -> float:
    """Return the inverse document frequency of a term that so many of all entries match.

    As in https://en.wikipedia.org/wiki/Okapi_BM25; it is positive.
    """
    return math.log(1 + (entries - matches + 0.5) / (matches + 0.5))


class Fts5:
    """The full-text index of an SQLite store."""

    # Weights of the columns, in the order of `entry_text`.
    _SCORES = (
        "SELECT rowid, -bm25(entry_text, 10, 3, 2, 1, 2) AS score FROM entry_text"
        " WHERE entry_text MATCH :query"
    )
    _COUNT = text("SELECT count(*) FROM entry_text WHERE entry_text MATCH :query")
    _ALL = text(_SCORES)
    _BEST = text(f"{_SCORES} ORDER BY score DESC, rowid DESC LIMIT :limit")

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def count(self, forms: Forms, *, titles: bool) -> int:
        """Return how many entries match any of the forms."""
        query = {"query": _fts5_query([forms], titles=titles)}
        return self._connection.scalar(self._COUNT, query) or 0

    def scores(self, run: Run, *, titles: bool) -> dict[int, float]:
        """Return the entries that match a run, with scores that grow with its rarity."""
        return dict(_rows(self._connection, self._ALL, query=_fts5_query([(run,)], titles=titles)))

    def best(self, groups: Sequence[Forms], limit: int, *, titles: bool) -> dict[int, float]:
        """Return the best entries that match a form of every group, with their scores."""
        query = _fts5_query(groups, titles=titles)
        return dict(_rows(self._connection, self._BEST, query=query, limit=limit))


def _fts5_query(groups: Sequence[Forms], *, titles: bool) -> str:
    """Return the FTS5 query for entries that match a form of every group.

    Each run is quoted: inside quotes FTS5 knows no syntax (raw text is an error for `GPT-4`,
    `C++` or a lone quote), and folded words contain no quote.
    """
    quoted = (" OR ".join('"{}"'.format(" ".join(run)) for run in forms) for forms in groups)
    query = " AND ".join(f"({forms})" for forms in quoted)
    return f"{{title}} : ({query})" if titles else query


class Tsvector:
    """The full-text index of a Postgres store with so many entries.

    `ts_rank` ignores rarity, so the scores are multiplied by it here.
    """

    # Weights by label: D, C, B, A are heading; highlights and section; summary; title. Long entries
    # count less (1), as with SQLite.
    _RANK = "ts_rank('{{0.3, 0.5, 0.6, 1.0}}', words, to_tsquery('simple', {0}), 1)"
    _MATCHES = "words @@ to_tsquery('simple', {0})"
    _COUNT = text(f"SELECT count(*) FROM entry_text WHERE {_MATCHES.format(':query')}")  # noqa: S608 - constants
    _ALL = text(
        f"SELECT rowid, {_RANK.format(':query')} FROM entry_text WHERE {_MATCHES.format(':query')}"  # noqa: S608 - constants
    )

    def __init__(self, connection: Connection, entries: int) -> None:
        self._connection = connection
        self._entries = entries

    def count(self, forms: Forms, *, titles: bool) -> int:
        """Return how many entries match any of the forms."""
        query = {"query": _ts_query(forms, titles=titles)}
        return self._connection.scalar(self._COUNT, query) or 0

    def scores(self, run: Run, *, titles: bool) -> dict[int, float]:
        """Return the entries that match a run, with scores that grow with its rarity."""
        rows = _rows(self._connection, self._ALL, query=_ts_query((run,), titles=titles))
        factor = rarity(len(rows), self._entries)
        return {entry: factor * rank for entry, rank in rows}

    def best(self, groups: Sequence[Forms], limit: int, *, titles: bool) -> dict[int, float]:
        """Return the best entries that match a form of every group, with their scores."""
        values: dict[str, object] = {}
        for number, forms in enumerate(groups):
            values[f"query{number}"] = _ts_query(forms, titles=titles)
            values[f"rarity{number}"] = rarity(self.count(forms, titles=titles), self._entries)
        numbers = range(len(groups))
        score = " + ".join(f":rarity{n} * {self._RANK.format(f':query{n}')}" for n in numbers)
        matches = " AND ".join(self._MATCHES.format(f":query{n}") for n in numbers)
        statement = text(
            f"SELECT rowid, {score} AS score FROM entry_text WHERE {matches}"  # noqa: S608 - constants
            " ORDER BY score DESC, rowid DESC LIMIT :limit"
        )
        return dict(_rows(self._connection, statement, **values, limit=limit))


def _ts_query(forms: Forms, *, titles: bool) -> str:
    """Return the tsquery for any of the forms; stems are quoted and contain no quote."""
    label = ":A" if titles else ""
    runs = (" <-> ".join(f"'{stem(word)}'{label}" for word in run) for run in forms)
    return " | ".join(f"({run})" for run in runs)


def _rows(connection: Connection, statement: Any, **values: object) -> list[tuple[int, float]]:  # noqa: ANN401 - a statement
    """Return entry ids and scores from the driver: SQLAlchemy's rows take 15 ms more for 60,000."""
    cursor: Any = connection.execute(statement, values).cursor
    rows: list[tuple[int, float]] = cursor.fetchall()
    return rows
