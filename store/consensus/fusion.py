"""Merging rankings by reciprocal rank fusion. Pure.

From each list that has it a paper gets 1 / (60 + its rank), and the sum decides (Cormack, Clarke,
Büttcher 2009, https://doi.org/10.1145/1571941.1572114). Sums are exact, so that the order of lists
and of entries does not matter.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from math import lcm

from store.sources import precedence

# Raised with every change of the result for the same votes.
FUSION_RULES = "1"

# The best value according to the authors; the greater it is, the less the first ranks count.
_K = 60

_SortKey = tuple[bool, int, tuple[int, str], int, int]


@dataclass(frozen=True, slots=True)
class Vote:
    """An entry as a vote for its paper; both by database id.

    `rank` is `None` if the edition ranks nothing; `first_day` is the edition's, and `position`
    (from 0) the entry's in it.
    """

    paper: int
    entry: int
    source: str
    first_day: date
    position: int
    rank: int | None


@dataclass(frozen=True, slots=True)
class MergedPaper:
    """A paper with its best vote of each list that has it, best first."""

    votes: tuple[Vote, ...]

    @property
    def best(self) -> Vote:
        """The vote by whose entry the paper is shown."""
        return self.votes[0]

    @property
    def sources(self) -> int:
        """The number of sources that have the paper."""
        return len({vote.source for vote in self.votes})


def by_source(vote: Vote) -> Hashable:
    """Return the list of a vote if each source is one list."""
    return vote.source


def by_edition(vote: Vote) -> Hashable:
    """Return the list of a vote if each edition is one list."""
    return vote.source, vote.first_day


def merge_rankings(
    votes: Iterable[Vote], list_of: Callable[[Vote], Hashable] = by_source
) -> list[MergedPaper]:
    """Return the papers that have votes, best first.

    Without a rank a vote counts as if in the middle of its list: of n papers at (n + 1) / 2. If a
    list has a paper more than once, its best rank there counts. Of equal sums the paper of more
    sources comes first, then the higher rank, then the source with precedence, then the newer
    edition, then the lower position.
    """
    lists: dict[Hashable, dict[int, Vote]] = defaultdict(dict)
    for vote in votes:
        papers = lists[list_of(vote)]
        best = papers.get(vote.paper)
        if best is None or _quality(vote) < _quality(best):
            papers[vote.paper] = vote
    votes_of: dict[int, list[Vote]] = defaultdict(list)
    divisors: dict[int, list[int]] = defaultdict(list)
    for papers in lists.values():
        for paper, vote in papers.items():
            votes_of[paper].append(vote)
            divisors[paper].append(_divisor(vote.rank, len(papers)))
    # Over one denominator the sums are whole numbers.
    whole = lcm(*{divisor for of_paper in divisors.values() for divisor in of_paper})

    def order(paper: int) -> tuple[int, int, _SortKey]:
        score = sum(whole // divisor for divisor in divisors[paper])
        return -score, -merged[paper].sources, _quality(merged[paper].best)

    merged = {
        paper: MergedPaper(tuple(sorted(of_paper, key=_quality)))
        for paper, of_paper in votes_of.items()
    }
    return [merged[paper] for paper in sorted(merged, key=order)]


def count_agreed(papers: Sequence[MergedPaper]) -> int:
    """Return how many papers more than one source has."""
    return sum(paper.sources > 1 for paper in papers)


def disputed(papers: Sequence[MergedPaper], most: int) -> list[MergedPaper]:
    """Return the papers that sources rank most differently, the most disputed first.

    The measure is the distance between the highest and the lowest rank of a paper, where the first
    of a ranking is at 0 and the last at 1. Of equal distances the order is that of `papers`, whose
    lists are sources.
    """
    last: dict[str, int] = {}
    for vote in _ranked(papers):
        last[vote.source] = max(vote.rank or 1, last.get(vote.source, 1))
    distances = [(_distance(paper, last), paper) for paper in papers]
    distances = [(distance, paper) for distance, paper in distances if distance]
    return [paper for _, paper in sorted(distances, key=lambda pair: -pair[0])[:most]]


def _distance(paper: MergedPaper, last: dict[str, int]) -> Fraction:
    places = [
        Fraction((vote.rank or 1) - 1, max(last[vote.source] - 1, 1)) for vote in _ranked([paper])
    ]
    return max(places) - min(places) if places else Fraction(0)


def _ranked(papers: Sequence[MergedPaper]) -> list[Vote]:
    return [vote for paper in papers for vote in paper.votes if vote.rank is not None]


def _divisor(rank: int | None, papers: int) -> int:
    """Return twice 60 + rank, which is whole for a median between two ranks, too."""
    return 2 * _K + (papers + 1 if rank is None else 2 * rank)


def _quality(vote: Vote) -> _SortKey:
    """Return a sort key of votes, best first; it is unique for each entry."""
    newest = -vote.first_day.toordinal()
    return vote.rank is None, vote.rank or 0, precedence(vote.source), newest, vote.position
