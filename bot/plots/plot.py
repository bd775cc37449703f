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
    def bridges(self) -> list[list[int]]:
        """The runs of weeks between which gaps are short enough to be led over."""
        runs: list[list[int]] = []
        for a, b in pairwise(self.there):
            if 1 < b - a <= _BRIDGED:
                if runs and runs[-1][-1] == a:
                    runs[-1].append(b)
                else:
                    runs.append([a, b])
        return runs

    @property
    def alone(self) -> list[int]:
        """The weeks that have a point to which no line leads."""
        led = {week for a, b in pairwise(self.there) if b - a <= _BRIDGED for week in (a, b)}
        return [week for week in self.there if week not in led]


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture: what it finds, what it measures, where that is from, and the curves.

    Each clause of the `title` and of the `measure` begins a line.
    `days` are the first days of its weeks, two or more in order and without gaps, one for each
    point. Every curve has a point in the last of them.
    """

    title: tuple[str, ...]
    measure: tuple[str, ...]
    source: str
    days: tuple[date, ...]
    curves: tuple[Curve, ...]
