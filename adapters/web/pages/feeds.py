"""Feeds: of the editions, of all or one source, and of the papers that a search finds."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from itertools import islice

from adapters.web.pages.page import Library
from bot.domain.long_lists import A_PAGE
from bot.domain.page_paths import FEED, HOME, SEARCH, edition_path, source_path, with_query
from bot.export.atom import AtomEntry, Feed, edition_item, feed_id, paper_item, write_feed
from bot.library.search import find_hits
from bot.replies.naming import titles_by_ref
from store.library import arxiv, editions, mentions
from store.records import Edition, Entry, Mention
from store.search import SearchQuery
from store.sources import CONSENSUS

# A feed has what is new: readers keep what they have seen.
_EDITIONS, _PAPERS = 30, 50
_COMPARED = 500
# Characters of all papers of a feed, and of one edition; those of others are on its page.
_MOST_TEXT, _LONGEST_EDITION = 300_000, 60_000

Link = Callable[[str], str | None]
"""Returns the address of a path as the feed is to have it, `None` for no page."""


def feed(library: Library, query: SearchQuery, typed: Mapping[str, str], link: Link) -> str:
    """Return the feed of what fields of a search say, as XML: of a source alone, its editions."""
    is_source = set(typed) <= {"source"}
    made = _editions(library, typed.get("source"), link) if is_source else None
    return write_feed(made or _papers(library, query, typed, link))


def _editions(library: Library, source: str | None, link: Link) -> Feed:
    listed = editions.list_editions(library.session, source, library.day)
    closed = (each for each in listed if not editions.is_open(each, library.day))
    shown = list(_shortened(library, islice(closed, _EDITIONS)))
    changed = editions.change_times(
        library.session, min((each.first_day for each, _ in shown), default=date.max)
    )
    paths = library.paths(entry for each, _ in shown for entry in each.entries)

    def paper_url(entry: Entry) -> str | None:
        return link(paths[entry.paper]) if entry.paper in paths else None

    items = (
        edition_item(
            each, changed[each.source, each.first_day], link(edition_path(each)), paper_url, cut=cut
        )
        for each, cut in shown
    )
    named = f" from {source}" if source else ""
    return Feed(
        feed_id("editions", *([source] if source else [])),
        f"Broadsheet: papers of the week{named}",
        tuple(items),
        own_url=link(with_query(FEED, source=source)),
        page_url=link(source_path(source) if source and source != CONSENSUS else HOME),
    )


def _shortened(library: Library, listed: Iterable[Edition]) -> Iterator[tuple[Edition, bool]]:
    """Yield editions with as many papers as there is room for, and whether they have more."""
    left = _MOST_TEXT
    for each in listed:
        found = editions.of_day(library.session, each.source, each.first_day, A_PAGE + 1)
        if found is None:
            continue
        room, kept = min(left, _LONGEST_EDITION), 0
        for entry in found.entries[:A_PAGE]:
            room -= len(entry.title) + len(entry.summary or "")
            if room < 0:
                break
            kept += 1
        yield replace(found, entries=found.entries[:kept]), kept < len(found.entries)
        left -= sum(len(entry.title) + len(entry.summary or "") for entry in found.entries[:kept])


def _papers(library: Library, query: SearchQuery, typed: Mapping[str, str], link: Link) -> Feed:
    found = _newest_matches(library, query)
    changed = editions.change_times(
        library.session, min((each.edition.first_day for each in found), default=date.max)
    )
    paths = library.paths(each.entry for each in found)
    ids = [each.entry.arxiv_id for each in found if each.entry.arxiv_id]
    facts = arxiv.known(library.session, ids)
    titles = titles_by_ref([each.entry for each in found])

    def item(mention: Mention) -> AtomEntry:
        known = facts.get(mention.entry.arxiv_id or "")
        authors = known.authors if known else ()
        edition = mention.edition
        at = changed[edition.source, edition.first_day]
        title = titles[mention.entry.ref]
        return paper_item(mention, title, authors, at, link(paths[mention.paper_id]))

    words = ", ".join(f"{name} {value}" if name != "q" else value for name, value in typed.items())
    return Feed(
        feed_id("papers", *(f"{name}={value}" for name, value in sorted(typed.items()))),
        f"Broadsheet: papers for {words}",
        tuple(map(item, found)),
        own_url=link(with_query(FEED, **typed)),
        page_url=link(with_query(SEARCH, **typed)),
    )


def _newest_matches(library: Library, query: SearchQuery) -> list[Mention]:
    """Return the newest papers that match every word of a query."""
    if query.is_filters_alone:
        return mentions.newest(library.session, query.filters, library.day, _PAPERS)
    hits = find_hits(library.session, query, library.day, _COMPARED, once_a_paper=True).hits
    found = [hit.mention for hit in hits if hit.complete]
    found.sort(key=lambda each: editions.newest_first(each.edition, library.day))
    return found[:_PAPERS]
