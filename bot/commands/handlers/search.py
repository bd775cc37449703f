"""The search command."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.commands.params.scalars import PAGE, WORDS
from bot.commands.params.topics_and_sources import SOURCE, TOPIC
from bot.commands.params.weeks import SINCE, UNTIL
from bot.commands.parser import command_string, no_page, page_string, pager
from bot.commands.types import Command, Context, Group, Param
from bot.domain.weeks import Period
from bot.errors import Suggestion, UserError
from bot.library.search import CUT, Hit, Hits, corrected_text, find_hits, parse_query
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Level,
    Notice,
    Pager,
    PaperLine,
    PaperList,
    Reply,
    Text,
    Title,
)
from bot.replies.paper_actions import ANSWER_MENUS
from bot.replies.papers import place_line
from bot.replies.plain_text import quoted
from bot.replies.wording import edition_name
from store.library.editions import newest_edition
from store.records import Edition
from store.search import SearchQuery, words_like

_PAGE = 10
_OFFERED = 3  # other words, where nothing was found


async def search(
    context: Context,
    query: str,
    page: int = 1,
    **filters: Any,  # noqa: ANN401 - as `search_query` has them
) -> Reply:
    """List the papers that match, best first."""
    # The words as a command string has them: its answer has to be the same.
    query = command_string(SEARCH, {"query": query}).removeprefix(f"{SEARCH.name} ")
    parsed = search_query(query, **filters)
    if parsed.is_empty:
        raise UserError(
            f"There is no word to look for in {quoted(query, 60)}.",
            CUT if parsed.cut else "Give at least one word that the papers should hold.",
            (Suggestion("search reasoning", "search reasoning"),),
        )
    offset = (page - 1) * _PAGE
    found = await context.content.read(find_hits, parsed, _PAGE + 1, offset)
    if not found.hits and page > 1:
        raise no_page("This search", page_string(SEARCH, context, 1))
    if not found.hits:
        others = await _others(context, parsed)
        newest = await context.content.read(newest_edition, None, context.day)
        return _nothing_found_reply(query, found, others, newest)
    pages = pager(SEARCH, context, page, more=len(found.hits) > _PAGE)
    hits = replace(found, hits=found.hits[:_PAGE])
    votes = await context.count_votes({hit.mention.entry.ref for hit in hits.hits})
    return _search_reply(query, hits, page, pages, votes)


async def _others(context: Context, parsed: SearchQuery) -> list[str]:
    """Return searches that may find something: with other words, and without the filters."""
    likes = await context.content.read(words_like, parsed.words, _OFFERED)
    texts = (corrected_text(parsed.text, [like]) for like in likes)
    others = [command_string(SEARCH, {**context.arguments, "query": text}) for text in texts]
    without = command_string(SEARCH, {"query": parsed.text})
    return others if without == context.command_string else [*others, without]


def search_query(
    query: str,
    *,
    topic: str | None = None,
    source: str | None = None,
    since: Period | None = None,
    until: Period | None = None,
    **_page: int,
) -> SearchQuery:
    """Return the query that the arguments of the command mean, on any page."""
    first, last = since.first_day if since else None, until.last_day if until else None
    return parse_query(query, source, topic, first, last)


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


def _search_reply(
    query: str, found: Hits, page: int, pager: Pager | None, votes: Mapping[str, int]
) -> Reply:
    """List a page of hits, each with its snippet, and say from where on words are lacking."""
    blocks: list[Block] = [Title(f"Papers for {found.corrected or query}")]
    if found.corrected:
        unknown = quoted(query, 80)
        blocks.append(Notice(Level.INFO, f"No paper spells it {unknown}; this is the nearest."))
    blocks += (Notice(Level.INFO, sentence) for sentence in found.cut)
    lines = tuple(_line(hit, votes) for hit in found.hits)
    first = next((n for n, hit in enumerate(found.hits) if not hit.complete), len(lines))
    complete, partial = lines[:first], lines[first:]
    if complete:
        blocks.append(PaperList(complete, numbered=False, menus=ANSWER_MENUS))
    if partial:
        none = "" if found.any_complete or page > 1 else "No paper holds every word. "
        blocks.append(Text(f"{none}These hold most:"))
        blocks.append(PaperList(partial, numbered=False, menus=ANSWER_MENUS))
    return Reply((*blocks, pager) if pager else tuple(blocks))


def _line(hit: Hit, votes: Mapping[str, int]) -> PaperLine:
    return replace(place_line(hit.mention, votes), line=hit.snippet)


def _nothing_found_reply(
    query: str, found: Hits, others: Sequence[str], newest: Edition | None
) -> Reply:
    """Say that nothing was found, and offer `others`, which are similar searches."""
    notice = Notice(
        Level.INFO,
        f"No paper matches {query}.",
        "Perhaps one of these:" if others else "Try fewer or other words, or look at what is new.",
    )
    buttons = [Button(other, other) for other in others]
    if newest is not None:
        buttons.append(Button(f"Newest edition ({edition_name(newest)})", "latest"))
    offers = (Actions(tuple(buttons)),) if buttons else ()
    cut = (Notice(Level.INFO, sentence) for sentence in found.cut)
    return Reply((notice, *cut, *offers))
