"""Long lists in pages that hold so many items, and so much text, at most. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from store.records import Edition, Entry

A_PAGE = 50  # papers
# Characters of a page, unless its first item has more: ten times as many as an edition that is read
# in an hour.
MOST_TEXT = 150_000

T = TypeVar("T")


def in_pages(items: Sequence[T], lengths: Iterable[int], most: int = A_PAGE) -> list[Sequence[T]]:
    """Return items in pages, of which there is one at least; `lengths` are those of their texts."""
    pages: list[Sequence[T]] = []
    start = held = 0
    for place, length in enumerate(lengths):
        if place > start and (place - start == most or held + length > MOST_TEXT):
            pages.append(items[start:place])
            start, held = place, 0
        held += length
    return [*pages, items[start:]]


def entry_pages(edition: Edition) -> list[Sequence[Entry]]:
    """Return the entries of an edition in pages."""
    return in_pages(edition.entries, _lengths(edition))


def _lengths(edition: Edition) -> Iterator[int]:
    """Yield the lengths of entries, of the first under a heading with what that says."""
    taglines = {each.title: len(each.tagline or "") for each in edition.headings}
    above: str | None = None
    for entry in edition.entries:
        is_first, above = entry.heading != above, entry.heading
        yield length_of_entry(entry) + (taglines.get(above or "", 0) if is_first else 0)


def length_of_entry(entry: Entry) -> int:
    """Return how many characters the texts of an entry have together."""
    texts = (entry.title, entry.summary, entry.heading, entry.section)
    lines = (each for pair in entry.highlights for each in (pair.lead, pair.text))
    links = (each for pair in entry.links for each in (pair.label, pair.url))
    return sum(len(text or "") for text in (*texts, *lines, *links))


def length_of_edition(edition: Edition) -> int:
    """Return how many characters an edition has without its entries."""
    headings = (each for pair in edition.headings for each in (pair.title, pair.tagline))
    texts = (edition.title, edition.overview, edition.url)
    return sum(len(text or "") for text in (*texts, *headings))
