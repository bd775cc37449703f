"""The trends command: a plot of topics over the weeks, and its numbers as text."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

from bot.commands.params.topics_and_sources import TOPIC_LIST
from bot.commands.params.weeks import WEEK
from bot.commands.parser import command_string
from bot.commands.types import Command, Context, Group, Param
from bot.domain.weeks import Week
from bot.errors import PlotError, UserError
from bot.library.paper_lookup import nothing_stored
from bot.library.trends import (
    COUNTED_WEEKS,
    EARLIER_WEEKS,
    RECENT_WEEKS,
    Trend,
    Trends,
    last_dense_week,
    percent,
    styles_of,
    trends_of,
    weeks_to,
)
from bot.plots.plotter import Curve, Plot
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Chart,
    Fields,
    File,
    Level,
    Notice,
    Reply,
    Text,
    Title,
)
from bot.replies.wording import count, day, days
from store.library import editions
from store.library import statistics as counting


async def trends(
    context: Context, topics: tuple[str, ...] = (), until: Week | None = None
) -> Reply:
    """Plot topics over the weeks that have ended; by default the five that changed most."""
    newest = await _last_week(context, until)
    last = newest if until else await _dense_week(context, newest)
    first = weeks_to(last, COUNTED_WEEKS)[0]
    counts = await context.content.read(counting.count_weeks, first.name, last.name)
    found = trends_of(counts, last, topics)
    if not found.topics:
        raise UserError("No paper of these weeks has a topic.", "search finds papers by any word.")
    line = command_string(TRENDS, {**context.arguments, "until": last.name})
    reply = trends_reply(found, await _picture(context, found), line, were_chosen=bool(topics))
    return reply if last == newest else _with_newest(context, reply, last, newest)


async def _dense_week(context: Context, newest: Week) -> Week:
    """Return the last week that enough weeks with papers come before, else the newest."""
    stored = await context.content.read(counting.list_weeks, context.day)
    weeks = sorted(name for name, _ in stored if name <= newest.name)
    dense = last_dense_week(weeks)
    return Week.named(dense) if dense else newest


def _with_newest(context: Context, reply: Reply, last: Week, newest: Week) -> Reply:
    """Say that the weeks up to the newest have few papers, and offer them."""
    line = command_string(TRENDS, {**context.arguments, "until": newest.name})
    told = Notice(
        Level.INFO, f"After {day(last.last_day)} too few weeks have papers to show a trend."
    )
    title, *rest = reply.blocks
    offer = Actions((Button("The newest weeks", line),))
    return replace(reply, blocks=(title, told, *rest, offer))


async def _picture(context: Context, found: Trends) -> File | Notice:
    """Return the plot, or why there is none: the numbers are in the text anyway."""
    if len(found.weeks) == 1:
        return Notice(Level.INFO, "A picture needs two weeks with papers.")
    data = b""
    try:
        if not context.actor.draws:
            plot = plot_of(found, dark=context.actor.dark)
            data = await context.plots.png(plot, context.actor.person)
    except PlotError as error:
        return Notice(Level.INFO, error.sentence, error.remedy)
    return File("trends.png", "image/png", data, alt_text(found), chart_of(found))


async def _last_week(context: Context, until: Week | None) -> Week:
    """Return the newest week with papers that has ended (UTC), and is not after a week.

    Raises:
        UserError: if there is none.
    """
    ended = Week.of(context.day - timedelta(weeks=1))
    last = min(until or ended, ended)
    name = await context.content.read(counting.newest_week, last.name)
    if name:
        return Week.named(name)
    if await context.content.read(editions.newest_edition, None, context.day) is None:
        raise nothing_stored()
    raise UserError(f"No week up to {last.name} has papers.", "latest shows the newest there are.")


TRENDS = Command(
    name="trends",
    group=Group.LOOKUP,
    summary="A plot of topics over the weeks and its numbers; unnamed, the five that moved most",
    handler=trends,
    params=(
        Param("topics", "The topics to plot, several by commas", TOPIC_LIST),
        Param("until", "The last week to plot", WEEK, key="until", hidden=True),
    ),
    examples=("trends", "trends agents reasoning", "trends rag,memory,long-context"),
)


# The dots of more curves would cover each other.
_MOST_WITH_DOTS = 2
_MOST_LEADING = 3  # topics with the same share that are named
_LONGEST_NAMED = 50  # characters, as they fit under the picture
_MEASURE = "Share of the papers, four weeks at a time"
_COMPARED = f"the last {RECENT_WEEKS} weeks against the {EARLIER_WEEKS} before"


def trends_reply(
    trends: Trends, picture: File | Notice, again: str, *, were_chosen: bool = False
) -> Reply:
    """Show topics over the weeks, named by the user if `were_chosen`; `again` repeats it."""
    how = "moved most" if trends.is_compared else "have the most papers"
    choice = "" if were_chosen else f"Of all topics these {len(trends.topics)} {how}."
    together = " in four weeks" if len(trends.weeks) > 1 else ""
    sources = f"Each share is of the papers of {_named(trends)}{together}."
    sentences = (_finding(trends), _gaps(trends), choice, sources)
    buttons = tuple(Button(each.topic, f"topic {each.topic}") for each in trends.topics)
    blocks: tuple[Block, ...] = (
        Title(f"Trends · {_span(trends)}"),
        Text(" ".join(filter(None, sentences))),
        picture,
        Fields(tuple((each.topic, _numbers(each)) for each in trends.topics)),
        Actions(buttons),
    )
    return Reply(blocks, command=again)


def plot_of(trends: Trends, *, dark: bool = False) -> Plot:
    """Return what the picture shows, on a light or a dark surface."""
    styles = styles_of([each.topic for each in trends.topics])
    has_dots = len(trends.topics) <= _MOST_WITH_DOTS
    measure = f"{_MEASURE}; pale: single weeks" if has_dots else _MEASURE
    curves = (
        Curve(
            f"{each.topic} {_share(each.recent)}",
            each.shares,
            each.single if has_dots else (),
            styles[each.topic],
        )
        for each in trends.topics
    )
    return Plot(
        title=_clauses(trends),
        measure=(measure, f"Title: {_COMPARED}") if any(_moved(trends)) else (measure,),
        source=f"Broadsheet · {_named(trends)} · {_span(trends)}",
        days=tuple(week.first_day for week in trends.weeks),
        curves=tuple(curves),
        dark=dark,
    )


def chart_of(trends: Trends) -> Chart:
    """Return the numbers of the picture; a week without papers is a gap of all topics."""
    return Chart(
        _MEASURE,
        "Percent",
        tuple(f"{week.first_day:%b} {week.first_day.day}" for week in trends.weeks),
        tuple((each.topic, _percents(each.shares)) for each in trends.topics),
    )


def alt_text(trends: Trends) -> str:
    """Describe the picture: its lines, and the share that each ends with."""
    lines = ", ".join(f"{each.topic} {_share(each.recent)}" for each in trends.topics)
    return f"{_MEASURE}, {_span(trends)}, as lines that end at: {lines}."


def _finding(trends: Trends) -> str:
    rise, fall = _moved(trends)
    moved = [f"{each.topic} {verb}" for verb, each in (("rose", rise), ("fell", fall)) if each]
    clauses = ", ".join(moved or _clauses(trends))  # the numbers stand below
    if _has_none(trends):
        return f"{clauses}."
    if not trends.is_compared:
        return f"{clauses}. There is nothing before that to compare with."
    return f"{clauses}: {_COMPARED}."


def _clauses(trends: Trends) -> tuple[str, ...]:
    """Return the findings: the greatest rise and fall, else the present shares."""
    rise, fall = _moved(trends)
    rose = [_change("rose", rise)] if rise else []
    fell = [_change("fell", fall)] if fall else []
    if not (rose or fell):
        return (_none(trends) if _has_none(trends) else _shares(trends),)
    first, *others = [*rose, *fell]
    return f"{first} of the papers", *others


def _moved(trends: Trends) -> tuple[Trend | None, Trend | None]:
    """Return what rose most and what fell most, `None` where nothing did."""
    told = [each for each in trends.topics if each.change and each.is_mover]
    rise = min(told, key=lambda each: (-each.moved, each.topic), default=None)
    fall = min(told, key=lambda each: (each.moved, each.topic), default=None)
    return (
        rise if rise and rise.change > 0 else None,
        fall if fall and fall.change < 0 else None,
    )


def _change(verb: str, trend: Trend) -> str:
    before = trend.earlier or Fraction(0)
    return f"{trend.topic} {verb} from {_share(before)} to {_share(trend.recent)}"


def _shares(trends: Trends) -> str:
    """Word the present shares, if nothing changed or nothing before is known.

    Topics with the same rounded share lead together.
    """
    most = max(percent(each.recent) for each in trends.topics)
    share = f"{most}% of the papers"
    if len(trends.topics) == 1:
        [only] = trends.topics
        stayed = "stayed at about" if only.moved else "stayed at"
        return f"{only.topic} {stayed if trends.is_compared else 'has'} {share}"
    *others, last = sorted(each.topic for each in trends.topics if percent(each.recent) == most)
    if not others:
        return f"{last} leads with {share}"
    if len(others) >= _MOST_LEADING:
        return f"{count(len(others) + 1, 'topic')} lead with {share} each"
    return f"{', '.join(others)} and {last} lead with {share} each"


def _has_none(trends: Trends) -> bool:
    """Tell whether several topics have a share of 0 %, now and before."""
    is_told = (percent(each.recent) or each.change for each in trends.topics)
    return len(trends.topics) > 1 and not any(is_told)


def _none(trends: Trends) -> str:
    """Say that all shares are zero, or round to zero."""
    if any(each.recent for each in trends.topics):
        return "None of these topics has 1% of the papers"
    is_shown = any(share for each in trends.topics for share in each.shares)
    weeks = f"the last {RECENT_WEEKS} weeks" if is_shown else "these weeks"
    return f"No paper of {weeks} is on any of these topics"


def _gaps(trends: Trends) -> str:
    """Say how many of the compared weeks have papers, unless all have."""
    recent, earlier = trends.recent_weeks, trends.earlier_weeks
    known = []
    if recent < RECENT_WEEKS:
        known.append(f"{recent} of these {RECENT_WEEKS} weeks")
    if earlier < EARLIER_WEEKS:
        known.append(f"{earlier} of the {EARLIER_WEEKS}")
    if not trends.is_compared or not known:
        return ""
    verb = "has" if len(known) == 1 and known[0].startswith("1 ") else "have"
    return f"Only {' and '.join(known)} {verb} papers."


def _named(trends: Trends) -> str:
    named = ", ".join(trends.sources)
    return named if len(named) <= _LONGEST_NAMED else count(len(trends.sources), "source")


def _numbers(trend: Trend) -> str:
    """Word the share of a topic, and the one before.

    `30% (6 of 20 papers), up 18 points from 12% (7 of 60)`
    """
    papers = count(trend.recent_papers, "paper")
    now = f"{_share(trend.recent)} ({trend.recent * trend.recent_papers} of {papers})"
    if trend.earlier is None:
        return now
    counted = f"({trend.earlier * trend.earlier_papers} of {trend.earlier_papers})"
    before = f"{_share(trend.earlier)} {counted}"
    if not trend.change:
        return f"{now}, {'about ' if trend.moved else ''}as before: {before}"
    way = "up" if trend.change > 0 else "down"
    return f"{now}, {way} {count(abs(trend.change), 'point')} from {before}"


def _share(share: Fraction) -> str:
    return f"{percent(share)}%"


def _percents(shares: Sequence[float | None]) -> tuple[float | None, ...]:
    return tuple(None if share is None else round(100 * share, 1) for share in shares)


def _span(trends: Trends) -> str:
    return days(trends.weeks[0].first_day, trends.weeks[-1].last_day)
