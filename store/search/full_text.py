"""The full-text index, written and queried: FTS5 on SQLite, tsvector on Postgres.

https://www.sqlite.org/fts5.html#full_text_query_syntax
https://www.postgresql.org/docs/current/textsearch-controls.html
"""

import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from sqlalchemy import Connection, delete, text
from sqlmodel import Session

from store.database.statements import execute_each, insert_new
from store.records import Entry
from store.search.query import Forms, Run
from store.search.synonyms import explained_acronyms
from store.search.weights import COLUMN_WEIGHTS, COLUMNS, LABEL_WEIGHTS, rarity
from store.tables.library import AcronymRow, WordRow
from store.text import fold, stem

# Raised with every change of what is written for the same entry.
INDEX_RULES = "1"

# Postgres refuses a tsvector over 1 MB, and a longer text finds nothing that its first
# 100,000 characters don't.
_LONGEST = 100_000

# A token that is no word separates the texts, so that no phrase leads from one to the next.
_WORDS = r" || '|\:1' || ".join(
    f"setweight(to_tsvector('simple', :{name}_stems), '{weight.label}')"
    for name, weight in COLUMN_WEIGHTS.items()
)
_INDEX = {
    "sqlite": text(
        "INSERT INTO entry_text (rowid, title, summary, highlights, heading, section)"
        " VALUES (:rowid, :title, :summary, :highlights, :heading, :section)"
    ),
    "postgresql": text(
        "INSERT INTO entry_text (rowid, title, summary, highlights, heading, section, words)"  # noqa: S608 - constants
        f" VALUES (:rowid, :title, :summary, :highlights, :heading, :section, {_WORDS})"
    ),
}


class Fts5:
    """The full-text index of an SQLite store."""

    _WEIGHTS = ", ".join(str(weight.bm25) for weight in COLUMN_WEIGHTS.values())
    _SCORES = (
        f"SELECT rowid, -bm25(entry_text, {_WEIGHTS}) AS score FROM entry_text"  # noqa: S608 - constants
        " WHERE entry_text MATCH :query"
    )
    _COUNT = "SELECT count(*) FROM entry_text WHERE entry_text MATCH :query"
    # By the plus, SQLite searches once and not for each of the entries.
    # https://www.sqlite.org/optoverview.html#uplus
    _WITHIN = f"{_SCORES} AND +rowid IN (SELECT value FROM json_each(:entries))"  # noqa: S608 - constants
    _BEST = f"{_SCORES} ORDER BY score DESC, rowid DESC LIMIT :limit"
    _SOME = "SELECT rowid FROM entry_text WHERE entry_text MATCH :query LIMIT :limit"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def count(self, forms: Forms, *, titles: bool) -> int:
        """Return how many entries match any of the forms."""
        [(count,)] = self._rows(self._COUNT, query=_fts5_query([forms], titles=titles))
        return int(count)

    def scores(self, run: Run, *, titles: bool) -> dict[int, float]:
        """Return the entries that match a run, with scores that grow with its rarity."""
        return dict(self._rows(self._SCORES, query=_fts5_query([(run,)], titles=titles)))

    def scores_within(
        self, run: Run, entries: AbstractSet[int], *, titles: bool
    ) -> dict[int, float]:
        """Return the scores of those of some entries that match a run."""
        query = _fts5_query([(run,)], titles=titles)
        return dict(self._rows(self._WITHIN, query=query, entries=json.dumps([*entries])))

    def best(self, groups: Sequence[Forms], limit: int, *, titles: bool) -> dict[int, float]:
        """Return the best entries that match a form of every group, with their scores."""
        query = _fts5_query(groups, titles=titles)
        return dict(self._rows(self._BEST, query=query, limit=limit))

    def some(self, run: Run, limit: int) -> list[int]:
        """Return entries that match a run, at most so many, without scores and in no order."""
        query = _fts5_query([(run,)], titles=False)
        return [entry for (entry,) in self._rows(self._SOME, query=query, limit=limit)]

    def _rows(self, statement: str, **values: object) -> list[Any]:
        """Return rows by the driver alone: SQLAlchemy takes eight times as long for a few."""
        driver: Any = self._connection.connection.driver_connection
        rows: list[Any] = driver.execute(statement, values).fetchall()
        return rows


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

    # Long entries count less (1), as with SQLite.
    _WEIGHTS = ", ".join(map(str, LABEL_WEIGHTS.values()))
    _RANK = f"ts_rank('{{{{{_WEIGHTS}}}}}', words, to_tsquery('simple', {{0}}), 1)"
    _MATCHES = "words @@ to_tsquery('simple', {0})"
    _COUNT = text(f"SELECT count(*) FROM entry_text WHERE {_MATCHES.format(':query')}")  # noqa: S608 - constants
    _ALL = text(
        f"SELECT rowid, {_RANK.format(':query')} FROM entry_text WHERE {_MATCHES.format(':query')}"  # noqa: S608 - constants
    )

    _WITHIN = text(f"{_ALL.text} AND rowid = ANY(:entries)")
    # By the subselect, Postgres takes the index for a frequent word too: a scan reads every vector.
    _SOME = text(
        "SELECT rowid FROM entry_text WHERE words @@ (SELECT to_tsquery('simple', :query))"
        " LIMIT :limit"
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

    def scores_within(
        self, run: Run, entries: AbstractSet[int], *, titles: bool
    ) -> dict[int, float]:
        """Return the scores of those of some entries that match a run."""
        query = _ts_query((run,), titles=titles)
        rows = _rows(self._connection, self._WITHIN, query=query, entries=[*entries])
        factor = rarity(self.count((run,), titles=titles), self._entries)
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

    def some(self, run: Run, limit: int) -> list[int]:
        """Return entries that match a run, at most so many, without scores and in no order."""
        query = _ts_query((run,), titles=False)
        return [entry for (entry,) in _rows(self._connection, self._SOME, query=query, limit=limit)]


FullText = Fts5 | Tsvector


def full_text(connection: Connection, entries: int) -> FullText:
    """Return the full-text index of a store with so many entries."""
    is_sqlite = connection.dialect.name == "sqlite"
    return Fts5(connection) if is_sqlite else Tsvector(connection, entries)


def _ts_query(forms: Forms, *, titles: bool) -> str:
    """Return the tsquery for any of the forms; stems are quoted and contain no quote."""
    label = ":A" if titles else ""
    runs = (" <-> ".join(f"'{stem(word)}'{label}" for word in run) for run in forms)
    return " | ".join(f"({run})" for run in runs)


def _rows(connection: Connection, statement: Any, **values: object) -> list[Any]:  # noqa: ANN401 - a statement, tuples
    """Return rows from the driver: SQLAlchemy's take 15 ms more for 60,000."""
    cursor: Any = connection.execute(statement, values).cursor
    rows: list[Any] = cursor.fetchall()
    return rows


def index(session: Session, entries: Sequence[tuple[int, Entry]]) -> None:
    """Index entries under their database ids, which are not indexed yet.

    Words and acronyms stay when the entries go: a word that no entry contains is never offered.
    """
    if not entries:
        return
    connection = session.connection()
    texts = {entry_id: _texts(entry) for entry_id, entry in entries}
    folded = {
        entry_id: {name: fold(column[:_LONGEST]) for name, column in columns.items()}
        for entry_id, columns in texts.items()
    }
    write_texts(
        connection, [{"rowid": entry_id, **columns} for entry_id, columns in folded.items()]
    )
    joined = " ".join(column for columns in folded.values() for column in columns.values())
    # In one order, so that no two writers wait for each other.
    words = sorted(filter(str.isalpha, set(joined.split())))
    execute_each(connection, insert_new(session, WordRow), [{"word": word} for word in words])
    acronyms = {
        (letters, " ".join(run))
        for columns in texts.values()
        for letters, run in explained_acronyms("\n".join(columns.values()))
    }
    pairs = [{"letters": letters, "words": run} for letters, run in sorted(acronyms)]
    execute_each(connection, insert_new(session, AcronymRow), pairs)


def write_texts(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add rows of folded texts to the index. They have no stems: FTS5 makes its own."""
    if connection.dialect.name == "postgresql":
        rows = [{**row, **{f"{name}_stems": _stems(row[name]) for name in COLUMNS}} for row in rows]
    execute_each(connection, _INDEX[connection.dialect.name], rows)


def unindex(session: Session, entry_ids: Sequence[int]) -> None:
    """Remove entries from the index."""
    rows = [{"rowid": entry_id} for entry_id in entry_ids]
    execute_each(session.connection(), text("DELETE FROM entry_text WHERE rowid = :rowid"), rows)


def clear(session: Session) -> None:
    """Remove all entries, words and acronyms."""
    for statement in (text("DELETE FROM entry_text"), delete(WordRow), delete(AcronymRow)):
        session.connection().execute(statement)


def _stems(folded: str) -> str:
    return " ".join(map(stem, folded.split()))


def _texts(entry: Entry) -> dict[str, str]:
    """Return the texts of an entry by column of the index."""
    bullets = "\n".join(f"{bullet.lead or ''} {bullet.text}" for bullet in entry.highlights)
    texts = (entry.title, entry.summary, bullets, entry.heading, entry.section)
    return {name: column or "" for name, column in zip(COLUMNS, texts, strict=True)}
