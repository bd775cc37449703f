"""Editions whose papers without an address elsewhere link to their own web pages. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.page_paths import edition_path, paper_path
from bot.domain.paper_urls import entry_url
from store.records import Edition, Entry, Link

_LABEL = "Web page"


def with_pages(editions: Sequence[Edition], public_url: str | None) -> list[Edition]:
    """Return editions and papers with their pages below a public URL where they have no other."""
    base = (public_url or "").rstrip("/")
    return [_with_page(each, base) if base else each for each in editions]


def _with_page(edition: Edition, base: str) -> Edition:
    entries = tuple(_linked(entry, base) for entry in edition.entries)
    url = edition.url or f"{base}{edition_path(edition)}"
    return replace(edition, url=url, entries=entries)


def _linked(entry: Entry, base: str) -> Entry:
    if entry_url(entry):
        return entry
    page = Link(_LABEL, f"{base}{paper_path(None, entry.ref)}")
    return replace(entry, links=(*entry.links, page))
