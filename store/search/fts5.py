"""Matching by SQLite's FTS5.

https://www.sqlite.org/fts5.html#full_text_query_syntax
"""

from collections.abc import Sequence

from store.database.statements import Reader
from store.search.matcher import Forms
from store.search.query import Run

# How much a word counts by where it stands; columns as in `entry_text`.
_SCORED = (
    "SELECT rowid, -bm25(entry_text, 10, 3, 2, 1, 2) AS score FROM entry_text"
    " WHERE entry_text MATCH ?"
)


class Fts5:
    """The full-text index of an SQLite store."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def count(self, forms: Forms, *, titles: bool) -> int:
        """Return how many entries hold any of the forms."""
        statement = "SELECT count(*) FROM entry_text WHERE entry_text MATCH ?"
        [(number,)] = self._reader.rows(statement, _all([forms], titles=titles))
        return int(number)

    def scored(self, run: Run, *, titles: bool) -> dict[int, float]:
        """Return the entries that hold a run with their scores, which rarity raises."""
        return dict(self._reader.rows(_SCORED, _all([(run,)], titles=titles)))

    def best(self, groups: Sequence[Forms], limit: int, *, titles: bool) -> dict[int, float]:
        """Return the best of the entries that hold a form of every group, with their scores."""
        statement = f"{_SCORED} ORDER BY score DESC, rowid DESC LIMIT ?"
        return dict(self._reader.rows(statement, _all(groups, titles=titles), limit))


def _all(groups: Sequence[Forms], *, titles: bool) -> str:
    """Match what holds a form of every group.

    Each run is quoted: inside quotes FTS5 knows no syntax (raw text is an error for `GPT-4`,
    `C++` or a lone quote), and folded words hold no quote.
    """
    quoted = (" OR ".join('"{}"'.format(" ".join(run)) for run in forms) for forms in groups)
    wanted = " AND ".join(f"({forms})" for forms in quoted)
    return f"{{title}} : ({wanted})" if titles else wanted
