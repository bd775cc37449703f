"""The weekly review as a web page.

What a page says is relied on, its headings, times, numbers and links, and none of its class
names. The rules: `docs/formats.md`. From the blocks on, a page is read by the same modules as
a plain-text copy, so that either gives the same entries.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from bot.domain.drafts import Note
from bot.ingest.formats.review.head import Head
from bot.ingest.formats.review.page.blocks import Shown, line_of, read_blocks
from bot.ingest.formats.review.page.body import PageBody, read_page_body
from bot.ingest.formats.review.page.head import read_page_head
from bot.ingest.formats.review.page.links import own_hosts
from bot.ingest.formats.review.page.markup import read_source
from bot.ingest.formats.review.page.meta import read_meta

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode


@dataclass(slots=True)
class Page:
    """A page's head and body."""

    head: Head
    body: PageBody


def read_page(text: str) -> Page:
    """Read a page as far as its tags tell.

    Raises:
        DocumentError: if it was cut off, or names no week, or its tags can't be trusted.
    """
    from selectolax.lexbor import LexborHTMLParser

    source = read_source(text)
    tree = LexborHTMLParser(source.text)
    shown, outside = _shown(tree)
    meta = read_meta(tree)
    head, blocks = read_page_head(shown.blocks, meta)
    body = read_page_body(blocks, own_hosts(shown.blocks, meta.url))
    head.passed_over += [*source.passed_over, *shown.passed_over, *outside]
    return Page(head, body)


def _shown(tree: "LexborHTMLParser") -> tuple[Shown, list[Note]]:
    """Return the blocks of the page's main part, and notes on what stands beside it."""
    body = tree.body
    if body is None:
        return Shown(), []
    mains = body.css("main")
    if len(mains) != 1:
        return read_blocks(body), []
    return read_blocks(mains[0]), _beside(body, mains[0])


def _beside(body: "LexborNode", main: "LexborNode") -> list[Note]:
    """Name the elements with words that lie beside the main part, not around it."""
    way = [main]
    while way[-1] != body and (around := way[-1].parent):
        way.append(around)
    return [
        Note(line_of(child), "stands beside the page's main part")
        for inner, around in reversed(list(pairwise(way)))
        for child in around.iter()
        if child != inner and child.text(strip=True)
    ]
