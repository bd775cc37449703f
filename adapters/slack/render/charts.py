"""Charts that Slack draws of the numbers of a picture. Pure.

A message holds them, no view does. That an ephemeral message does is not documented, and a
workspace may not know them yet, so an answer with one is sent in a way that shows a refusal.
https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block
"""

from collections.abc import Sequence
from json import dumps
from typing import Any

from bot.replies.blocks import Chart
from bot.replies.wording import shorten

# Of its block as JSON: a message holds one with other blocks, and not the three that Slack refuses:
# https://github.com/vercel/chat/pull/696
LONGEST_CHART = 6_000

_LONGEST_TITLE = 50  # of a chart and of an axis
_LONGEST_LABEL = 20  # of a series and of a point
_MOST_SERIES = 6
_MOST_POINTS = 20
# In mrkdwn, where a sign is escaped with five.
LONGEST_CHART_WORDS = 5 * (_LONGEST_TITLE + 2 * _LONGEST_LABEL) + 20


def chart_block(chart: Chart) -> dict[str, Any] | None:
    """Return a chart as a block of lines, `None` where it is beyond a limit of Slack's.

    It has the last points where there are too many, and the beginning of a name that is too long.
    """
    points = chart.categories[-_MOST_POINTS:]
    names = [shorten(name, _LONGEST_LABEL) for name, _ in chart.series]
    series = [
        {
            "name": name,
            "data": [
                {"label": label, "value": value}
                for label, value in zip(points, values[-_MOST_POINTS:], strict=True)
            ],
        }
        for name, (_, values) in zip(names, chart.series, strict=True)
    ]
    axes = {"categories": list(points), "y_label": chart.unit}
    block = {
        "type": "data_visualization",
        "title": chart.title,
        "chart": {"type": "line", "series": series, "axis_config": axes},
    }
    fits = (
        _are_labels(points, _MOST_POINTS, _LONGEST_LABEL)
        and _are_labels(names, _MOST_SERIES, _LONGEST_LABEL)
        and _are_labels([chart.title], 1, _LONGEST_TITLE)
        and _are_labels([chart.unit], 1, _LONGEST_TITLE)
        and len(dumps(block)) <= LONGEST_CHART
    )
    return block if fits else None


def chart_words(chart: Chart) -> str:
    """Return what a chart shows of what, for who can't see it; its numbers are said elsewhere."""
    points = chart.categories[-_MOST_POINTS:]
    return f"Chart: {chart.title}, {points[0]} to {points[-1]}"


def _are_labels(words: Sequence[str], most: int, longest: int) -> bool:
    """Tell whether there are as many as may be, at least one, each its own, none blank or long."""
    good = all(each.strip() and len(each) <= longest for each in words)
    return 0 < len(words) <= most and len(set(words)) == len(words) and good
