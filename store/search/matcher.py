"""What both full-text indexes are asked: who holds something, and how well."""

import math
from collections.abc import Sequence
from typing import Protocol

from store.search.query import Run

# Runs of which any one will do.
Forms = tuple[Run, ...]


class Matcher(Protocol):
    """One database's full-text index; with `titles` nothing but titles is looked at."""

    def count(self, forms: Forms, *, titles: bool) -> int:
        """Return how many entries hold any of the forms."""

    def scored(self, run: Run, *, titles: bool) -> dict[int, float]:
        """Return the entries that hold a run with their scores, which rarity raises."""

    def best(self, groups: Sequence[Forms], limit: int, *, titles: bool) -> dict[int, float]:
        """Return the best of the entries that hold a form of every group, with their scores."""


def rarity(holders: int, entries: int) -> float:
    """Return the inverse document frequency of what so many of all entries hold.

    As in https://en.wikipedia.org/wiki/Okapi_BM25; it is positive.
    """
    return math.log(1 + (entries - holders + 0.5) / (holders + 0.5))
