"""The search command."""

from datetime import date

from bot.command import Command, Context, Group, Param
from bot.errors import Suggestion, UserError
from bot.lookups import find_hits
from bot.params import read_page, read_since, read_source, read_until, read_words
from bot.query import parse_query
from bot.replies import Reply
from bot.views import nothing_found_reply, search_reply
from store.editions import newest_edition

_PAGE = 10


async def search(  # noqa: PLR0913 - each is a named argument of the command
    context: Context,
    query: str,
    *,
    source: str | None = None,
    since: date | None = None,
    until: date | None = None,
    page: int = 1,
) -> Reply:
    """List the papers that match, best first."""
    parsed = parse_query(query, source, since=since, until=until)
    if parsed.is_empty:
        raise UserError(
            f"There is no word to look for in {query[:60]!r}.",
            "Give at least one word that the papers should hold.",
            (Suggestion("search reasoning", "search reasoning"),),
        )
    offset = (page - 1) * _PAGE
    hits = await context.database.read(find_hits, parsed, _PAGE + 1, offset)
    if not hits:
        return nothing_found_reply(query, await context.database.read(newest_edition))
    command = _command(query, source, since, until)
    shown = [(hit.mention, hit.snippet) for hit in hits[:_PAGE]]
    return search_reply(query, shown, page, command, more=len(hits) > _PAGE)


def _command(query: str, source: str | None, since: date | None, until: date | None) -> str:
    """Return the search as canonical text, for the buttons of its pages."""
    filters = (("from", source), ("since", since), ("until", until))
    return " ".join(["search", query, *(f"{key}:{value}" for key, value in filters if value)])


SEARCH = Command(
    name="search",
    group=Group.LOOKUP,
    summary="Papers that match, best first, with the reason for each",
    handler=search,
    params=(
        Param("query", 'Words to find; "a phrase"; -word to leave out', read_words, required=True),
        Param("source", "Only this source's editions", read_source, key="from"),
        Param("since", "From this day, month or year on", read_since, key="since"),
        Param("until", "Up to this day, month or year", read_until, key="until"),
        Param("page", "The page of the hits", read_page, key="page", hidden=True),
    ),
    examples=("search attention", 'search "language models" since:2025 -survey'),
)
