"""The search command."""

from dataclasses import replace

from bot.commands.params.scalars import PAGE, WORDS
from bot.commands.params.topics_and_sources import SOURCE, TOPIC
from bot.commands.params.weeks import SINCE, UNTIL
from bot.commands.parser import command_string, page_string, pager
from bot.commands.types import Command, Context, Group, Param
from bot.commands.views.search import nothing_found_reply, search_reply
from bot.domain.weeks import Period
from bot.errors import Suggestion, UserError
from bot.library.search import CUT, corrected_text, find_hits, parse_query
from bot.replies.blocks import Reply
from bot.replies.plain_text import quoted
from store.library.editions import newest_edition
from store.search import SearchQuery, words_like

_PAGE = 10
_OFFERED = 3  # other words, where nothing was found


async def search(  # noqa: PLR0913 - each is a named argument of the command
    context: Context,
    query: str,
    *,
    topic: str | None = None,
    source: str | None = None,
    since: Period | None = None,
    until: Period | None = None,
    page: int = 1,
) -> Reply:
    """List the papers that match, best first."""
    query = _as_written(query)
    parsed = search_query(query, topic=topic, source=source, since=since, until=until)
    if parsed.is_empty:
        raise UserError(
            f"There is no word to look for in {quoted(query, 60)}.",
            CUT if parsed.cut else "Give at least one word that the papers should hold.",
            (Suggestion("search reasoning", "search reasoning"),),
        )
    offset = (page - 1) * _PAGE
    found = await context.content.read(find_hits, parsed, _PAGE + 1, offset)
    if not found.hits and page > 1:
        first = Suggestion("The first page", page_string(SEARCH, context, 1))
        raise UserError("This search has no page so far on.", suggestions=(first,))
    if not found.hits:
        others = await _others(context, parsed)
        newest = await context.content.read(newest_edition, None, context.day)
        return nothing_found_reply(query, found, others, newest)
    pages = pager(SEARCH, context, page, more=len(found.hits) > _PAGE)
    hits = replace(found, hits=found.hits[:_PAGE])
    votes = await context.count_votes({hit.mention.entry.ref for hit in hits.hits})
    return search_reply(query, hits, page, pages, votes)


def _as_written(query: str) -> str:
    """Return the words as a command string has them: its answer has to be the same."""
    return command_string(SEARCH, {"query": query}).removeprefix(f"{SEARCH.name} ")


async def _others(context: Context, parsed: SearchQuery) -> list[str]:
    """Return searches that may find something: with other words, and without the filters."""
    likes = await context.content.read(words_like, parsed.words, _OFFERED)
    texts = (corrected_text(parsed.text, [like]) for like in likes)
    others = [command_string(SEARCH, {**context.arguments, "query": text}) for text in texts]
    without = command_string(SEARCH, {"query": parsed.text})
    return others if without == context.command_string else [*others, without]


def search_query(  # noqa: PLR0913 - each is a named argument of the command
    query: str,
    *,
    topic: str | None = None,
    source: str | None = None,
    since: Period | None = None,
    until: Period | None = None,
    page: int = 1,  # noqa: ARG001 - which page is shown does not change what is found
) -> SearchQuery:
    """Return the query that the arguments of the command mean."""
    return parse_query(
        query,
        source,
        topic,
        since.first_day if since else None,
        until.last_day if until else None,
    )


SEARCH = Command(
    name="search",
    group=Group.LOOKUP,
    summary="Papers that match, best first, with the reason for each",
    handler=search,
    params=(
        Param("query", "Words to look for", WORDS, required=True),
        Param("topic", "Only papers of this topic", TOPIC, key="topic"),
        Param("source", "Only this source's editions", SOURCE, key="from"),
        Param("since", "From this day, week, month or year on", SINCE, key="since"),
        Param("until", "Up to this day, week, month or year", UNTIL, key="until"),
        Param("page", "The page of the hits", PAGE, key="page", hidden=True),
    ),
    examples=(
        "search attention",
        'search "language models" since:2025 -survey',
        "search reward topic:reasoning from:dair",
    ),
)
