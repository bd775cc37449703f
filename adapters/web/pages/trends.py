"""The page of trends: topics over the weeks as a drawing of the same curves as in chat."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from adapters.web.pages.page import Library, PageFacts
from bot.domain.page_paths import TRENDS, with_query
from bot.domain.weeks import Week
from bot.library.trends import (
    COUNTED_WEEKS,
    Trend,
    Trends,
    last_dense_week,
    percent,
    styles_of,
    trends_of,
    weeks_to,
)
from bot.plots.plotter import Curve
from bot.replies.blocks import Chart
from bot.replies.wording import days
from store.library import statistics

_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25)
_MOST_LINES = 5  # of a grid
_LABELS = 6


@dataclass(frozen=True, slots=True)
class _Curve:
    """A topic as lines and dots of a drawing; `style` is one of eight colours and dashes.

    Runs are the points of weeks in a row, bridges those around weeks without papers.
    """

    topic: str
    style: int
    runs: tuple[str, ...]
    bridges: tuple[str, ...]
    dots: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing: its lines, the shares of its grid with their places, its weeks with theirs.

    Places are percents of its width from the left, of its height from above: a page stretches the
    lines to its width, and no text with them.
    """

    lines: tuple[_Curve, ...]
    grid: tuple[tuple[str, float], ...]
    weeks: tuple[tuple[str, float], ...]


def trends(library: Library, topics: tuple[str, ...] = ()) -> PageFacts:
    """Return the page of some topics over the weeks, by default of the five that moved most."""
    found = _found(library, topics)
    when = days(found.weeks[0].first_day, found.weeks[-1].last_day) if found else ""
    return PageFacts(
        with_query(TRENDS, topic=",".join(topics)),
        "trends.html",
        "Trends",
        f"Topics over the weeks of {when}." if found else "No week has enough papers yet.",
        {"trends": found, "drawing": _drawn(found) if found else None, "when": when},
    )


def _drawn(trends: Trends) -> Drawing:
    shares = {each.topic: each.shares for each in trends.topics}
    return drawing_of(
        shares, [f"{each.first_day:%b} {each.first_day.day}" for each in trends.weeks]
    )


def _found(library: Library, topics: tuple[str, ...]) -> Trends | None:
    today = Week.of(library.day).name
    weeks = sorted(
        name for name, _ in statistics.list_weeks(library.session, library.day) if name < today
    )
    last = last_dense_week(weeks) or next(reversed(weeks), None)
    if last is None:
        return None
    first = weeks_to(Week.named(last), COUNTED_WEEKS)[0].name
    counts = statistics.count_weeks(library.session, first, last)
    found = trends_of(counts, Week.named(last), topics)
    return found if found.topics else None


def drawing_of(shares: Mapping[str, Sequence[float | None]], weeks: Sequence[str]) -> Drawing:
    """Return the shares of topics as a drawing, `None` in a week without papers.

    `weeks` are the names of the weeks.
    """
    highest = max((share or 0 for each in shares.values() for share in each), default=0)
    step = next((each for each in _STEPS if highest <= each * _MOST_LINES), _STEPS[-1])
    top = step * max(1, -(-highest // step))
    styles = styles_of([*shares])

    def across(week: int) -> float:
        return round(100 * week / max(1, len(weeks) - 1), 1)

    def down(share: float) -> float:
        return round(100 - 100 * share / top, 1)

    def line(topic: str) -> _Curve:
        curve = Curve(topic, tuple(shares[topic]))

        def places(weeks: Iterable[int]) -> str:
            return " ".join(f"{across(week)},{down(shares[topic][week] or 0)}" for week in weeks)

        dots = ((across(week), down(shares[topic][week] or 0)) for week in curve.isolated)
        return _Curve(
            topic,
            styles[topic],
            tuple(places(run) for run in _runs(curve.weeks) if len(run) > 1),
            tuple(map(places, curve.bridges)),
            tuple(dots),
        )

    grid = [step * number for number in range(round(top / step) + 1)]
    shown = range(0, len(weeks), max(1, -(-len(weeks) // _LABELS)))
    return Drawing(
        tuple(map(line, shares)),
        tuple((f"{round(share * 100)}%", down(share)) for share in grid),
        tuple((weeks[week], across(week)) for week in shown),
    )


def drawing_of_chart(chart: Chart) -> Drawing:
    """Return the numbers of a picture, in percent, as a drawing."""
    shares = {
        topic: [None if value is None else value / 100 for value in values]
        for topic, values in chart.series
    }
    return drawing_of(shares, chart.categories)


def share_of(trend: Trend) -> str:
    """Word the share of a topic now, and before."""
    now = f"{percent(trend.recent)}%"
    if not trend.change or trend.earlier is None:
        return now
    return f"{now}, {'up' if trend.change > 0 else 'down'} from {percent(trend.earlier)}%"


def _runs(weeks: Sequence[int]) -> Iterator[list[int]]:
    """Yield the runs of weeks that follow each other."""
    for _, run in groupby(enumerate(weeks), lambda each: each[1] - each[0]):
        yield [week for _, week in run]
