"""Curves on axes, and the labels at their ends."""

from collections.abc import Sequence
from math import nan
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from bot.plots.plot import Curve
from bot.plots.spreading import spread
from bot.plots.styles import PAPER, STYLES, Style

LEADER = 72  # pixels from the end of a curve to its label
# Pixels of a leader from the curve's end, and of its other end and its mark from the label.
_BEGINS, _BENDS, _ARRIVES, _MARK = 10, 20, 32, 16
_APART = 3  # pixels between labels
_MARK_EVERY, _FEW = 6, 4  # points


def add_curves(axes: Axes, curves: Sequence[Curve]) -> None:
    """Draw curves; the first is what the title speaks of, and lies over the others."""
    for number, (curve, style) in enumerate(zip(curves, STYLES, strict=False)):
        layer = 30 - 3 * number
        weeks, shares = range(len(curve.points)), _numbers(curve.points)
        axes.plot(weeks, shares, **_line(style, 2.8), zorder=layer, clip_on=False)
        for run in curve.bridges:
            here = [shares[week] for week in run]
            axes.plot(run, here, **_line(style, 1.5), zorder=layer, clip_on=False)
        marked = marked_weeks(curve, number)
        here = [shares[week] for week in marked]
        axes.plot(marked, here, **_mark(style), zorder=layer + 1, clip_on=False)
        _add_dots(axes, curve, style)


def marked_weeks(curve: Curve, number: int) -> list[int]:
    """Return where a curve is marked: at its end, where a point stands alone, and now and then.

    Each curve begins elsewhere, so that the marks of several do not cover each other. Where points
    are few all are marked.
    """
    if len(curve.there) <= _FEW:
        return curve.there
    last = curve.there[-1]
    turns = curve.there[::-1][number % _MARK_EVERY :: _MARK_EVERY]
    return sorted({*curve.alone, *(week for week in turns if last - week > 1), last})


def add_labels(figure: Figure, axes: Axes, curves: Sequence[Curve], labels: Sequence[Text]) -> None:
    """Place labels beside the ends of their curves, apart from each other, and lead there."""
    last = len(curves[0].points) - 1
    ends = [axes.transData.transform((last, curve.points[last] or 0)) for curve in curves]
    gap = max(label.get_window_extent().height for label in labels) + _APART
    places = spread([end[1] for end in ends], gap, axes.bbox.y0, axes.bbox.y1)
    x = axes.bbox.x1 + LEADER
    for end, place, label, style in zip(ends, places, labels, STYLES, strict=False):
        label.set(x=x, y=place, transform=None, verticalalignment="center_baseline")
        xs = end[0] + _BEGINS, end[0] + _BENDS, x - _ARRIVES, x - _MARK
        lead = Line2D(xs, (end[1], end[1], place, place), **_line(style, 1.4, dashed=False))
        mark = Line2D([x - _MARK], [place], **_mark(style))
        for artist in (lead, mark):
            artist.set_transform(None)
            figure.add_artist(artist)


def _add_dots(axes: Axes, curve: Curve, style: Style) -> None:
    look: dict[str, Any] = {
        "color": style.colour,
        "markersize": 5,
        "markeredgewidth": 0,
        "alpha": 0.4,
    }
    shares = _numbers(curve.dots)
    axes.plot(range(len(shares)), shares, style.mark, zorder=1, clip_on=False, **look)


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


def _numbers(points: Sequence[float | None]) -> list[float]:
    """Return points as they are drawn: what is not there leaves a gap."""
    return [nan if point is None else point for point in points]
