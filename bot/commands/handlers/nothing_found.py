"""The offers of an answer that lists no paper: what finds something, an alert, arXiv's page."""

from bot.commands.handlers.alerts import ALERT, says_something
from bot.commands.parser import command_string
from bot.commands.types import Command, Context
from bot.domain.paper_ids import arxiv_url
from bot.library.near_searches import near_searches
from bot.replies.blocks import Button, WebPage
from store.search import SearchQuery


async def nearest_buttons(
    context: Context, command: Command, query: SearchQuery
) -> tuple[Button, ...]:
    """Return buttons to what finds something in place of a query that found nothing.

    `command` is the one that asked; its buttons have the other arguments of the request.
    """
    near = await context.content.read(near_searches, query, context.day)
    texts = {name: text for name, text in context.arguments.items() if name != "page"}
    labels: dict[str, str] = {}
    for label, arguments in near.offers(texts):
        line = command_string(command, arguments)
        labels.setdefault(line, label or line)
    return tuple(Button(label, line) for line, label in labels.items() if line != command.name)


def alert_buttons(context: Context, query: SearchQuery) -> tuple[Button, ...]:
    """Return the button that tells the user of the first such paper, none of what names none.

    The words are the user's own: others are asked first. Where there are no direct messages it is
    left out at the end.
    """
    line = alert_line(query)
    return (Button("Tell me when one appears", line, by=context.actor.user),) if line else ()


def alert_line(query: SearchQuery) -> str | None:
    """Return the line that asks to be told of the first paper that a query finds, if it may."""
    if query.cut or query.arxiv_ids or not says_something(query):
        return None
    filters = query.filters
    return command_string(
        ALERT,
        {
            "words": query.text or None,
            "topic": filters.topic,
            "source": filters.source,
            "author": filters.author,
        },
    )


def arxiv_pages(query: SearchQuery) -> tuple[WebPage, ...]:
    """Return the pages at arXiv of the papers that a query names by their ids."""
    return tuple(WebPage("", arxiv_url(each), f"{each} on arXiv") for each in query.arxiv_ids[:3])
