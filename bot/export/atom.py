"""Editions as an Atom feed, one feed entry an edition.

The format is RFC 4287's (https://www.rfc-editor.org/rfc/rfc4287). Ids are `tag:` URIs
(https://www.rfc-editor.org/rfc/rfc4151). Instants are the days of the editions at midnight UTC,
which a correction does not change.
"""

from collections.abc import Sequence
from datetime import date
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from bot.domain.paper_urls import entry_url, web_address
from bot.domain.untrusted_text import clean, flat
from bot.export.bibliography import NO_ARXIV_FACTS, ArxivFacts
from bot.replies.wording import marked_title
from store.records import Edition, Entry

# Feed readers know editions by their ids: this must never change.
_TAG = "tag:broadsheet,2026:"
_NEVER = date(1970, 1, 1)  # an empty feed needs an instant, too


def to_atom(editions: Sequence[Edition], _arxiv: ArxivFacts = NO_ARXIV_FACTS) -> str:
    """Write editions with their entries."""
    sources = sorted({edition.source for edition in editions})
    from_sources = f" from {', '.join(sources)}" if sources else ""
    feed = Element("feed", xmlns="http://www.w3.org/2005/Atom")
    _add(feed, "id", _TAG + "/".join(["editions", *map(_in_uri, sources)]))
    _add(feed, "title", f"Broadsheet: papers of the week{from_sources}")
    _add(feed, "updated", _midnight(max(map(_updated_on, editions), default=_NEVER)))
    _add(SubElement(feed, "author"), "name", "Broadsheet")
    _add(feed, "generator", "Broadsheet")
    for edition in editions:
        _add_edition(feed, edition)
    indent(feed)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(feed, encoding="unicode")}\n'


def _add_edition(feed: Element, edition: Edition) -> None:
    entry = SubElement(feed, "entry")
    _add(entry, "id", f"{_TAG}edition/{_in_uri(edition.source)}/{edition.first_day}")
    _add(entry, "title", edition.title)
    _add(entry, "updated", _midnight(_updated_on(edition)))
    if edition.published_on:
        _add(entry, "published", _midnight(edition.published_on))
    _add(SubElement(entry, "author"), "name", edition.source)
    if edition.url and (address := web_address(edition.url)):
        SubElement(entry, "link", rel="alternate", href=address)
    content = SubElement(entry, "content", type="html")
    content.text = _content(edition)


def _add(parent: Element, tag: str, text: str) -> None:
    SubElement(parent, tag).text = flat(text)


def _in_uri(name: str) -> str:
    return quote(flat(name), safe="")


def _updated_on(edition: Edition) -> date:
    return edition.published_on or edition.last_day


def _midnight(day: date) -> str:
    return f"{day.isoformat()}T00:00:00Z"


def _content(edition: Edition) -> str:
    """Return overview and papers as HTML, escaped by the serialiser."""
    page = Element("div")
    _add_paragraphs(page, edition.overview)
    # Numbered by rank, or bulleted if no entry has a rank.
    ranked = any(entry.rank for entry in edition.entries)
    papers = SubElement(page, "ol" if ranked else "ul")
    for entry in edition.entries:
        _add_paper(papers, entry)
    return tostring(page, encoding="unicode", method="html")


def _add_paper(papers: Element, entry: Entry) -> None:
    item = SubElement(papers, "li", {"value": str(entry.rank)} if entry.rank else {})
    address = entry_url(entry)
    title = SubElement(item, "a", href=address) if address else SubElement(item, "b")
    title.text = flat(marked_title(entry))
    _add_paragraphs(item, entry.summary)


def _add_paragraphs(parent: Element, text: str | None) -> None:
    for line in clean(text or "").split("\n"):
        if line.strip():
            _add(parent, "p", line)
