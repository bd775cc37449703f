"""Slack's charts of lines as HTML; the lines alone are SVG, so that words keep their size. Pure.

https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block
"""

from collections.abc import Iterable
from math import ceil
from typing import Any

from markupsafe import Markup

_COLOURS = ("#4a8fe0", "#d9793d", "#2f9e77", "#b569c9", "#c9a227", "#d4547c")
_STEP = 10  # of the highest mark
_MOST_NAMED = 4  # points below the lines


def html_of(block: dict[str, Any]) -> Markup:
    """Return a chart of lines, with its title, its marks and the names of its lines."""
    series, axes = block["chart"]["series"], block["chart"]["axis_config"]
    lines = [[point["value"] for point in each["data"]] for each in series]
    top = _STEP * max(1, ceil(max(map(max, lines)) / _STEP))
    names = axes["categories"]
    marks = min(_MOST_NAMED, len(names))
    named = [names[place * (len(names) - 1) // max(1, marks - 1)] for place in range(marks)]
    drawn = (
        Markup('<polyline points="{}" stroke="{}"/>').format(_points(line, top), colour)
        for line, colour in zip(lines, _COLOURS, strict=False)
    )
    legend = (
        Markup('<span><i style="background: {}"></i>{}</span>').format(colour, each["name"])
        for each, colour in zip(series, _COLOURS, strict=False)
    )
    return Markup(
        '<div class="chart"><b>{}</b><div>{}</div><div class="plot"><div class="up">{}</div>'
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none">{}</svg>'
        '<div class="along">{}</div></div><div class="legend">{}</div></div>'
    ).format(
        block["title"],
        axes.get("y_label", ""),
        _spans(f"{mark:g}" for mark in (top, top / 2, 0)),
        Markup("").join(drawn),
        _spans(named),
        Markup(" ").join(legend),
    )


def _points(line: list[float], top: float) -> str:
    """Return where a line goes, from the left to the right in a square of a hundred."""
    width = 100 / max(1, len(line) - 1)
    return " ".join(f"{place * width:g},{100 - 100 * y / top:g}" for place, y in enumerate(line))


def _spans(words: Iterable[str]) -> Markup:
    return Markup(" ").join(Markup("<span>{}</span>").format(each) for each in words)
