"""The trends command: a plot of topics over the weeks, and its numbers as text."""

from datetime import timedelta

from bot.commands.params.topics_and_sources import TOPIC_LIST
from bot.commands.params.weeks import WEEK
from bot.commands.parser import command_string
from bot.commands.types import Command, Context, Group, Param
from bot.commands.views.trends import alt_text, plot_of, trends_reply
from bot.domain.weeks import Week
from bot.errors import PlotError, UserError
from bot.library.paper_lookup import nothing_stored
from bot.library.trends import COUNTED_WEEKS, Trends, trends_of, weeks_to
from bot.replies.blocks import File, Level, Notice, Reply
from store.library import editions
from store.library import statistics as counting


async def trends(
    context: Context, topics: tuple[str, ...] = (), until: Week | None = None
) -> Reply:
    """Plot topics over the weeks that have ended; by default the five that changed most."""
    last = await _last_week(context, until)
    first = weeks_to(last, COUNTED_WEEKS)[0]
    counts = await context.content.read(counting.count_weeks, first.name, last.name)
    found = trends_of(counts, last, topics)
    if not found.topics:
        raise UserError("No paper of these weeks has a topic.", "search finds papers by any word.")
    line = command_string(TRENDS, {**context.arguments, "until": last.name})
    return trends_reply(found, await _picture(context, found), line, were_chosen=bool(topics))


async def _picture(context: Context, found: Trends) -> File | Notice:
    """Return the plot, or why there is none: the numbers are in the text anyway."""
    if len(found.weeks) == 1:
        return Notice(Level.INFO, "A picture needs two weeks with papers.")
    try:
        data = await context.plots.png(plot_of(found))
    except PlotError as error:
        return Notice(Level.INFO, error.sentence, error.remedy)
    return File("trends.png", "image/png", data, alt_text(found))


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
