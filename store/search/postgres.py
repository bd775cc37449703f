"""Matching by Postgres.

https://www.postgresql.org/docs/current/textsearch-controls.html
"""

from collections.abc import Sequence

from store.database.statements import Reader
from store.search.matcher import Forms, rarity
from store.search.query import Run
from store.text import stem

# How much a word counts by its label: D, C, B, A are heading; highlights and section;
# summary; title. Long entries count less (1), as they do with SQLite.
_RANK = "ts_rank('{0.3, 0.5, 0.6, 1.0}', words, to_tsquery('simple', ?), 1)"
_HOLDS = "words @@ to_tsquery('simple', ?)"


class Tsvector:
    """The full-text index of a Postgres store with so many entries.

    `ts_rank` knows nothing of rarity, so that is put in here.
    """

    def __init__(self, reader: Reader, entries: int) -> None:
        self._reader = reader
        self._entries = entries

    def count(self, forms: Forms, *, titles: bool) -> int:
        """Return how many entries hold any of the forms."""
        statement = f"SELECT count(*) FROM entry_text WHERE {_HOLDS}"  # noqa: S608 - a constant
        [(number,)] = self._reader.rows(statement, _any(forms, titles=titles))
        return int(number)

    def scored(self, run: Run, *, titles: bool) -> dict[int, float]:
        """Return the entries that hold a run with their scores, which rarity raises."""
        wanted = _any((run,), titles=titles)
        statement = f"SELECT rowid, {_RANK} FROM entry_text WHERE {_HOLDS}"  # noqa: S608 - constants
        found = self._reader.rows(statement, wanted, wanted)
        factor = rarity(len(found), self._entries)
        return {entry: factor * rank for entry, rank in found}

    def best(self, groups: Sequence[Forms], limit: int, *, titles: bool) -> dict[int, float]:
        """Return the best of the entries that hold a form of every group, with their scores."""
        wanted = [_any(forms, titles=titles) for forms in groups]
        score = " + ".join([f"? * {_RANK}"] * len(wanted))
        holds = " AND ".join([_HOLDS] * len(wanted))
        factors = (rarity(self.count(f, titles=titles), self._entries) for f in groups)
        weighed = [value for pair in zip(factors, wanted, strict=True) for value in pair]
        statement = (
            f"SELECT rowid, {score} AS score FROM entry_text WHERE {holds}"  # noqa: S608 - constants
            " ORDER BY score DESC, rowid DESC LIMIT ?"
        )
        return dict(self._reader.rows(statement, *weighed, *wanted, limit))


def _any(forms: Forms, *, titles: bool) -> str:
    """Match what holds any of the forms; each stem is quoted, and folded words hold no quote."""
    label = ":A" if titles else ""
    runs = (" <-> ".join(f"'{stem(word)}'{label}" for word in run) for run in forms)
    return " | ".join(f"({run})" for run in runs)
