"""The drawing of a plot as a PNG of 1200 by 675 pixels with matplotlib; run by a worker process.

Sizes are in pixels from the lower left corner, unless they are named points. A chat shows the
picture at a third to a half of its size, so letters are large.
"""

import pickle
import sys
from collections.abc import Sequence
from datetime import date
from io import BytesIO

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator, PercentFormatter

from bot.plots.curves import EDGE, FAINT, GRID, INK, LABEL_DISTANCE, PAPER, add_curves, add_labels
from bot.plots.plot import Curve, Plot

WIDTH, HEIGHT, DPI = 1200, 675, 150

_MARGIN = 36
_TITLE, _MEASURE, _LABEL, _TICK, _SOURCE = 16.0, 12.0, 12.5, 11.5, 9.5  # points
_TITLE_LINE = _TITLE * DPI / 72 * 1.25
_MEASURE_LINE = _MEASURE * DPI / 72 * 1.25
_BELOW_AXES = 124
_TICKS = 5
_LEAST_TOP = 0.1  # a share that the axis always reaches


def main() -> None:
    """Read a pickled plot from standard input and write its PNG to standard output."""
    plot = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by this program
    sys.stdout.buffer.write(png(plot))


def png(plot: Plot) -> bytes:
    """Return the picture of a plot: the same bytes for the same plot and release of matplotlib."""
    picture = BytesIO()
    # The name of the software would change the bytes of the same picture.
    draw(plot).savefig(picture, format="png", dpi=DPI, metadata={"Software": None})
    return picture.getvalue()


def draw(plot: Plot) -> Figure:
    """Return the figure of a plot."""
    mpl.rcdefaults()  # ignores the settings of the machine
    # The font comes with the library. No text is a formula, even with dollar signs.
    mpl.rcParams.update({"font.family": "DejaVu Sans", "text.parse_math": False})
    figure = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI, facecolor=PAPER)
    FigureCanvasAgg(figure)
    figure.patch.set(edgecolor=EDGE, linewidth=1.5)
    top = _write_head(figure, plot)
    _text(figure, plot.source, _SOURCE, FAINT, 24)
    labels = [_text(figure, curve.label, _LABEL, INK) for curve in plot.curves]
    axes = _axes(figure)
    _scale(axes, plot.curves)
    _label_weeks(axes, plot.days)
    left = _MARGIN + _widest(axes.get_yticklabels()) + 10
    right = WIDTH - _MARGIN - _widest(labels) - LABEL_DISTANCE
    size = (right - left) / WIDTH, (top - _BELOW_AXES) / HEIGHT
    axes.set_position((left / WIDTH, _BELOW_AXES / HEIGHT, *size))
    add_curves(axes, plot.curves)
    add_labels(figure, axes, plot.curves, labels)
    return figure


def _write_head(figure: Figure, plot: Plot) -> float:
    """Write the title and the measure; return the height of the room below them."""
    top = HEIGHT - 30
    title = _text(figure, "", _TITLE, INK, top)
    title.set(fontweight="bold", verticalalignment="top")
    width = WIDTH - 2 * _MARGIN
    lines = [line for clause in plot.title for line in _wrapped(title, clause, width)]
    title.set(text="\n".join(lines), linespacing=1.25)
    below = top - len(lines) * _TITLE_LINE - 10
    measure = _text(figure, "\n".join(plot.measure), _MEASURE, FAINT, below)
    measure.set(verticalalignment="top", linespacing=1.25)
    return below - len(plot.measure) * _MEASURE_LINE - 30


def _wrapped(text: Text, words: str, width: float) -> list[str]:
    """Break words into lines of at most `width` pixels."""
    lines: list[str] = []
    for word in words.split():
        text.set_text(f"{lines[-1]} {word}" if lines else word)
        if lines and _width(text) <= width:
            lines[-1] = text.get_text()
        else:
            lines.append(word)
    return lines


def _axes(figure: Figure) -> Axes:
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_facecolor("none")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(FAINT)
    axes.tick_params(colors=FAINT, labelsize=_TICK, length=0, pad=7)
    axes.tick_params(axis="x", length=5, pad=5)
    axes.grid(axis="y", color=GRID, linewidth=1)
    axes.set_axisbelow(True)
    return axes


def _scale(axes: Axes, curves: Sequence[Curve]) -> None:
    """Scale the axis of shares from zero to above the greatest share."""
    shares = (share for curve in curves for share in (*curve.points, *curve.dots) if share)
    axes.set_ylim(0, max(_LEAST_TOP, max(shares, default=0) * 1.04))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(PercentFormatter(xmax=1, decimals=0))


def _label_weeks(axes: Axes, days: Sequence[date]) -> None:
    """Label some weeks with their first day, the last one always."""
    last, step = len(days) - 1, max(1, -(-len(days) // _TICKS))
    places = list(range(last, -1, -step))[::-1]
    years = [None, *(days[place].year for place in places)]
    names = [_day(days[p], year) for p, year in zip(places, years, strict=False)]
    axes.set_xticks(places, names)
    axes.set_xlim(-0.02 * last, last)


def _day(day: date, year: int | None) -> str:
    """Return `Jan 5`, with the year below it if it differs from the label before."""
    return f"{day:%b} {day.day}" + ("" if day.year == year else f"\n{day.year}")


def _text(figure: Figure, words: str, points: float, colour: str, y: float = 0) -> Text:
    return figure.text(_MARGIN / WIDTH, y / HEIGHT, words, fontsize=points, color=colour)


def _widest(texts: Sequence[Text]) -> float:
    return max(map(_width, texts))


def _width(text: Text) -> float:
    return text.get_window_extent().width
