"""The drawing of plots and cards as PNG with matplotlib; run by a worker process.

Sizes are in pixels from the lower left corner, unless they are named points. A chat shows the
picture at a third to a half of its size, so letters are large. Previews of a link show a card, in
the size of OpenGraph's large pictures:
https://developers.facebook.com/docs/sharing/webmasters/images
"""

import sys
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from io import BytesIO
from math import nan
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator, PercentFormatter

from bot.coordination.worker_process import read_message, write_message
from bot.plots.plotter import Card, Curve, Plot
from bot.replies.wording import count, shorten

WIDTH, HEIGHT, DPI = 1200, 675, 150

_MARGIN = 36
_TITLE, _MEASURE, _LABEL, _TICK, _SOURCE = 16.0, 12.0, 12.5, 11.5, 9.5  # points
_TITLE_LINE = _TITLE * DPI / 72 * 1.25
_MEASURE_LINE = _MEASURE * DPI / 72 * 1.25
_BELOW_AXES = 124
_TICKS = 5
_LEAST_TOP = 0.1  # a share that the axis always reaches


LABEL_DISTANCE = 72  # pixels from the end of a curve to its label
# Pixels of a leader from the curve's end, and of its other end and its mark from the label.
_BEGINS, _BENDS, _ARRIVES, _MARK = 10, 20, 32, 16
_LABEL_GAP = 3  # pixels
_MARK_EVERY, _FEW = 6, 4  # points


@dataclass(frozen=True, slots=True)
class _CurveStyle:
    """The colour, the mark and the dashes (in line widths, none if solid) of a curve.

    `size` is the mark's in points; thin marks are larger.
    """

    colour: str
    mark: str
    dashes: tuple[float, ...] = ()
    size: float = 7


@dataclass(frozen=True, slots=True)
class Surface:
    """The colours of a picture: what lies below, what is read, and the curves' by their style."""

    paper: str
    ink: str
    faint: str
    grid: str
    edge: str
    styles: tuple[_CurveStyle, ...]


# A mark and dashes for each style, so that curves are told apart without colour too.
_SHAPES: tuple[tuple[str, tuple[float, ...], float], ...] = (
    ("o", (), 7),
    ("s", (4, 1.4), 7),
    ("^", (), 8),
    ("D", (1.2, 1.2), 6.5),
    ("v", (4, 1.4), 8),
    ("P", (6, 1.4, 1.2, 1.4), 8.5),
    ("X", (), 8.5),
    ("*", (1.2, 1.2), 11),
)


def _styles(colours: str) -> tuple[_CurveStyle, ...]:
    return tuple(
        _CurveStyle(colour, *shape) for colour, shape in zip(colours.split(), _SHAPES, strict=True)
    )


# Hues near those of Okabe and Ito (https://jfly.uni-koeln.de/color/) with a contrast of three to
# one against the surface (https://www.w3.org/TR/WCAG22/#non-text-contrast), and of different
# lightness, which everybody sees. tests/bot/plots/test_styles.py measures both.
LIGHT = Surface(
    "#fbfaf7",
    "#24292f",
    "#5f6670",
    "#e3e0d8",
    "#cfcbc0",
    _styles("#1a86e0 #e06300 #09715c #d056a0 #9b8555 #18171d #0a3b60 #534b05"),
)
DARK = Surface(
    "#1e1f22",
    "#f2f3f5",
    "#b5bac1",
    "#35373c",
    "#46484e",
    _styles("#0063ff #e6571a #1d967e #e250d4 #d2a979 #f9fafa #9fc8df #becc00"),
)


def main() -> None:
    """Read pictures from standard input, and write each as PNG to standard output."""
    while (picture := read_message(sys.stdin.buffer)) is not None:
        drawn = card_png(picture) if isinstance(picture, Card) else png(picture)
        write_message(sys.stdout.buffer, drawn)


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
    surface = DARK if plot.dark else LIGHT
    figure = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI, facecolor=surface.paper)
    FigureCanvasAgg(figure)
    figure.patch.set(edgecolor=surface.edge, linewidth=1.5)
    top = _write_head(figure, plot, surface)
    _text(figure, plot.source, _SOURCE, surface.faint, 24)
    labels = [_text(figure, curve.label, _LABEL, surface.ink) for curve in plot.curves]
    axes = _axes(figure, surface)
    _scale(axes, plot.curves)
    _label_weeks(axes, plot.days)
    left = _MARGIN + _widest(axes.get_yticklabels()) + 10
    right = WIDTH - _MARGIN - _widest(labels) - LABEL_DISTANCE
    size = (right - left) / WIDTH, (top - _BELOW_AXES) / HEIGHT
    axes.set_position((left / WIDTH, _BELOW_AXES / HEIGHT, *size))
    add_curves(axes, plot.curves, surface)
    add_labels(figure, axes, plot, labels)
    return figure


def _write_head(figure: Figure, plot: Plot, surface: Surface) -> float:
    """Write the title and the measure; return the height of the room below them."""
    top = HEIGHT - 30
    title = _text(figure, "", _TITLE, surface.ink, top)
    title.set(fontweight="bold", verticalalignment="top")
    width = WIDTH - 2 * _MARGIN
    lines = [line for clause in plot.title for line in _wrapped(title, clause, width)]
    title.set(text="\n".join(lines), linespacing=1.25)
    below = top - len(lines) * _TITLE_LINE - 10
    measure = _text(figure, "\n".join(plot.measure), _MEASURE, surface.faint, below)
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


def _axes(figure: Figure, surface: Surface) -> Axes:
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_facecolor("none")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(surface.faint)
    axes.tick_params(colors=surface.faint, labelsize=_TICK, length=0, pad=7)
    axes.tick_params(axis="x", length=5, pad=5)
    axes.grid(axis="y", color=surface.grid, linewidth=1)
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


def add_curves(axes: Axes, curves: Sequence[Curve], surface: Surface) -> None:
    """Draw curves; the first one, which the title is about, is on top."""
    for number, curve in enumerate(curves):
        style = surface.styles[curve.style]
        layer = 30 - 3 * number
        weeks, shares = range(len(curve.points)), _with_gaps(curve.points)
        axes.plot(weeks, shares, **_line(style, 2.8), zorder=layer, clip_on=False)
        for run in curve.bridges:
            bridged = [shares[week] for week in run]
            axes.plot(run, bridged, **_line(style, 1.5), zorder=layer, clip_on=False)
        marked = marked_weeks(curve, number)
        marks = [shares[week] for week in marked]
        axes.plot(marked, marks, **_mark(style, surface), zorder=layer + 1, clip_on=False)
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


def add_labels(figure: Figure, axes: Axes, plot: Plot, labels: Sequence[Text]) -> None:
    """Place labels beside the ends of their curves without overlaps, with leaders to them."""
    surface = DARK if plot.dark else LIGHT
    last = len(plot.curves[0].points) - 1
    ends = [axes.transData.transform((last, curve.points[last] or 0)) for curve in plot.curves]
    gap = max(label.get_window_extent().height for label in labels) + _LABEL_GAP
    heights = label_heights([end[1] for end in ends], gap, axes.bbox.y0, axes.bbox.y1)
    x = axes.bbox.x1 + LABEL_DISTANCE
    for end, height, label, curve in zip(ends, heights, labels, plot.curves, strict=True):
        style = surface.styles[curve.style]
        label.set(x=x, y=height, transform=None, verticalalignment="center_baseline")
        xs = end[0] + _BEGINS, end[0] + _BENDS, x - _ARRIVES, x - _MARK
        leader = Line2D(xs, (end[1], end[1], height, height), **_line(style, 1.4, dashed=False))
        mark = Line2D([x - _MARK], [height], **_mark(style, surface))
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


def _line(style: _CurveStyle, width: float, *, dashed: bool = True) -> dict[str, Any]:
    dashes = (0, style.dashes) if style.dashes and dashed else "-"
    return {"color": style.colour, "linewidth": width, "linestyle": dashes}


def _mark(style: _CurveStyle, surface: Surface) -> dict[str, Any]:
    return {
        "color": style.colour,
        "linestyle": "",
        "marker": style.mark,
        "markersize": style.size,
        "markeredgecolor": surface.paper,
        "markeredgewidth": 0.9,
    }


def _with_gaps(points: Sequence[float | None]) -> list[float]:
    return [nan if point is None else point for point in points]


CARD_WIDTH, CARD_HEIGHT, CARD_DPI = 1200, 630, 100
_PAPER, _INK, _FAINT, _EDGE = "#fbfaf7", "#1d2127", "#59616b", "#cfcbc0"
_CARD_MARGIN = 64  # pixels
_NAME, _CARD_TITLE, _LINE, _PAPERS = 20, 33, 17, 20  # points
_FIRST, _STEP, _LAST = 338, 47, 54  # pixels from the lower edge
_NUMBER = 58  # pixels to a paper's title
_LONGEST = 200  # characters of a line, before it is measured; few have room


def card_png(card: Card) -> bytes:
    """Return the picture of a card: the same bytes for the same card and release of matplotlib."""
    picture = BytesIO()
    draw_card(card).savefig(picture, format="png", dpi=CARD_DPI, metadata={"Software": None})
    return picture.getvalue()


def draw_card(card: Card) -> Figure:
    """Return the figure of a card, with as many papers as it has room for."""
    mpl.rcdefaults()
    mpl.rcParams.update({"font.family": "DejaVu Serif", "text.parse_math": False})
    figure = Figure(
        figsize=(CARD_WIDTH / CARD_DPI, CARD_HEIGHT / CARD_DPI), dpi=CARD_DPI, facecolor=_PAPER
    )
    FigureCanvasAgg(figure)
    _fitted(figure, "Broadsheet", _NAME, _INK, _CARD_MARGIN, 556, weight="bold")
    for height in (540, 534):
        ends = [_CARD_MARGIN / CARD_WIDTH, 1 - _CARD_MARGIN / CARD_WIDTH]
        figure.add_artist(Line2D(ends, [height / CARD_HEIGHT] * 2, color=_EDGE, linewidth=1.5))
    _fitted(figure, card.title, _CARD_TITLE, _INK, _CARD_MARGIN, 456, weight="bold")
    _fitted(figure, card.line, _LINE, _FAINT, _CARD_MARGIN, 412)
    room = (_FIRST - _LAST) // _STEP + 1
    papers = len(card.papers) + card.more
    shown = card.papers[: room if papers <= room else room - 1]
    for place, title in enumerate(shown):
        height = _FIRST - place * _STEP
        _fitted(figure, f"{place + 1}", _PAPERS, _FAINT, _CARD_MARGIN, height)
        _fitted(figure, title, _PAPERS, _INK, _CARD_MARGIN + _NUMBER, height)
    if len(shown) < papers:
        others = f"and {count(papers - len(shown), 'other')}"
        height = _FIRST - len(shown) * _STEP
        _fitted(figure, others, _LINE, _FAINT, _CARD_MARGIN + _NUMBER, height)
    return figure


def _fitted(  # noqa: PLR0913, PLR0917 - a text and where it stands
    figure: Figure,
    words: str,
    size: float,
    colour: str,
    left: float,
    low: float,
    weight: str = "normal",
) -> Text:
    """Write one line, cut at a word where it would reach over the right margin."""
    words = words[:_LONGEST]
    text = figure.text(left / CARD_WIDTH, low / CARD_HEIGHT, words, size=size, color=colour)
    text.set_fontweight(weight)

    def fits(cuts: int) -> bool:
        text.set_text(shorten(words, len(words) - 2 * cuts) if cuts else words)
        return bool(text.get_window_extent().x1 <= CARD_WIDTH - _CARD_MARGIN)

    # A few measurements find how often two letters have to go.
    fits(bisect_left(range((len(words) - 1) // 2), True, key=fits))  # noqa: FBT003 - what is looked for
    return text
