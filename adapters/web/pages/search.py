"""The page of a search, and the page that says what Broadsheet is."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from adapters.web.asked_line import without_line
from adapters.web.pages.page import Library, PageFacts, numbered_title
from bot.commands.handlers.nothing_found import alert_line
from bot.domain.page_paths import ABOUT, FEED, SEARCH, with_query
from bot.domain.paper_ids import arxiv_url
from bot.domain.topics import all_topics
from bot.errors import UserError
from bot.export.json_shapes import hits_json, json_text, with_next
from bot.library.near_searches import near_searches
from bot.library.search import find_hits
from bot.replies.blocks import Reply, Title
from bot.replies.naming import titles_by_ref
from bot.replies.wording import count
from store.library import editions
from store.search import SearchQuery

A_PAGE = 20  # papers
LAST_PAGE = 500
FIELDS = ("q", "topic", "source", "author", "since", "until")
_ARGUMENTS = {"q": "query"}
_FIELDS = {"query": "q"}
_NOT_THERE: Mapping[str, object] = {
    "error": None,
    "reply": None,
    "read_as": None,
    "in_chat": None,
    "line": None,
    "told": (),
    "others": {},
    "alert": None,
    "at_arxiv": (),
}


def search(
    library: Library,
    query: SearchQuery,
    typed: Mapping[str, str],
    number: int,
    *,
    every_entry: bool = False,
) -> PageFacts:
    """Return a page of the papers that match, or of all their entries, as programs get them.

    `typed` are the fields of the form as they are. Without any words and filters it is the form
    alone.
    """
    if query.is_empty and not query.filters:
        nothing = hits_json(query.text, None, ())
        return _form(library, typed, {"found": None}, as_json=lambda: json_text(nothing))
    start = (number - 1) * A_PAGE
    found = find_hits(
        library.session, query, library.day, A_PAGE, start, once_a_paper=not every_entry
    )
    entries = [hit.mention.entry for hit in found.hits]
    more = "more than " if found.or_more else ""
    papers = f"{more}{count(found.total, 'paper')}"
    has_more = number * A_PAGE < min(found.total, LAST_PAGE * A_PAGE)
    following = with_query(SEARCH, **typed, page=number + 1) if has_more else None
    is_nothing = not found.hits and number == 1 and not every_entry
    previous = with_query(SEARCH, **typed, page=number - 1 if number > 2 else None)  # noqa: PLR2004 - the first page has no number
    return _form(
        library,
        typed,
        {
            "found": found,
            "papers": papers,
            "first": start + 1,
            "titles": titles_by_ref(entries),
            "paths": library.paths(entries),
            "following": following,
            "previous": previous if number > 1 else None,
            **(_instead(library, query, typed) if is_nothing else {}),
        },
        as_json=lambda: json_text(
            with_next(hits_json(query.text, found.corrected, found.hits), following)
        ),
        number=number,
    )


def _instead(library: Library, query: SearchQuery, typed: Mapping[str, str]) -> dict[str, object]:
    """Return what a page without papers offers: other searches, an alert, arXiv's pages."""
    asked = {_ARGUMENTS.get(name, name): text for name, text in typed.items() if text}
    near = near_searches(library.session, query, library.day)
    others: dict[str, str] = {}
    for label, arguments in near.offers(asked):
        fields = {_FIELDS.get(name, name): text for name, text in arguments.items()}
        said = label or " · ".join(
            text if name == "q" else f"{name}: {text}" for name, text in fields.items()
        )
        if fields:
            others.setdefault(with_query(SEARCH, **fields, page=None), said)
    at_arxiv = [(each, arxiv_url(each)) for each in query.arxiv_ids[:3]]
    return {"others": others, "alert": alert_line(query), "at_arxiv": at_arxiv}


def with_words(page: PageFacts, said: Mapping[str, object]) -> PageFacts:
    """Return a page that says what a line was read as.

    That is `read_as`, a search of other words than the `line`, or `in_chat`, for which there is no
    page. What of it could not be used is `told`.
    """
    return replace(page, facts={**page.facts, **said})


def answered(library: Library, typed: Mapping[str, str], reply: Reply) -> PageFacts:
    """Return the page of a line that is no search, with its answer."""
    line = typed["q"]
    read_as = f"Read as: {reply.ran}" if reply.ran != line else None
    shown = without_line(replace(reply, read_as=read_as), line)
    head, *rest = shown.blocks or (None,)
    if not isinstance(head, Title):
        head, rest = Title(line), list(shown.blocks)
    blocks = [(type(block).__name__, block) for block in rest]
    facts = {"reply": shown, "head": head.text, "blocks": blocks, "field": "q", "line": line}
    return _form(library, typed, {"found": None, **facts})


def unreadable(library: Library, typed: Mapping[str, str], error: UserError) -> PageFacts:
    """Return the page of a search with a filter that can't be read."""
    return _form(library, typed, {"found": None, "error": error})


def about(library: Library) -> PageFacts:
    """Return the page that says what these pages are."""
    facts = {"sources": editions.source_states(library.session, library.day)}
    return PageFacts(ABOUT, "about.html", "About", "Where these papers and words come from.", facts)


def _form(
    library: Library,
    typed: Mapping[str, str],
    facts: Mapping[str, object],
    as_json: Callable[[], str] | None = None,
    number: int = 1,
) -> PageFacts:
    words = typed.get("q", "")
    sources = editions.source_states(library.session, library.day)
    title = f"Search: {words}" if words else "Search"
    has_feed = facts.keys().isdisjoint({"error", "reply"})
    return PageFacts(
        with_query(SEARCH, **typed, page=number if number > 1 else None),
        "search.html",
        numbered_title(title, number),
        "Papers that match a search.",
        {**_NOT_THERE, **facts, "typed": typed, "sources": sources, "topics": all_topics()},
        feeds={title: with_query(FEED, **typed)} if typed and has_feed else {},
        json=as_json,
    )
