"""The offers of an answer that lists no paper: what finds something, an alert, arXiv's page."""

from calendar import monthrange
from collections.abc import Iterator
from datetime import date

from bot.commands.handlers.alerts import ALERT, says_something
from bot.commands.parser import command_string
from bot.commands.types import Command, Context
from bot.domain.paper_ids import arxiv_url
from bot.library.near_searches import NearSearches, near_searches
from bot.replies.blocks import Button, WebPage
from store.search import SearchQuery

_OF_PERIOD = ("since", "until", "period")  # arguments


async def nearest_buttons(
    context: Context, command: Command, query: SearchQuery
) -> tuple[Button, ...]:
    """Return buttons to what finds something in place of a query that found nothing.

    `command` is the one that asked; its buttons have the other arguments of the request.
    """
    near = await context.content.read(near_searches, query, context.day)
    texts = {name: text for name, text in context.arguments.items() if name != "page"}
    lines = dict.fromkeys(_lines(command, texts, near))
    periods = (("Last one before", near.before), ("First one after", near.after))
    kept = _kept(texts, _OF_PERIOD)
    around = (
        Button(f"{label}: {ends:%b %Y}", command_string(command, {**kept, **_month(ends)}))
        for label, ends in periods
        if ends
    )
    return (*around, *(Button(line, line) for line in lines if line != command.name))


def _lines(command: Command, texts: dict[str, str], near: NearSearches) -> Iterator[str]:
    """Yield the command with other words, and without the filters that kept everything out."""
    yield from (command_string(command, {**texts, "query": text}) for text in near.texts)
    for names in near.without:
        dropped = {*names, *(_OF_PERIOD if "period" in names else ())}
        yield command_string(command, _kept(texts, dropped))


def _kept(texts: dict[str, str], dropped: tuple[str, ...] | set[str]) -> dict[str, str]:
    return {name: text for name, text in texts.items() if name not in dropped}


def _month(ends: date) -> dict[str, str]:
    """Return the month of a day as arguments."""
    last = monthrange(ends.year, ends.month)[1]
    return {"since": f"{ends:%Y-%m}-01", "until": f"{ends:%Y-%m}-{last}"}


def alert_buttons(context: Context, query: SearchQuery) -> tuple[Button, ...]:
    """Return the button that tells the user of the first such paper, none of what names none.

    The words are the user's own: others are asked first. Where there are no direct messages it is
    left out at the end.
    """
    if query.cut or query.arxiv_ids or not says_something(query):
        return ()
    filters = query.filters
    line = command_string(
        ALERT,
        {
            "words": query.text or None,
            "topic": filters.topic,
            "source": filters.source,
            "author": filters.author,
        },
    )
    return (Button("Tell me when one appears", line, by=context.actor.user),)


def arxiv_pages(query: SearchQuery) -> tuple[WebPage, ...]:
    """Return the pages at arXiv of the papers that a query names by their ids."""
    return tuple(WebPage("", arxiv_url(each), f"{each} on arXiv") for each in query.arxiv_ids[:3])
