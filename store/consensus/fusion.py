"""Fusing the rankings of several lists into one. Pure.

This is reciprocal rank fusion: from each list that has it a paper gets 1 / (60 + its rank), and
what it got in all decides (Cormack, Clarke, Büttcher 2009,
https://doi.org/10.1145/1571941.1572114). Sums are exact, so that neither the order of lists nor
that of entries matters.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from math import lcm

from store.sources import precedence

# Raised with every change of what comes out for the same votes.
FUSION_RULES = "1"

# What the authors found to do best; the greater it is, the less the first ranks count.
_K = 60


@dataclass(frozen=True, slots=True)
class Vote:
    """An entry as a vote for its paper; both by database id.

    `rank` is `None` where the edition ranks nothing; `first_day` is the edition's, and `position`
    (from 0) the entry's place in it.
    """

    paper: int
    entry: int
    source: str
    first_day: date
    position: int
    rank: int | None


@dataclass(frozen=True, slots=True)
class Fused:
    """A paper with its best vote of each list that has it, the best of them first."""

    votes: tuple[Vote, ...]

    @property
    def best(self) -> Vote:
        """The vote by whose entry the paper is shown."""
        return self.votes[0]

    @property
    def sources(self) -> int:
        """How many sources have the paper."""
        return len({vote.source for vote in self.votes})


def by_source(vote: Vote) -> Hashable:
    """Have all that one source says be one list."""
    return vote.source


def by_edition(vote: Vote) -> Hashable:
    """Have each edition be a list."""
    return vote.source, vote.first_day


def fuse(votes: Iterable[Vote], list_of: Callable[[Vote], Hashable] = by_source) -> list[Fused]:
    """Return the papers that are voted for, the best first.

    What has no rank counts as if it stood in the middle of its list: of n papers at (n + 1) / 2.
    A paper that stands in a list more than once counts by the best of its ranks there. Where the
    sums of two are equal the one of more sources comes first, then the one that a source ranks
    higher, then the one of the source that has precedence, then the newer one, then the one that
    stands before the other.

    Args:
        votes: in any order.
        list_of: tells which votes are of one list by what it returns of each.
    """
    lists: dict[Hashable, dict[int, Vote]] = defaultdict(dict)
    for vote in votes:
        papers = lists[list_of(vote)]
        best = papers.get(vote.paper)
        if best is None or _quality(vote) < _quality(best):
            papers[vote.paper] = vote
    given: dict[int, list[Vote]] = defaultdict(list)
    divisors: dict[int, list[int]] = defaultdict(list)
    for papers in lists.values():
        for paper, vote in papers.items():
            given[paper].append(vote)
            divisors[paper].append(_divisor(vote.rank, len(papers)))
    # Over one denominator the sums are whole numbers.
    whole = lcm(*{divisor for each in divisors.values() for divisor in each})
    scores = {paper: sum(whole // divisor for divisor in divisors[paper]) for paper in given}
    fused = ((scores[paper], Fused(tuple(sorted(given[paper], key=_quality)))) for paper in given)
    return [paper for _, paper in sorted(fused, key=_order)]


def agreed(fused: Sequence[Fused]) -> int:
    """Return how many papers more than one source has."""
    return sum(paper.sources > 1 for paper in fused)


def disputed(fused: Sequence[Fused], most: int) -> list[Fused]:
    """Return the papers that sources rank most differently, the most disputed first.

    How differently is the distance between how high and how low a paper stands in the rankings
    that have it, where the first of a ranking stands at 0 and the last at 1. Where it is the same
    the order is that of `fused`, whose lists are sources.
    """
    last: dict[str, int] = {}
    for vote in _ranked(fused):
        last[vote.source] = max(vote.rank or 1, last.get(vote.source, 1))
    distances = [(_distance(paper, last), paper) for paper in fused]
    distances = [(distance, paper) for distance, paper in distances if distance]
    return [paper for _, paper in sorted(distances, key=lambda each: -each[0])[:most]]


def _distance(paper: Fused, last: dict[str, int]) -> Fraction:
    stands = [
        Fraction((vote.rank or 1) - 1, max(last[vote.source] - 1, 1)) for vote in _ranked([paper])
    ]
    return max(stands) - min(stands) if stands else Fraction(0)


def _ranked(fused: Sequence[Fused]) -> list[Vote]:
    return [vote for paper in fused for vote in paper.votes if vote.rank is not None]


def _divisor(rank: int | None, papers: int) -> int:
    """Return twice what 1 is divided by, which is whole for a median between two ranks, too."""
    return 2 * _K + (papers + 1 if rank is None else 2 * rank)


def _quality(vote: Vote) -> tuple[bool, int, tuple[int, str], int, int]:
    """Return a sort key of votes, the best first; it is another for any two entries."""
    newest = -vote.first_day.toordinal()
    return vote.rank is None, vote.rank or 0, precedence(vote.source), newest, vote.position


def _order(
    scored: tuple[int, Fused],
) -> tuple[int, int, tuple[bool, int, tuple[int, str], int, int]]:
    score, paper = scored
    return -score, -paper.sources, _quality(paper.best)
