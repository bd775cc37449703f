"""The curves of a plot: their styles, lines and marks, and the labels at their ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from bot.plots.plot import Curve

# A background of its own, so that light and dark chats show the same picture.
PAPER = "#fbfaf7"
INK = "#24292f"
FAINT = "#5f6670"
GRID = "#e3e0d8"
EDGE = "#cfcbc0"

LABEL_DISTANCE = 72  # pixels from the end of a curve to its label
# Pixels of a leader from the curve's end, and of its other end and its mark from the label.
_BEGINS, _BENDS, _ARRIVES, _MARK = 10, 20, 32, 16
_LABEL_GAP = 3  # pixels
_MARK_EVERY, _FEW = 6, 4  # points


@dataclass(frozen=True, slots=True)
class Style:
    """The colour, the mark and the dashes (in line widths, none if solid) of a curve.

    `size` is the mark's in points; thin marks are larger.
    """

    colour: str
    mark: str
    dashes: tuple[float, ...] = ()
    size: float = 7


# Hues near those of Okabe and Ito (https://jfly.uni-koeln.de/color/), darkened to a contrast of
# three to one against the background (https://www.w3.org/TR/WCAG22/#non-text-contrast), and of
# different lightness, which everybody sees. tests/bot/plots/test_styles.py measures both.
STYLES = (
    Style("#1a86e0", "o"),
    Style("#e06300", "s", (4, 1.4)),
    Style("#09715c", "^", (), 8),
    Style("#d056a0", "D", (1.2, 1.2), 6.5),
    Style("#9b8555", "v", (4, 1.4), 8),
    Style("#18171d", "P", (6, 1.4, 1.2, 1.4), 8.5),
    Style("#0a3b60", "X", (), 8.5),
    Style("#534b05", "*", (1.2, 1.2), 11),
)


def add_curves(axes: Axes, curves: Sequence[Curve]) -> None:
    """Draw curves; the first one, which the title is about, is on top."""
    for number, (curve, style) in enumerate(zip(curves, STYLES, strict=False)):
        layer = 30 - 3 * number
        weeks, shares = range(len(curve.points)), _with_gaps(curve.points)
        axes.plot(weeks, shares, **_line(style, 2.8), zorder=layer, clip_on=False)
        for run in curve.bridges:
            bridged = [shares[week] for week in run]
            axes.plot(run, bridged, **_line(style, 1.5), zorder=layer, clip_on=False)
        marked = marked_weeks(curve, number)
        marks = [shares[week] for week in marked]
        axes.plot(marked, marks, **_mark(style), zorder=layer + 1, clip_on=False)
        dots = range(len(curve.dots)), _with_gaps(curve.dots)
        axes.plot(
            *dots, style.mark, zorder=1, clip_on=False,
            color=style.colour, markersize=5, markeredgewidth=0, alpha=0.4,
        )  # fmt: skip


def marked_weeks(curve: Curve, number: int) -> list[int]:
    """Return the weeks with a mark: the last one, isolated ones, and every few between.

    Each curve begins at another week, so that the marks of several do not cover each other. If
    there are few points, all are marked.
    """
    if len(curve.weeks) <= _FEW:
        return curve.weeks
    last = curve.weeks[-1]
    regular = curve.weeks[::-1][number % _MARK_EVERY :: _MARK_EVERY]
    return sorted({*curve.isolated, *(week for week in regular if last - week > 1), last})


def add_labels(figure: Figure, axes: Axes, curves: Sequence[Curve], labels: Sequence[Text]) -> None:
    """Place labels beside the ends of their curves without overlaps, with leaders to them."""
    last = len(curves[0].points) - 1
    ends = [axes.transData.transform((last, curve.points[last] or 0)) for curve in curves]
    gap = max(label.get_window_extent().height for label in labels) + _LABEL_GAP
    heights = label_heights([end[1] for end in ends], gap, axes.bbox.y0, axes.bbox.y1)
    x = axes.bbox.x1 + LABEL_DISTANCE
    for end, height, label, style in zip(ends, heights, labels, STYLES, strict=False):
        label.set(x=x, y=height, transform=None, verticalalignment="center_baseline")
        xs = end[0] + _BEGINS, end[0] + _BENDS, x - _ARRIVES, x - _MARK
        leader = Line2D(xs, (end[1], end[1], height, height), **_line(style, 1.4, dashed=False))
        mark = Line2D([x - _MARK], [height], **_mark(style))
        for artist in (leader, mark):
            artist.set_transform(None)
            figure.add_artist(artist)


def label_heights(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return heights between two bounds, at least `gap` apart, nearest to the wanted ones.

    Nearest is the least sum of squares. The order is kept. If there is too little room, they are
    as far apart as it allows.
    """
    if not wanted:
        return []
    gap = min(gap, (high - low) / max(1, len(wanted) - 1))
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    room = high - gap * (len(wanted) - 1)
    rising = _isotonic([wanted[index] - gap * place for place, index in enumerate(order)])
    heights = [0.0] * len(wanted)
    for place, (index, value) in enumerate(zip(order, rising, strict=True)):
        heights[index] = min(max(value, low), room) + gap * place
    return heights


def _isotonic(values: Sequence[float]) -> list[float]:
    """Return the nearest values that never fall: pool adjacent violators.

    https://en.wikipedia.org/wiki/Isotonic_regression
    """
    pools: list[tuple[float, int]] = []
    for value in values:
        total, size = value, 1
        while pools and pools[-1][0] / pools[-1][1] > total / size:
            before, more = pools.pop()
            total, size = total + before, size + more
        pools.append((total, size))
    return [total / size for total, size in pools for _ in range(size)]


def _line(style: Style, width: float, *, dashed: bool = True) -> dict[str, Any]:
    dashes = (0, style.dashes) if style.dashes and dashed else "-"
    return {"color": style.colour, "linewidth": width, "linestyle": dashes}


def _mark(style: Style) -> dict[str, Any]:
    return {
        "color": style.colour,
        "linestyle": "",
        "marker": style.mark,
        "markersize": style.size,
        "markeredgecolor": PAPER,
        "markeredgewidth": 0.9,
    }


def _with_gaps(points: Sequence[float | None]) -> list[float]:
    return [nan if point is None else point for point in points]
