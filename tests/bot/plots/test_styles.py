"""Styles that everybody can tell apart, by colour or without any."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

from bot.plots.drawing import DARK, LIGHT, Surface
from bot.plots.plotter import MOST_CURVES, STYLES

SURFACES = pytest.mark.parametrize("surface", [LIGHT, DARK], ids=["light", "dark"])

# What people see who lack one kind of cones: Machado, Oliveira and Fernandes 2009, severity 1,
# https://www.inf.ufrgs.br/~oliveira/pubs_files/CVD_Simulation/CVD_Simulation.html
SEEN = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
# Of CIE 1976, in which 2.3 is just noticeable: https://en.wikipedia.org/wiki/Color_difference
_EASILY = 15


def _linear(colour: str) -> NDArray[np.float64]:
    """Return the linear parts of a colour, as WCAG reckons its relative luminance."""
    parts = np.array(to_rgb(colour))
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def _luminance(colour: str) -> float:
    return float(_linear(colour) @ [0.2126, 0.7152, 0.0722])


def _contrast(one: str, other: str) -> float:
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _lab(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return CIE L*a*b* of linear sRGB: https://en.wikipedia.org/wiki/CIELAB_color_space."""
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.cbrt((np.array(to_xyz) @ np.clip(linear, 0.01, 1)) / [0.9505, 1, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@SURFACES
def test_there_is_a_style_for_each_curve(surface: Surface) -> None:
    """No two of them have the same mark, or the same colour."""
    assert len(surface.styles) == STYLES >= MOST_CURVES
    assert len({style.mark for style in surface.styles}) == STYLES
    assert len({style.colour for style in surface.styles}) == STYLES


@SURFACES
def test_curves_and_words_stand_out_from_the_sheet(surface: Surface) -> None:
    """Three to one for what is drawn, four and a half to one for what is read (WCAG 2.2)."""
    assert min(_contrast(style.colour, surface.paper) for style in surface.styles) >= 3
    assert min(_contrast(colour, surface.paper) for colour in (surface.ink, surface.faint)) >= 4.5


@pytest.mark.parametrize("vision", SEEN)
@SURFACES
def test_colours_are_told_apart_by_everybody(surface: Surface, vision: str) -> None:
    """Whoever lacks one kind of cones sees every two of them differ easily."""
    seen = [_lab(np.array(SEEN[vision]) @ _linear(style.colour)) for style in surface.styles]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) >= _EASILY
