"""Which numbered lines of a newsletter are its entries.

Sentences, lists inside an entry and advertisements may be numbered too. What tells them
apart is the count of the whole document, looked at once from its end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from bot.ingest.formats.newsletter.lines import Line

# A count goes on behind at most so many lost entries.
_LONGEST_GAP = 3


class Turn(Enum):
    """What a line is to the count."""

    TEXT = auto()
    DOUBTFUL = auto()
    ENTRY = auto()


@dataclass(frozen=True, slots=True)
class _Prospect:
    """How far the count runs from a line, and from the next line with the same number."""

    reach: int
    rival_reach: int


class Numbering:
    """The numbered lines of one edition, by their index among its lines."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._last_place: dict[int, int] = {}
        self._prospects = self._look_back()

    def judge(self, index: int, expected: int, *, in_sponsor: bool) -> Turn:
        """Judge whether the line is the entry that comes next.

        A number further on is taken only when those between never come. A line in an
        advertisement or in a list is doubtful when the same number comes again later and
        the count runs as far from there.
        """
        rank = self._lines[index].rank
        if rank is None or not expected <= rank <= expected + _LONGEST_GAP:
            return Turn.TEXT
        if any(self._last_place.get(number, -1) > index for number in range(expected, rank)):
            return Turn.TEXT
        prospect = self._prospects[index]
        if (in_sponsor or self.is_in_list(index)) and prospect.rival_reach >= prospect.reach:
            return Turn.DOUBTFUL
        return Turn.ENTRY

    def is_in_list(self, index: int) -> bool:
        """Whether a neighbour goes on counting, with no line between."""
        rank = self._rank(index)
        return rank is not None and (
            self._rank(index - 1) == rank - 1 or self._rank(index + 1) == rank + 1
        )

    def looks_like_entry(self, index: int) -> bool:
        """Whether a line out of turn has the look of a misnumbered entry and its summary.

        That is a title rather than a sentence, and under it a line that is no highlight.
        """
        line = self._lines[index]
        if line.rank is None or line.ends_sentence or self.is_in_list(index):
            return False
        following = self._lines[index + 1 : index + 2]
        return any(
            next_line.rank is None and not next_line.opens_sponsor and not next_line.split_lead()
            for next_line in following
        )

    def _rank(self, index: int) -> int | None:
        return self._lines[index].rank if 0 <= index < len(self._lines) else None

    def _look_back(self) -> dict[int, _Prospect]:
        """Find every line's prospect in one pass from the last line to the first."""
        prospects: dict[int, _Prospect] = {}
        nearest: dict[int, int] = {}
        for index in range(len(self._lines) - 1, -1, -1):
            rank = self._lines[index].rank
            if rank is not None:
                reach = nearest.get(rank + 1, rank)
                prospects[index] = _Prospect(reach, nearest.get(rank, 0))
                nearest[rank] = reach
                self._last_place.setdefault(rank, index)
        return prospects
