"""Plots to draw in tests."""

import random
from dataclasses import replace
from datetime import date, timedelta

from bot.plots.plotter import Curve, Plot

# The longest slugs that there are, and some others.
NAMES = (
    "reinforcement-learning", "mixture-of-experts", "image-generation", "agents", "evaluation",
    "interpretability", "3d", "retrieval",
)  # fmt: skip


def plot(curves: int = 3, weeks: int = 26, gaps: tuple[int, ...] = (), seed: int = 1) -> Plot:
    """Return a plot of topics that wander."""
    dice = random.Random(seed)  # noqa: S311 - throws that repeat, not a secret
    days = tuple(date(2025, 7, 14) + timedelta(weeks=each) for each in range(weeks))
    return Plot(
        title=("agents rose from 12% to 31% of the papers", "retrieval fell from 20% to 9%"),
        measure=(
            "Share of the papers, four weeks at a time; pale: single weeks",
            "Title: the last 4 weeks against the 12 before",
        ),
        source="Broadsheet · dair, paperdive · Jul 14, 2025 – Jan 11, 2026",
        days=days,
        curves=tuple(
            replace(_curve(name, weeks, gaps, dice), style=style)
            for style, name in enumerate(NAMES[:curves])
        ),
    )


def _curve(name: str, weeks: int, gaps: tuple[int, ...], dice: random.Random) -> Curve:
    share, points = dice.uniform(0.03, 0.3), []
    for week in range(weeks):
        share = min(0.5, max(0.0, share + dice.gauss(0, 0.02)))
        points.append(None if week in gaps else share)
    return Curve(f"{name} {share:.0%}", tuple(points))
