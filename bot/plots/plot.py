"""A plot as plain values: its words, its weeks and its curves."""

from dataclasses import dataclass
from datetime import date
from itertools import pairwise

# As many as there are styles.
MOST_CURVES = 8
_LONGEST_BRIDGE = 3  # weeks


@dataclass(frozen=True, slots=True)
class Curve:
    """A share over the weeks of a plot.

    `points` are between 0 and 1, one a week, `None` for a week without papers. `dots` are the
    shares of single weeks, if they are shown too. `label` is at the curve's end.
    """

    label: str
    points: tuple[float | None, ...]
    dots: tuple[float | None, ...] = ()

    @property
    def weeks(self) -> list[int]:
        """The weeks that have a point."""
        return [week for week, point in enumerate(self.points) if point is not None]

    @property
    def bridges(self) -> list[list[int]]:
        """The runs of weeks whose gaps are short enough for a line across."""
        runs: list[list[int]] = []
        for a, b in pairwise(self.weeks):
            if 1 < b - a <= _LONGEST_BRIDGE:
                if runs and runs[-1][-1] == a:
                    runs[-1].append(b)
                else:
                    runs.append([a, b])
        return runs

    @property
    def isolated(self) -> list[int]:
        """The weeks that have a point without any line."""
        near = ((a, b) for a, b in pairwise(self.weeks) if b - a <= _LONGEST_BRIDGE)
        joined = {week for pair in near for week in pair}
        return [week for week in self.weeks if week not in joined]


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture: its title, its measure, its source, and the curves.

    Each clause of `title` and `measure` begins a line. `days` are the first days of two or more
    weeks in order without gaps, one for each point. Every curve has a point in the last week.
    """

    title: tuple[str, ...]
    measure: tuple[str, ...]
    source: str
    days: tuple[date, ...]
    curves: tuple[Curve, ...]
