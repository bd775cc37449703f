"""Format figures as a table and as JSON."""

import json
import platform
import sqlite3
import statistics
from collections.abc import Sequence
from dataclasses import asdict

from tests.benchmarks.measure import Figure

_HEAD = ("figure", "unit", "floor", "product", "ratio min", "median", "max", "aim", "verdict")


def table(figures: Sequence[Figure]) -> str:
    """Return one line a figure: the medians of both sides, and product over floor."""
    rows = [_HEAD, *map(_row, figures)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place < 2 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def machine() -> str:
    """Return Python, SQLite and the machine in a line."""
    return (
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version},"
        f" {platform.system()} {platform.machine()}"
    )


def to_json(figures: Sequence[Figure], runs: int, origins: Sequence[str]) -> str:
    """Return every run of every figure."""
    listed = [
        {**asdict(figure), "ratios": figure.ratios, "verdict": figure.verdict} for figure in figures
    ]
    whole = {"machine": machine(), "runs": runs, "documents": list(origins), "figures": listed}
    return json.dumps(whole, indent=2) + "\n"


def _row(figure: Figure) -> tuple[str, ...]:
    ratios = figure.ratios
    return (
        figure.name,
        figure.unit,
        _digits(statistics.median(figure.floor)),
        _digits(statistics.median(figure.product)),
        f"{min(ratios):.3f}",
        f"{statistics.median(ratios):.3f}",
        f"{max(ratios):.3f}",
        _aim(figure),
        figure.verdict,
    )


def _digits(value: float) -> str:
    """Return a value with two digits after the point, a small one with four."""
    return f"{value:.2f}" if value >= 1 else f"{value:.4f}"


def _aim(figure: Figure) -> str:
    unit = f" {figure.unit}" if figure.in_unit else ""
    return f"{'≥' if figure.at_least else '≤'} {figure.aim:g}{unit}"
