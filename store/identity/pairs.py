"""Whether two entries are of one paper, judged by these two alone, whatever else is stored.

    ids | do the titles name one work? | pages | how many words do the summaries share?

The limits were measured: `docs/identity.md`. All pure.
"""

from dataclasses import dataclass
from enum import Enum

from store.identity.plausibility import Words, stems

# Of the words that the shorter of two summaries says beside the titles, the other says so many too.
_ENOUGH = 0.25
# Of few words fewer are enough, where title and year are one: chance hits a short summary less.
_FEW, _ENOUGH_OF_FEW = 25, 0.2
_FEWEST, _FEWEST_IN_ONE_YEAR = 4, 2
_ENOUGH_UNDER_OTHER_TITLES = 0.35


class Verdict(Enum):
    """What two entries are: one paper, perhaps one, two papers, or nothing is known."""

    ONE = "one"
    DOUBTFUL = "doubtful"
    TWO = "two"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Facts:
    """What an entry is judged by.

    `title` and `name` (before the title's colon) are squeezed; the ids are those that it bears
    rightfully. `year` is that of its arXiv id, else of its edition.
    """

    title: str
    name: str | None
    arxiv_id: str | None
    doi: str | None
    year: int
    words: Words

    @property
    def links_nowhere(self) -> bool:
        """Whether it has neither an id nor a page, so that none can contradict."""
        return not (self.arxiv_id or self.doi or self.words.pages)


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many words two summaries share, of how many that the shorter one has."""

    shared: int
    of: int

    @property
    def part(self) -> float:
        """The part of the shorter summary's words that the other has too."""
        return self.shared / self.of if self.of else 0.0

    @property
    def strength(self) -> float:
        """The same, but that a part of few words counts less."""
        return self.shared / (self.of + _FEWEST)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A verdict and how strongly it is held: a common page beats any words."""

    verdict: Verdict
    strength: float = 0.0


def compare(one: Facts, other: Facts) -> Comparison:
    """Judge two entries that have a key in common."""
    if one.arxiv_id and other.arxiv_id:
        is_one = one.arxiv_id == other.arxiv_id
        return Comparison(Verdict.ONE if is_one else Verdict.TWO, float(is_one))
    overlap = overlap_of(one.words, other.words)
    if not _name_one_work(one, other):
        return _under_other_titles(one, other, overlap)
    if one.words.pages & other.words.pages:
        return Comparison(Verdict.ONE, 1 + overlap.strength)
    in_one_year = one.year == other.year
    says_one = overlap.shared >= _FEWEST and overlap.part >= _ENOUGH
    if in_one_year and overlap.of < _FEW:
        says_one = overlap.shared >= _FEWEST_IN_ONE_YEAR and overlap.part >= _ENOUGH_OF_FEW
    nothing_contradicts = in_one_year and (one.links_nowhere or other.links_nowhere)
    if says_one or (nothing_contradicts and overlap.of < _FEW):
        return Comparison(Verdict.ONE, overlap.strength)
    return Comparison(Verdict.DOUBTFUL, overlap.strength)


def overlap_of(one: Words, other: Words) -> Overlap:
    """Count the words, by their stems, that two entries say beside the words of both titles."""
    titles = stems(one.title | other.title)
    first, second = stems(one.all) - titles, stems(other.all) - titles
    return Overlap(len(first & second), min(len(first), len(second)))


def _name_one_work(one: Facts, other: Facts) -> bool:
    """Tell whether two titles are one, or one is the bare name before the other's colon."""
    if one.title == other.title:
        return True
    return one.name == other.title or other.name == one.title


def _under_other_titles(one: Facts, other: Facts, overlap: Overlap) -> Comparison:
    """Judge entries that have the beginning of their titles, or a name, in common."""
    if overlap.shared >= _FEWEST and overlap.part >= _ENOUGH_UNDER_OTHER_TITLES:
        return Comparison(Verdict.ONE, overlap.strength)
    if one.name is not None and one.name == other.name:
        return Comparison(Verdict.TWO)
    is_near = overlap.shared >= _FEWEST and overlap.part >= _ENOUGH
    return Comparison(Verdict.DOUBTFUL if is_near else Verdict.UNKNOWN, overlap.strength)
