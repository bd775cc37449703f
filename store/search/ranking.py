"""Which entries hold enough of a query, and how well: the same for both databases. All pure."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import reduce


def holders_of_all(held: Sequence[AbstractSet[int]]) -> AbstractSet[int]:
    """Return the entries that stand in every one of the sets, of which there is one at least."""
    return reduce(lambda some, others: some & others, sorted(held, key=len))


def holders_of_most(held: Sequence[tuple[AbstractSet[int], int]]) -> AbstractSet[int]:
    """Return the entries that hold a good share of the weight of all terms.

    `held` are each term's holders and its weight. Where no entry holds as much it is those
    that hold the most.
    """
    least = _share(len(held)) * sum(weight for _, weight in held)
    found = _weighed(held, least)
    if max(found.values(), default=0) < least:
        found = _weighed(held, 0)
        least = max(found.values(), default=0)
    return {entry for entry, weight in found.items() if weight >= least}


def _weighed(held: Sequence[tuple[AbstractSet[int], int]], least: float) -> dict[int, int]:
    """Return the entries that may hold so much, each with the weight of what it holds."""
    left = sum(weight for _, weight in held)
    found: dict[int, int] = {}
    for holders, weight in sorted(held, key=lambda each: -each[1]):
        # What holds nothing so far can't get enough any more once too little is left.
        for entry in holders if left >= least else holders & found.keys():
            found[entry] = found.get(entry, 0) + weight
        left -= weight
    return found


def _share(terms: int) -> float:
    """Return the share that is enough: half of a few words, a quarter of a description.

    People describe a paper in words of their own, most of which it hasn't.
    """
    return min(0.5, max(0.25, 1.5 / max(terms, 1)))


def scores(entries: AbstractSet[int], scored: Sequence[Mapping[int, float]]) -> dict[int, float]:
    """Return the entries, each with the sum of its scores; there is one mapping at least."""
    first, *others = scored
    found = {entry: first.get(entry, 0.0) for entry in entries}
    for each in others:
        for entry in found.keys() & each.keys():
            found[entry] += each[entry]
    return found
