"""The weights of the ranking: how much a column, a rare word and a whole match count. Pure."""

import math
from typing import NamedTuple


class ColumnWeight(NamedTuple):
    """The weight of a column: a factor in FTS5's BM25, and the label of its words in a tsvector."""

    bm25: int
    label: str


# The columns of the index, in its order.
COLUMN_WEIGHTS = {
    "title": ColumnWeight(10, "A"),
    "summary": ColumnWeight(3, "B"),
    "highlights": ColumnWeight(2, "C"),
    "heading": ColumnWeight(1, "D"),
    "section": ColumnWeight(2, "C"),
}
COLUMNS = tuple(COLUMN_WEIGHTS)
# In the order in which `ts_rank` takes them.
LABEL_WEIGHTS = {"D": 0.3, "C": 0.5, "B": 0.6, "A": 1.0}

# Added to the score of entries of a paper that was named by its id, of those that match all terms,
# and of those with exactly these words for a title. A word's own score stays under 20.
IS_NAMED = 10_000.0
MATCHES_ALL = 1000.0
IS_TITLE = 2000.0

# Of a description most papers lack most words; this share of the weight of all terms is enough.
SHARE_OF_DESCRIPTION = 0.25
# What scores less than this part of the best holds its words in passing, as long reviews do.
IN_PASSING = 0.5


def rarity(matches: int, entries: int) -> float:
    """Return the inverse document frequency of a term that so many of all entries match.

    As in https://en.wikipedia.org/wiki/Okapi_BM25; it is positive.
    """
    return math.log(1 + (entries - matches + 0.5) / (matches + 0.5))
