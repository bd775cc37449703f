"""What a picture shows, as plain values: whoever draws it decides nothing about its words."""

from dataclasses import dataclass
from datetime import date
from itertools import pairwise

# As many as there are styles that can be told apart.
MOST_CURVES = 8
_BRIDGED = 3  # weeks at most


@dataclass(frozen=True, slots=True)
class Curve:
    """A share over the weeks of a plot.

    `points` are between 0 and 1, one a week, `None` where there is nothing to tell. `dots` are
    those of single weeks, where they are shown too. `label` stands at the curve's end.
    """

    label: str
    points: tuple[float | None, ...]
    dots: tuple[float | None, ...] = ()

    @property
    def there(self) -> list[int]:
        """The weeks that have a point."""
        return [week for week, point in enumerate(self.points) if point is not None]

    @property
    def bridges(self) -> list[tuple[int, int]]:
        """The weeks at both ends of each gap that is short enough to be led over."""
        return [(a, b) for a, b in pairwise(self.there) if 1 < b - a <= _BRIDGED]

    @property
    def alone(self) -> list[int]:
        """The weeks that have a point while neither the one before nor the one after has."""
        there = set(self.there)
        return [week for week in self.there if not {week - 1, week + 1} & there]


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture: what it finds, what it measures, where that is from, and the curves.

    Each clause of the `title` begins a line.
    `days` are the first days of its weeks, in order and without gaps, one for each point. Every
    curve has a point in the last of them.
    """

    title: tuple[str, ...]
    measure: str
    source: str
    days: tuple[date, ...]
    curves: tuple[Curve, ...]
