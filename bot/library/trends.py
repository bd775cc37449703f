"""The trends of topics: their shares of the papers over the weeks. Pure.

Single weeks have few papers, so a share is of several weeks together. A week without papers is a
gap, and not a share of zero.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from itertools import dropwhile

from bot.domain.topics import all_topics
from bot.domain.weeks import Week
from bot.plots.plotter import STYLES
from store.library.statistics import WeekCount, WeeklyCounts

SHOWN_WEEKS = 26
RECENT_WEEKS, EARLIER_WEEKS = 4, 12
MOVERS = 5
_FEWEST_PAPERS = 5  # of a topic whose change is named
# So many of the compared weeks have papers where a picture says something.
_DENSE_WEEKS = 6
_COMPARED_WEEKS = RECENT_WEEKS + EARLIER_WEEKS
# What is shown begins with shares of several weeks too.
COUNTED_WEEKS = SHOWN_WEEKS + RECENT_WEEKS - 1

_ByWeek = Mapping[str, WeekCount]
_Counts = Sequence[list[WeekCount]]


@dataclass(frozen=True, slots=True)
class Trend:
    """A topic over the weeks that are shown; shares are between 0 and 1.

    `shares` are, for each week, those of the four weeks that end with it, `single` those of that
    week alone, `None` where it has no paper. `recent` is the share of the last four weeks,
    `earlier` that of the twelve before them, `None` where these have no paper. Both are exact, of
    `recent_papers` and of `earlier_papers`.
    """

    topic: str
    shares: tuple[float | None, ...]
    single: tuple[float | None, ...]
    recent: Fraction
    earlier: Fraction | None
    recent_papers: int
    earlier_papers: int

    @property
    def moved(self) -> Fraction:
        """The change of the share; zero if there is nothing to compare with."""
        return Fraction(0) if self.earlier is None else self.recent - self.earlier

    @property
    def is_mover(self) -> bool:
        """Tell whether its change is named: of enough papers, and in the way that the line goes."""
        papers = max(self.recent * self.recent_papers, (self.earlier or 0) * self.earlier_papers)
        before = self.shares[-RECENT_WEEKS - 1] if len(self.shares) > RECENT_WEEKS else None
        goes = self.moved if before is None else self.recent - Fraction(before)
        return papers >= _FEWEST_PAPERS and goes * self.moved > 0

    @property
    def change(self) -> int:
        """The change of the rounded share in percentage points; zero if it is less than a paper."""
        if self.earlier is None or abs(self.moved) * self.recent_papers < 1:
            return 0
        return percent(self.recent) - percent(self.earlier)


@dataclass(frozen=True, slots=True)
class Trends:
    """Topics over weeks without a gap; of the compared ones so many have papers."""

    weeks: tuple[Week, ...]
    topics: tuple[Trend, ...]
    recent_weeks: int
    earlier_weeks: int
    sources: tuple[str, ...]

    @property
    def is_compared(self) -> bool:
        """True if there are weeks to compare the last ones with."""
        return self.earlier_weeks > 0


def percent(share: Fraction) -> int:
    """Return a share in whole points of a hundred."""
    return round(share * 100)


def last_dense_week(weeks: Sequence[str]) -> str | None:
    """Return the last of some weeks, which have papers, that enough others come before.

    `weeks` are in order; `None` where papers are everywhere too rare.
    """
    for place in range(len(weeks) - 1, _DENSE_WEEKS - 2, -1):
        first = weeks_to(Week.named(weeks[place]), _COMPARED_WEEKS)[0].name
        if weeks[place - _DENSE_WEEKS + 1] >= first:
            return weeks[place]
    return None


def weeks_to(last: Week, number: int) -> tuple[Week, ...]:
    """Return so many ISO weeks in order, up to the last."""
    ago = range(number - 1, -1, -1)
    return tuple(Week.of(last.first_day - timedelta(weeks=each)) for each in ago)


def trends_of(counts: WeeklyCounts, last: Week, topics: Sequence[str] = ()) -> Trends:
    """Return topics over the weeks up to one that has papers.

    Without topics these are the five that moved most (`movers`).
    """
    by_week = {each.week: each for each in counts.weeks}
    # Without the weeks before the first one with papers.
    shown = tuple(dropwhile(lambda week: week.name not in by_week, weeks_to(last, SHOWN_WEEKS)))
    single = [_known((week,), by_week) for week in shown]
    together = [
        _known(weeks_to(week, RECENT_WEEKS), by_week) if alone else []
        for week, alone in zip(shown, single, strict=True)
    ]
    earlier = _known(weeks_to(last, RECENT_WEEKS + EARLIER_WEEKS)[:EARLIER_WEEKS], by_week)
    named = topics or {topic for week in counts.weeks for topic in week.topics}
    found = [_trend(topic, single, together, earlier) for topic in named]
    return Trends(
        shown,
        tuple(found if topics else movers(found)),
        recent_weeks=len(together[-1]),
        earlier_weeks=len(earlier),
        sources=counts.sources,
    )


def movers(trends: Sequence[Trend]) -> list[Trend]:
    """Return the five topics whose shares changed most, either way, the greatest change first.

    Where there is nothing to compare with they are those of the greatest shares. Equals stand
    by slug.
    """

    def moved(trend: Trend) -> Fraction:
        return trend.recent if trend.earlier is None else abs(trend.moved)

    return sorted(trends, key=lambda each: (-moved(each), each.topic))[:MOVERS]


def _trend(topic: str, single: _Counts, together: _Counts, earlier: list[WeekCount]) -> Trend:
    return Trend(
        topic,
        tuple(_point(_share(topic, each)) for each in together),
        tuple(_point(_share(topic, each)) for each in single),
        _share(topic, together[-1]) or Fraction(0),
        _share(topic, earlier),
        _papers(together[-1]),
        _papers(earlier),
    )


def _point(share: Fraction | None) -> float | None:
    return None if share is None else float(share)


def _share(topic: str, counts: Sequence[WeekCount]) -> Fraction | None:
    """Return the share of a topic in weeks together, `None` if they have no paper."""
    papers = _papers(counts)
    return Fraction(sum(each.topics.get(topic, 0) for each in counts), papers) if papers else None


def _papers(counts: Sequence[WeekCount]) -> int:
    return sum(each.papers for each in counts)


def _known(weeks: Sequence[Week], by_week: _ByWeek) -> list[WeekCount]:
    """Return the counts of those weeks that have papers."""
    return [by_week[week.name] for week in weeks if week.name in by_week]


def styles_of(topics: Sequence[str]) -> dict[str, int]:
    """Return the style of each of at most eight topics, the same in every picture.

    Where topics of a picture have the same, the later ones in the order of the topic file take the
    next that is free.
    """
    order = [each.slug for each in all_topics()]
    styles: dict[str, int] = {}
    for topic in sorted(topics, key=lambda each: order.index(each) if each in order else -1):
        own = order.index(topic) if topic in order else 0
        free = ((own + step) % STYLES for step in range(STYLES))
        styles[topic] = next(style for style in free if style not in styles.values())
    return styles
