"""Atom feeds of editions, one feed entry an edition, and of papers.

The format is RFC 4287's (https://www.rfc-editor.org/rfc/rfc4287). Ids are `tag:` URIs
(https://www.rfc-editor.org/rfc/rfc4151). Instants of `to_atom` are the days of the editions at
midnight UTC, which a correction does not change.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import TypeAlias
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from bot.domain.paper_ids import entry_url, web_address
from bot.domain.untrusted_text import clean, flat
from bot.export.bibliography import NO_ARXIV_FACTS, ArxivFacts
from bot.replies.naming import listed_titles
from bot.replies.wording import place, shorten
from store.records import Edition, Entry, Mention

# Feed readers know editions and papers by their ids: this must never change.
_TAG = "tag:broadsheet,2026:"
# No known entry has a longer summary, or more highlights.
_LONGEST_SUMMARY, _MOST_HIGHLIGHTS, _MOST_AUTHORS = 2_500, 10, 50
_NEVER = date(1970, 1, 1)  # an empty feed needs an instant, too

PaperUrl: TypeAlias = Callable[[Entry], str | None]
"""Returns the address of an entry's paper, `None` if it has none."""


@dataclass(frozen=True, slots=True)
class AtomEntry:
    """A feed entry. `content` is HTML; `url` is the page of the same, `None` without one."""

    id: str
    title: str
    updated: datetime
    published: date | None
    authors: tuple[str, ...]
    url: str | None
    content: str


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed; `own_url` is where it is served, `page_url` the page of the same, if known."""

    id: str
    title: str
    items: tuple[AtomEntry, ...]
    own_url: str | None = None
    page_url: str | None = None


def to_atom(editions: Sequence[Edition], _arxiv: ArxivFacts = NO_ARXIV_FACTS) -> str:
    """Write editions with their entries."""
    sources = sorted({edition.source for edition in editions})
    from_sources = f" from {', '.join(sources)}" if sources else ""
    items = (
        edition_item(each, _midnight(_updated_on(each)), each.url and web_address(each.url))
        for each in editions
    )
    name = feed_id("editions", *sources)
    return write_feed(Feed(name, f"Broadsheet: papers of the week{from_sources}", tuple(items)))


def feed_id(*names: str) -> str:
    """Return the id of a feed by the names of what it holds."""
    return _TAG + "/".join(map(_in_uri, names))


def edition_item(
    edition: Edition,
    updated: datetime,
    url: str | None,
    paper_url: PaperUrl = entry_url,
    *,
    cut: bool = False,
) -> AtomEntry:
    """Return an edition with its papers as a feed entry; `cut` says that it has more of them."""
    return AtomEntry(
        f"{_TAG}edition/{_in_uri(edition.source)}/{edition.first_day}",
        edition.title,
        updated,
        edition.published_on,
        (edition.source,),
        url,
        _content(edition, paper_url, (url or "") if cut else None),
    )


def paper_item(
    mention: Mention, title: str, authors: Sequence[str], updated: datetime, url: str | None
) -> AtomEntry:
    """Return a paper as a feed entry, with what the edition says of it, cut where that is long.

    `title` is the one that it has in the feed.
    """
    edition, entry = mention.edition, mention.entry
    page = Element("div")
    _add(page, "p", f"{place(edition, entry)}.")
    _add_paragraphs(page, shorten(entry.summary or "", _LONGEST_SUMMARY))
    if entry.highlights:
        bullets = SubElement(page, "ul")
        for each in entry.highlights[:_MOST_HIGHLIGHTS]:
            _add(bullets, "li", f"{each.lead}: {each.text}" if each.lead else each.text)
    return AtomEntry(
        feed_id("paper", entry.arxiv_id or entry.ref),
        title,
        updated,
        edition.published_on or edition.last_day,
        tuple(authors[:_MOST_AUTHORS]) or (edition.source,),
        url,
        tostring(page, encoding="unicode", method="html"),
    )


def write_feed(feed: Feed) -> str:
    """Write a feed as XML."""
    root = Element("feed", xmlns="http://www.w3.org/2005/Atom")
    _add(root, "id", feed.id)
    _add(root, "title", feed.title)
    newest = max((each.updated for each in feed.items), default=_midnight(_NEVER))
    _add(root, "updated", _instant(newest))
    if feed.own_url:
        SubElement(root, "link", rel="self", type="application/atom+xml", href=feed.own_url)
    if feed.page_url:
        SubElement(root, "link", rel="alternate", type="text/html", href=feed.page_url)
    _add(SubElement(root, "author"), "name", "Broadsheet")
    _add(root, "generator", "Broadsheet")
    for item in feed.items:
        _add_item(root, item)
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'


def _add_item(feed: Element, item: AtomEntry) -> None:
    entry = SubElement(feed, "entry")
    _add(entry, "id", item.id)
    _add(entry, "title", item.title)
    _add(entry, "updated", _instant(item.updated))
    if item.published:
        _add(entry, "published", _instant(_midnight(item.published)))
    for name in item.authors:
        _add(SubElement(entry, "author"), "name", name)
    if item.url:
        SubElement(entry, "link", rel="alternate", href=item.url)
    content = SubElement(entry, "content", type="html")
    content.text = item.content


def _add(parent: Element, tag: str, text: str) -> None:
    SubElement(parent, tag).text = flat(text)


def _in_uri(name: str) -> str:
    return quote(flat(name), safe="")


def _updated_on(edition: Edition) -> date:
    return edition.published_on or edition.last_day


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _instant(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _content(edition: Edition, paper_url: PaperUrl, more: str | None = None) -> str:
    """Return overview and papers as HTML, escaped by the serialiser; `more` is where others are."""
    page = Element("div")
    _add_paragraphs(page, edition.overview)
    # Numbered by rank, or bulleted if no entry has a rank.
    ranked = any(entry.rank for entry in edition.entries)
    papers = SubElement(page, "ol" if ranked else "ul")
    for entry, title in zip(edition.entries, listed_titles(edition.entries), strict=True):
        _add_paper(papers, entry, title, paper_url(entry))
    if more is not None:
        others = SubElement(page, "p")
        link = SubElement(others, "a", href=more) if more else others
        link.text = "The other papers are on the page of this edition."
    return tostring(page, encoding="unicode", method="html")


def _add_paper(papers: Element, entry: Entry, title: str, address: str | None) -> None:
    item = SubElement(papers, "li", {"value": str(entry.rank)} if entry.rank else {})
    named = SubElement(item, "a", href=address) if address else SubElement(item, "b")
    named.text = flat(title)
    _add_paragraphs(item, entry.summary)


def _add_paragraphs(parent: Element, text: str | None) -> None:
    for line in clean(text or "").split("\n"):
        if line.strip():
            _add(parent, "p", line)
