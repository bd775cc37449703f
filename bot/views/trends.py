"""Topics over the weeks as a Reply: what there is to find, the picture, the numbers."""

from bot.plotting.plot import Curve, Plot
from bot.replies import Actions, Block, Button, Fields, File, Notice, Reply, Text, Title
from bot.trends import EARLIER_WEEKS, RECENT_WEEKS, Trend, Trends, percent
from bot.wording import count, days

# Of more curves the marks of single weeks would cover each other.
_MOST_WITH_DOTS = 2
_LONGEST_NAMED = 50  # characters, as they fit under the picture


def trends_reply(
    trends: Trends, picture: File | Notice, line: str, *, were_chosen: bool = False
) -> Reply:
    """Show topics over the weeks; `were_chosen` where the asker named them."""
    choice = "" if were_chosen else _choice(trends)
    sentences = (_finding(trends), _gaps(trends), choice, _sources(trends))
    buttons = tuple(Button(each.topic, f"topic {each.topic}") for each in trends.topics)
    blocks: tuple[Block, ...] = (
        Title(f"Trends · {_span(trends)}"),
        Text(" ".join(filter(None, sentences))),
        picture,
        Fields(tuple((each.topic, _numbers(each)) for each in trends.topics)),
        Actions(buttons),
    )
    return Reply(blocks, line=line)


def plot_of(trends: Trends) -> Plot:
    """Return what the picture shows."""
    has_dots = len(trends.topics) <= _MOST_WITH_DOTS and len(trends.weeks) > 1
    curves = (
        Curve(f"{each.topic} {_share(each.recent)}", each.shares, each.single if has_dots else ())
        for each in trends.topics
    )
    return Plot(
        title=_clauses(trends),
        measure=f"{_measure(trends)}{'; pale: single weeks' if has_dots else ''}",
        source=f"Broadsheet · {_named(trends)} · {_span(trends)}",
        days=tuple(week.first_day for week in trends.weeks),
        curves=tuple(curves),
    )


def alt_text(trends: Trends) -> str:
    """Say in words what the picture shows."""
    numbers = "; ".join(f"{each.topic} {_numbers(each)}" for each in trends.topics)
    return f"{_measure(trends)}, {_span(trends)}: {numbers}."


def _finding(trends: Trends) -> str:
    clauses = ", ".join(_clauses(trends))
    if not trends.is_compared:
        return f"{clauses}. There is nothing before that to compare with."
    return f"{clauses}: the last {RECENT_WEEKS} weeks beside the {EARLIER_WEEKS} before."


def _clauses(trends: Trends) -> tuple[str, ...]:
    """Return what there is to find: what rose most and what fell most, else how it stands."""
    rise = min(trends.topics, key=lambda each: (-each.change, each.topic))
    fall = min(trends.topics, key=lambda each: (each.change, each.topic))
    rose = [_change("rose", rise)] if rise.change > 0 else []
    fell = [_change("fell", fall)] if fall.change < 0 else []
    first, *others = [*rose, *fell] or [_standing(trends)]
    return f"{first} of the papers", *others


def _change(verb: str, trend: Trend) -> str:
    return f"{trend.topic} {verb} from {_share(trend.earlier or 0)} to {_share(trend.recent)}"


def _standing(trends: Trends) -> str:
    """Say how it stands where nothing moved, or nothing is known of before."""
    first = min(trends.topics, key=lambda each: (-each.recent, each.topic))
    alone = "stayed at" if trends.is_compared else "has"
    verb = "leads with" if len(trends.topics) > 1 else alone
    return f"{first.topic} {verb} {_share(first.recent)}"


def _gaps(trends: Trends) -> str:
    """Say of how many of the compared weeks there are papers, unless there are of all."""
    recent = trends.recent_weeks, RECENT_WEEKS
    earlier = trends.earlier_weeks, EARLIER_WEEKS
    if not trends.is_compared or (recent, earlier) == ((RECENT_WEEKS,) * 2, (EARLIER_WEEKS,) * 2):
        return ""
    return "There are papers of {} of these {} weeks, and of {} of the {}.".format(
        *recent, *earlier
    )


def _sources(trends: Trends) -> str:
    together = f", {RECENT_WEEKS} weeks at a time" if len(trends.weeks) > 1 else ""
    return f"Shares are of the papers of {_named(trends)}{together}."


def _named(trends: Trends) -> str:
    named = ", ".join(trends.sources)
    return named if len(named) <= _LONGEST_NAMED else count(len(trends.sources), "source")


def _choice(trends: Trends) -> str:
    how = "moved most" if trends.is_compared else "have the most papers"
    return f"Of all topics these {len(trends.topics)} {how}."


def _numbers(trend: Trend) -> str:
    """Say where a topic stands and where it came from: `31%, up 19 points from 12%`."""
    now = _share(trend.recent)
    if trend.earlier is None:
        return now
    if not trend.change:
        return f"{now}, as before"
    way = "up" if trend.change > 0 else "down"
    return f"{now}, {way} {count(abs(trend.change), 'point')} from {_share(trend.earlier)}"


def _measure(trends: Trends) -> str:
    return f"Share of the papers{', four weeks at a time' if len(trends.weeks) > 1 else ''}"


def _share(share: float) -> str:
    return f"{percent(share)}%"


def _span(trends: Trends) -> str:
    return days(trends.weeks[0].first_day, trends.weeks[-1].last_day)
