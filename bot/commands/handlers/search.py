"""The commands search and ask: papers that match words, and sentences that answer a question."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.commands.handlers.nothing_found import alert_buttons, arxiv_pages, nearest_buttons
from bot.commands.handlers.pagination import no_page, page_of, page_string, pager
from bot.commands.params.arguments import with_arguments
from bot.commands.params.filters import FILTERS, filters_of, in_words
from bot.commands.params.papers import PAPER
from bot.commands.params.scalars import PAGE, QUESTION, WORDS
from bot.commands.parser import command_string
from bot.commands.types import Command, Context, Form, Group, Param
from bot.errors import Suggestion, UserError
from bot.library.questions import search_words
from bot.library.quotes import Quotation, find_quotes
from bot.library.search import CUT, Hit, Hits, find_hits, parse_query
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Level,
    Notice,
    Pager,
    PaperLine,
    PaperList,
    Quote,
    Reply,
    Text,
    Title,
)
from bot.replies.naming import line_found
from bot.replies.paper_actions import ANSWER_MENUS
from bot.replies.papers import place_line
from bot.replies.plain_text import quoted
from bot.replies.wording import count, edition_name
from store.library.authors import any_stored, is_known
from store.library.editions import newest_edition
from store.records import Edition, Mention
from store.search import SearchQuery

_NOTHING = Notice(Level.INFO, "Nothing stored answers that.")


async def search(
    context: Context,
    query: str = "",
    page: int = 1,
    **filters: Any,  # noqa: ANN401 - as `filters_of` has them
) -> Reply:
    """List the papers that match, best first; of filters alone all papers, newest first."""
    parsed = search_query(query, **filters)
    if parsed.is_empty and not parsed.is_filters_alone:
        raise await _no_words(context, parsed)
    shown = page_of(context, page)
    found = await context.content.read(
        find_hits, parsed, context.day, shown.size, shown.start, once_a_paper=True
    )
    if not found.hits and page > 1:
        raise no_page("This search", page_string(SEARCH, context, 1))
    if not found.hits:
        others = await _others(context, parsed)
        newest = await context.content.read(newest_edition, None, context.day)
        return _nothing_found_reply(parsed, found, others, newest)
    pages = pager(SEARCH, context, shown, found.total, or_more=found.or_more)
    votes = await context.count_votes({hit.mention.entry.ref for hit in found.hits})
    return _search_reply(_head(parsed, found), found, shown.start + 1, pages, votes)


async def _no_words(context: Context, parsed: SearchQuery) -> UserError:
    if not parsed.text:
        knows_authors = await context.content.read(any_stored)
        examples = (
            Suggestion(example, example)
            for example in SEARCH.examples
            if knows_authors or "author:" not in example
        )
        usage = f"Usage: {SEARCH.usage_for(context.actor)}"
        return UserError("search needs a query.", usage, tuple(examples))
    return UserError(
        f"There is no word to look for in {quoted(parsed.text, 60)}.",
        CUT if parsed.cut else "Give at least one word that the papers should hold.",
        (Suggestion("search reasoning", "search reasoning"),),
    )


async def _others(context: Context, parsed: SearchQuery) -> tuple[Button, ...]:
    """Return buttons to searches that find something, and one to hear of the first such paper."""
    offers = (
        *await nearest_buttons(context, SEARCH, parsed),
        *await _whole_name(context, parsed),
        *alert_buttons(context, parsed),
    )
    return tuple(each for each in offers if each.command != context.command_string)


async def _whole_name(context: Context, parsed: SearchQuery) -> tuple[Button, ...]:
    """Return the search for an author whose second word was read as another: `yoshua bengio`."""
    if not parsed.filters.author or parsed.is_filters_alone:
        return ()
    whole = f"{parsed.filters.author} {parsed.text}"
    if not await context.content.read(is_known, whole):
        return ()
    line = command_string(SEARCH, {**context.arguments, "query": None, "author": whole})
    return (Button(line, line),)


def search_query(
    query: str = "",
    **arguments: Any,  # noqa: ANN401 - as `filters_of` has them
) -> SearchQuery:
    """Return the query that the arguments of the command mean, on any page."""
    return parse_query(query, filters_of(**arguments))


def _says_something(texts: Mapping[str, str]) -> bool:
    query = texts.get("query", "")
    if query.strip():
        return not parse_query(query).is_empty
    return any(each.name in texts for each in FILTERS)


SEARCH = Command(
    name="search",
    group=Group.LOOKUP,
    summary="Papers that match, best first, with the reason for each",
    handler=search,
    params=(
        Param(
            "query",
            "Words to look for; filters alone will do",
            WORDS,
            label="Words",
            hint='In any order; "a phrase" in quotes; -word leaves papers out.',
        ),
        *FILTERS,
        Param("page", "The page of the hits", PAGE, key="page", hidden=True),
    ),
    suffices=_says_something,
    form=Form("Search papers", "Search"),
    examples=(
        "search attention",
        'search "language models" since:2025 -survey',
        "search reward topic:reasoning from:dair",
        "search author:bengio since:last year",
    ),
)


def _head(parsed: SearchQuery, found: Hits) -> list[Block]:
    """Return the title of a list of hits, and what was corrected or left out."""
    filtered = in_words(parsed.filters)
    papers = f"{'more than ' if found.or_more else ''}{count(found.total, 'paper')}"
    if parsed.is_filters_alone:
        return [Title(f"Papers{filtered}"), Text(f"{papers}, newest first")]
    blocks: list[Block] = [
        Title(f"Papers{filtered} for {found.corrected or parsed.text}"),
        Text(f"{papers}, best first"),
    ]
    if found.corrected:
        unknown = quoted(parsed.text, 80)
        blocks.append(Notice(Level.INFO, f"No paper spells it {unknown}; this is the nearest."))
    return [*blocks, *(Notice(Level.INFO, sentence) for sentence in found.cut)]


def _search_reply(
    head: Sequence[Block], found: Hits, first: int, pager: Pager | None, votes: Mapping[str, int]
) -> Reply:
    """List hits from number `first` on with snippets, and say from where on words are lacking."""
    blocks = [*head]
    lines = tuple(_line(hit, votes) for hit in found.hits)
    whole = next((n for n, hit in enumerate(found.hits) if not hit.complete), len(lines))
    complete, partial = lines[:whole], lines[whole:]
    if complete:
        blocks.append(PaperList(complete, first=first, menus=ANSWER_MENUS))
    if partial:
        none = "" if found.any_complete or first > 1 else "No paper has all the words. "
        blocks.append(Text(f"{none}These have most of the words:"))
        blocks.append(PaperList(partial, first=first, menus=ANSWER_MENUS))
    return Reply((*blocks, pager) if pager else tuple(blocks))


def _line(hit: Hit, votes: Mapping[str, int]) -> PaperLine:
    return replace(place_line(hit.mention, votes), line=line_found(hit.mention.entry, hit.snippet))


def _nothing_found_reply(
    parsed: SearchQuery, found: Hits, others: Sequence[Button], newest: Edition | None
) -> Reply:
    """Say that nothing was found, and offer `others`, which are similar searches."""
    filtered = in_words(parsed.filters)
    alone = f"No paper{filtered} is stored."
    notice = Notice(
        Level.INFO,
        alone if parsed.is_filters_alone else f"No paper{filtered} matches {parsed.text}.",
        "Perhaps one of these:" if others else "Try fewer or other words, or look at what is new.",
    )
    buttons = [*others]
    if newest is not None:
        buttons.append(Button(f"Newest edition ({edition_name(newest)})", "latest"))
    offers = (Actions(tuple(buttons)),) if buttons else ()
    cut = (Notice(Level.INFO, sentence) for sentence in found.cut)
    return Reply((notice, *cut, *arxiv_pages(parsed), *offers))


async def ask(context: Context, question: str, paper: Mention | None = None) -> Reply:
    """Quote the sentences that answer a question, else say that none does and search.

    A `paper` is asked first, as in the thread of its post.
    """
    about = paper.paper_id if paper else None
    found = await context.content.read(find_quotes, question, about)
    if not found and about is not None:
        found = await context.content.read(find_quotes, question)
    if not found:
        return await _search_instead(context, question)
    said = (_quote(each) for each in found)
    # A paper that several entries tell of is listed once, by the one that answers best.
    papers = {each.mention.paper_id: each.mention for each in reversed(found)}
    best = sorted(papers.values(), key=[each.mention for each in found].index)
    votes = await context.count_votes({each.entry.ref for each in best})
    lines = tuple(place_line(paper, votes) for paper in best)
    return Reply(
        (
            Title(question),
            *said,
            Text("From:"),
            PaperList(lines, menus=ANSWER_MENUS),
        )
    )


async def _search_instead(context: Context, question: str) -> Reply:
    """Answer as the search for the words of a question does, and say why."""
    searched = with_arguments(context, SEARCH, {"query": search_words(question)})
    found = await search(searched, searched.arguments["query"])
    return replace(found, blocks=(_NOTHING, *found.blocks))


def _quote(found: Quotation) -> Quote:
    line = place_line(found.mention)
    return Quote(found.text, line.ref, line.title, line.where or "")


ASK = Command(
    name="ask",
    group=Group.LOOKUP,
    summary="Sentences of the stored papers that answer a question, word for word",
    handler=ask,
    params=(
        Param("question", "What you want to know", QUESTION, required=True),
        Param("paper", "The paper that is asked first", PAPER, key="of", hidden=True),
    ),
    examples=(
        "ask how many tokens was ModernBERT trained on?",
        "ask what does GaLore do?",
    ),
)
