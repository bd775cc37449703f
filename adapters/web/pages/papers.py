"""Pages of papers and of topics."""

from collections.abc import Sequence
from dataclasses import replace

from adapters.web.pages.page import Library, PageFacts, numbered_title
from bot.domain.long_lists import A_PAGE, in_pages, length_of_entry
from bot.domain.page_paths import (
    FEED,
    TOPICS,
    card_path,
    named_paper,
    numbered,
    page_of_paper,
    topic_path,
    with_query,
)
from bot.domain.topics import all_topics, tag
from bot.export.bibliography import to_bibtex, to_ris
from bot.export.json_shapes import json_text, mentions_json, with_next
from bot.replies.naming import line_about, shown_title, titles_by_ref
from bot.replies.wording import count, places
from store import content_version
from store.library import arxiv, mentions, related, statistics
from store.library.similarity import Weights
from store.records import Edition, Mention
from store.search import Filters

FEW = 3  # mentions that a page holds, however long they are
_RELATED = 5
_PLACES_NAMED = 3


class _Telling:
    """The weights of words for likeness, read once for each version of the content."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights


def paper(library: Library, name: str) -> PageFacts | None:
    """Return a page of a paper; `None` if no paper has the name.

    A paper without an arXiv id is at the ref of its first mention.
    """
    name, number = page_of_paper(name)
    named = named_paper(name)
    if named is None:
        return None
    session = library.session
    found = mentions.by_ref(session, named, library.day) if ":" in named else []
    found = found or mentions.by_arxiv_id(session, named, library.day)
    if not found:
        return None
    pages = _pages(mentions.of_paper(session, found[0].paper_id, library.day))
    if number > len(pages):
        return None
    newest, featured = pages[0][0], pages[number - 1]
    facts = arxiv.of_paper(session, found[0].paper_id)
    path = library.paths([newest.entry])[newest.paper_id]
    following = numbered(path, number + 1) if number < len(pages) else None
    arxiv_facts = {facts.arxiv_id: facts} if facts else {}
    bibliography = [_with(each) for each in featured]
    title = shown_title(newest.entry)
    return PageFacts(
        numbered(path, number),
        "paper.html",
        numbered_title(title, number),
        line_about(newest.entry) or f"{places(featured[:_PLACES_NAMED])}.",
        {
            "title": title,
            "featured": featured,
            "path": path,
            "on_page": number,
            "last_page": len(pages),
            "arxiv": facts,
            "tags": _tags(featured),
            "related": (alike := _related(library, newest)),
            "titles": titles_by_ref([each.entry for each in alike]),
            "paths": library.paths(each.entry for each in alike),
            "bibtex": to_bibtex(bibliography, arxiv_facts),
            "ris": to_ris(bibliography, arxiv_facts),
        },
        json=lambda: json_text(with_next(mentions_json(featured, arxiv_facts), following)),
        card=card_path(newest.edition),
    )


def count_pages(library: Library, paper: int) -> int:
    """Return how many pages a paper has, given by its database id."""
    return len(_pages(mentions.of_paper(library.session, paper)))


def topics(library: Library) -> PageFacts:
    """Return the page that lists the topics with their papers."""
    counts = {each.topic: each for each in statistics.topic_counts(library.session)}
    listed = [(each, counts[each.slug]) for each in all_topics() if each.slug in counts]
    listed.sort(key=lambda each: -each[1].papers)
    return PageFacts(
        TOPICS,
        "topics.html",
        "Topics",
        f"{count(len(listed), 'topic')}, each with its papers.",
        {"topics": listed},
    )


def topic(library: Library, slug: str, page: str | None = None) -> PageFacts | None:
    """Return a page of a topic's papers, newest first."""
    found = next((each for each in all_topics() if each.slug == slug), None)
    filters, number = Filters(topic=slug), int(page or 1)
    total = statistics.count_papers(library.session, filters) if found else 0
    last = -(-total // A_PAGE)
    if found is None or not 0 < number <= last:
        return None
    listed = mentions.newest(library.session, filters, library.day, A_PAGE, (number - 1) * A_PAGE)
    return PageFacts(
        topic_path(slug, number),
        "topic.html",
        numbered_title(found.title, number),
        found.summary,
        {
            "topic": found,
            "papers": listed,
            "titles": titles_by_ref([each.entry for each in listed]),
            "paths": library.paths(each.entry for each in listed),
            "total": total,
            "first": (number - 1) * A_PAGE + 1,
            "number": number,
            "last": last,
        },
        feeds={f"Papers on {found.title}": with_query(FEED, topic=slug)},
    )


def _pages(featured: Sequence[Mention]) -> list[Sequence[Mention]]:
    return in_pages(featured, (length_of_entry(each.entry) for each in featured))


def _with(mention: Mention) -> Edition:
    entry = replace(mention.entry, paper=mention.paper_id)
    return replace(mention.edition, entries=(entry,))


def _tags(featured: Sequence[Mention]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the topics of a paper with the words that gave them."""
    found: dict[str, tuple[str, ...]] = {}
    for each in featured:
        words = {given.topic: given.words for given in tag(each.entry)}
        for name in each.entry.topics:
            found.setdefault(name, words.get(name, ()))
    return list(found.items())


def _related(library: Library, mention: Mention) -> list[Mention]:
    session = library.session
    telling = content_version.cache(
        session, _Telling, lambda _version: _Telling(related.weights(session))
    )
    return related.related_to(session, mention, telling.weights, _RELATED, library.known)
