"""Pictures: drawn, and held to what a reader needs of them."""

from dataclasses import replace
from io import BytesIO
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.text import Text
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

from bot.plots.drawing import DARK, HEIGHT, LIGHT, WIDTH, draw, marked_weeks, png
from bot.plots.plotter import MOST_CURVES, Curve, Plot
from tests.bot.plots.sample_plots import NAMES, plot

# One to five topics, many weeks and few, gaps, curves that end at one place.
_FLAT = replace(
    plot(),
    curves=tuple(Curve(f"{name} 0%", (0.0,) * 26, style=at) for at, name in enumerate(NAMES[:5])),
)
PLOTS = {
    **{f"{number} topics": plot(number) for number in (1, 3, MOST_CURVES)},
    "three weeks": plot(5, weeks=3),
    "two weeks": plot(5, weeks=2),
    "gaps": plot(4, gaps=(0, 5, 6, 12, 13, 14, 15, 24)),
    "every other week": plot(5, gaps=tuple(range(0, 25, 2))),
    "one place": _FLAT,
    "a long title": replace(plot(), title=("a very long finding " * 6, "and one more")),
    "dark": replace(plot(5), dark=True),
    "signs": replace(plot(1), curves=(Curve("$x_1^2$ \\frac 5%", (0.1,) * 26),)),
}


@pytest.fixture(params=PLOTS, scope="module")
def drawn(request: pytest.FixtureRequest) -> Figure:
    """Return the figure of a plot, which no test changes."""
    figure = draw(PLOTS[request.param])
    figure.draw_without_rendering()
    return figure


def _texts(figure: Figure) -> list[Text]:
    [axes] = figure.axes
    top = axes.get_ylim()[1]
    shares = [text for text in axes.get_yticklabels() if text.get_position()[1] <= top]
    return [*figure.texts, *axes.get_xticklabels(), *shares]


def _box(text: Text) -> Bbox:
    return text.get_window_extent()


def test_no_words_overlap(drawn: Figure) -> None:
    """Labels, dates, shares, title and source stand apart."""
    for one, other in combinations(_texts(drawn), 2):
        assert Bbox.intersection(_box(one), _box(other)) is None, (one, other)


def test_all_words_are_whole(drawn: Figure) -> None:
    """Nothing is cut off by the edge of the picture."""
    for text in _texts(drawn):
        box = _box(text)
        assert min(box.x0, box.y0) >= 0, text
        assert (box.x1 <= WIDTH, box.y1 <= HEIGHT) == (True, True), text


def test_words_stand_outside_the_curves(drawn: Figure) -> None:
    """No label or date covers what is drawn, which has half of the picture's width or more."""
    [axes] = drawn.axes
    for text in _texts(drawn):
        assert Bbox.intersection(_box(text), axes.bbox) is None, text
    assert axes.bbox.width >= WIDTH * 0.5
    assert axes.bbox.height >= HEIGHT * 0.4


def test_words_can_be_read_at_a_third_of_the_size(drawn: Figure) -> None:
    """Labels and dates are 24 pixels and more; the source alone is smaller."""
    sizes = sorted(float(text.get_fontsize()) * drawn.dpi / 72 for text in _texts(drawn))
    assert sizes[0] >= 18
    assert sizes[1] >= 23


def _pixels(picture: bytes) -> NDArray[np.float64]:
    return np.asarray(imread(BytesIO(picture), format="png"), dtype=np.float64)


def _has(pixels: NDArray[np.float64], colour: str) -> int:
    """Return how many pixels have a colour, as near as eight bits are."""
    return int((np.abs(pixels[..., :3] - to_rgb(colour)).max(axis=-1) < 1 / 128).sum())


@pytest.mark.parametrize(
    "name", ["1 topics", "5 topics", "two weeks", "gaps", "a long title", "dark"]
)
def test_the_picture_is_a_sheet_with_every_curve(name: str) -> None:
    """It has its size, hides what is behind it, is mostly sheet, and shows each curve's colour."""
    pixels = _pixels(png(PLOTS[name]))
    assert pixels.shape == (HEIGHT, WIDTH, 4)
    assert pixels[..., 3].min() == 1
    surface = DARK if PLOTS[name].dark else LIGHT
    assert 0.75 < _has(pixels, surface.paper) / (WIDTH * HEIGHT) < 0.98
    for curve in PLOTS[name].curves:
        assert _has(pixels, surface.styles[curve.style].colour) > 50


@pytest.mark.parametrize("name", ["1 topics", "three weeks", "gaps", "every other week"])
def test_the_picture_shows_the_numbers(name: str) -> None:
    """Where a week and its share meet on the axes, the pixels have the colour of that curve."""
    one = replace(PLOTS[name], curves=PLOTS[name].curves[:1])
    figure, pixels = draw(one), _pixels(png(one))
    figure.draw_without_rendering()
    [axes], [curve] = figure.axes, one.curves
    for week in curve.weeks:
        x, y = axes.transData.transform((week, curve.points[week] or 0.0))
        around = pixels[HEIGHT - round(y) - 3 : HEIGHT - round(y) + 2, round(x) - 2 : round(x) + 3]
        assert _has(around, LIGHT.styles[0].colour), week
    low, high = axes.get_ylim()
    marks = [round(float(mark) * 100) for mark in axes.get_yticks() if low <= mark <= high]
    words = [text.get_text() for text in axes.get_yticklabels()][: len(marks)]
    assert words == [f"{mark}%" for mark in marks]


def test_a_picture_says_nothing_of_what_made_it() -> None:
    """It has no date and no program: the same plot is the same, byte for byte, another is not."""
    picture = png(plot())
    assert picture == png(plot())
    assert picture != png(plot(seed=2))
    assert b"tEXt" not in picture
    assert b"tIME" not in picture


def test_a_gap_is_left_open() -> None:
    """Behind a longer one the curve begins anew; a shorter one is led over by a thin line."""
    curve = Curve("agents", (0.1, None, 0.2, 0.2, None, None, None, 0.1))
    assert (curve.bridges, curve.isolated) == ([[0, 2]], [7])
    [axes] = draw(_of(curve)).axes
    lines = [line for line in axes.lines if line.get_linestyle() != "None"]
    whole, bridge = (np.asarray(line.get_ydata(), dtype=float) for line in lines)
    assert np.isnan(whole).tolist() == [point is None for point in curve.points]
    assert bridge.tolist() == [0.1, 0.2]
    assert lines[1].get_linewidth() < lines[0].get_linewidth()


def test_a_line_over_gaps_has_its_own_colour() -> None:
    """It is thin and as full as any, also where it lies over another one: no third colour."""
    shares = (0.2, None) * 4 + (0.2,)
    both = _of(Curve("agents", shares), Curve("code", shares))
    figure, pixels = draw(both), _pixels(png(both))
    figure.draw_without_rendering()
    [axes] = figure.axes
    x, y = axes.transData.transform((3, 0.2))
    there = pixels[HEIGHT - round(y) : HEIGHT - round(y) + 1, round(x) : round(x) + 1]
    assert _has(there, LIGHT.styles[0].colour) == 1


def test_curves_over_gaps_are_marked_by_turns() -> None:
    """Counted by the points that are there: no two of six are marked at one, but at their ends."""
    curve = Curve("agents", (0.1, None) * 12 + (0.1,))
    marks = [set(marked_weeks(curve, number)) - {24} for number in range(6)]
    assert curve.bridges == [list(range(0, 25, 2))]
    assert all(marks)
    assert set.union(*marks) == set(curve.weeks) - {24}
    assert sum(map(len, marks)) == len(set.union(*marks))


def _of(*curves: Curve) -> Plot:
    days = plot(weeks=len(curves[0].points)).days
    return replace(plot(), days=days, curves=curves)


_POINTS = st.lists(st.none() | st.floats(0, 1), max_size=25)


@given(points=_POINTS, end=st.floats(0, 1), number=st.integers(0, MOST_CURVES - 1))
def test_every_point_can_be_seen(points: list[float | None], end: float, number: int) -> None:
    """One that has no neighbour is marked, and so is the end; nothing else is where no point is."""
    curve = Curve("agents", (*points, end))
    marked = marked_weeks(curve, number)
    assert {*curve.isolated, len(points)} <= set(marked) <= set(curve.weeks)
