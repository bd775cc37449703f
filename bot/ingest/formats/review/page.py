"""The weekly review as a web page, turned into the elements that a text copy consists of.

The rules: `docs/formats.md`. Tags, numbers and links are relied on, class names are not.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING

from bot.domain.drafts import Note
from bot.errors import DocumentError
from bot.ingest.formats.review.elements import TITLE_TAG, Element
from bot.ingest.formats.review.links import (
    SEAM,
    Piece,
    collapsed,
    host_of,
    joined,
    own_hosts,
    read_item_text,
)
from bot.ingest.formats.review.marks import numbers_in
from bot.ingest.formats.review.page_source import LINE, read_source

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_INLINE = frozenset(
    ("a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
     "kbd", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u",
     "var", "wbr")
)  # fmt: skip
# Containers; what lies in them side by side, without words between, are blocks of their own.
_GENERIC = frozenset(
    ("article", "aside", "body", "details", "div", "figure", "header", "main", "section")
)
_UNREAD = {
    "nav": "leads to other pages",
    "footer": "the foot of the page",
    **dict.fromkeys(
        ("button", "form", "select", "dialog", "menu", "svg", "audio", "video", "iframe", "object"),
        "a control of the page",
    ),
}
_ITEMS = frozenset({"li", "tr"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_DEEPEST = 100
_OPENING = "([\u201c\u2018\"'\u2014\u2013-/"
_BETWEEN_NAMES = re.compile(r"\s+[|\u00b7\u2022]\s+")
_LONGEST_DATE = 10


@dataclass(frozen=True, slots=True)
class Publication:
    """The day of publication that a page's head states, and its line."""

    line: int
    day: date


@dataclass(frozen=True, slots=True)
class Page:
    """A page's elements, and what its head states beside its titles.

    The elements begin with the titles that the page's head has; their tag is `title`.
    """

    elements: list[Element]
    url: str | None
    publication: Publication | None
    passed_over: list[Note]


def read_page(text: str) -> Page:
    """Read a page's elements and the facts in its head.

    Raises:
        DocumentError: if it was cut off, or its tags nest too deep or are too many.
    """
    from selectolax.lexbor import LexborHTMLParser

    source = read_source(text)
    tree = LexborHTMLParser(source.text)
    shown, outside = _shown(tree)
    url = _first_address(tree)
    pieces = (piece for block in shown.blocks for piece in joined(block.pieces))
    own = own_hosts(pieces, url)
    elements = [*_titles(tree), *(block.element(own) for block in shown.blocks)]
    passed_over = [*source.passed_over, *shown.passed_over, *outside]
    return Page(elements, url, _publication(tree), passed_over)


@dataclass(frozen=True, slots=True)
class _Block:
    """A heading, a paragraph, an item or a label, in pieces.

    `item` tells the blocks of one list item or table row from those of another, 0 outside.
    """

    tag: str
    line: int
    pieces: tuple[Piece, ...]
    item: int

    def element(self, own: frozenset[str]) -> Element:
        """Return the block as an element; `own` are the hosts whose links lead around."""
        text = collapsed("".join(piece.text for piece in self.pieces))
        bare = "".join(piece.text for piece in self.pieces if not piece.url)
        is_navigation = not any(map(str.isalnum, bare)) and not numbers_in(text)
        item = read_item_text(self.pieces, own)
        return Element(
            self.line,
            text,
            self.line,
            tag=self.tag,
            level=_HEADINGS.get(self.tag, 0),
            item=self.item,
            item_text=item.text,
            links=item.links,
            has_labels=item.has_labels,
            is_navigation=is_navigation,
        )


@dataclass(slots=True)
class _Shown:
    """The blocks of a page in their order, and notes on what of it was not read."""

    blocks: list[_Block] = field(default_factory=list)
    passed_over: list[Note] = field(default_factory=list)


def _shown(tree: "LexborHTMLParser") -> tuple[_Shown, list[Note]]:
    """Return the blocks of the page's main part, and notes on the elements beside it."""
    body = tree.body
    if body is None:
        return _Shown(), []
    mains = body.css("main")
    root = mains[0] if len(mains) == 1 else body
    reader = _BlockReader(root)
    reader.read(root)
    return reader.shown, _beside(body, root)


def _beside(body: "LexborNode", main: "LexborNode") -> list[Note]:
    """Name the elements with words that lie beside the main part, not around it."""
    way = [main]
    while way[-1] != body and (around := way[-1].parent):
        way.append(around)
    return [
        Note(_line_of(child), "is beside the page's main part")
        for inner, around in reversed(list(pairwise(way)))
        for child in around.iter()
        if child != inner and child.text(strip=True)
    ]


class _BlockReader:
    """Walks the elements once; `_pieces` grow to the next block, which began on `_began`.

    A page may have a million pieces without words, so that of the pieces only is kept what the
    next one depends on: the last sign, whether any has words, whether a break came last.
    """

    def __init__(self, root: "LexborNode") -> None:
        self.shown = _Shown()
        self._tags = [root.tag or "body"]
        self._pieces: list[Piece] = []
        self._last = ""
        self._has_words = self._is_broken = False
        self._line = self._began = _line_of(root)
        self._depth = self._item = self._items = 0

    def read(self, node: "LexborNode", url: str | None = None) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise DocumentError(
                f"The page's elements lie more than {_DEEPEST} deep in each other.",
                "Copy the page's text into a file, and import that.",
            )
        parts = self._tags[-1] in _GENERIC and not _has_words(node)
        after_element = False
        for child in node.iter(include_text=True):
            if child.tag == "-text":
                self._add(child.text_content or "", url)
                after_element = False
            elif child.is_element_node:
                if after_element and self._pieces:
                    self._put(SEAM, url)
                self._read_element(child, url, parts=parts)
                after_element = True
        self._depth -= 1
        if not self._depth:
            self._flush()

    def _read_element(self, node: "LexborNode", url: str | None, *, parts: bool) -> None:
        tag = node.tag or ""
        self._line = _line_of(node)
        if reason := _unread(node, tag, self._tags):
            if node.text(strip=True):
                self.shown.passed_over.append(Note(self._line, reason))
        elif tag == "br":
            self._break()
        elif tag in _INLINE and not parts:
            self._read_inline(node, node.attributes.get("href") if tag == "a" else url)
        else:
            self._read_block(node, self._tags[-1] if tag in _INLINE else tag, url)

    def _read_block(self, node: "LexborNode", tag: str, url: str | None) -> None:
        self._flush()
        outer, self._items = self._item, self._items + (tag in _ITEMS)
        self._item = self._items if tag in _ITEMS else outer
        self._tags.append(tag)
        self.read(node, node.attributes.get("href") if node.tag == "a" else url)
        self._flush()
        self._tags.pop()
        self._item = outer

    def _read_inline(self, node: "LexborNode", url: str | None) -> None:
        """Read into the running block; a mark that is a link has no blank before it at times."""
        words = node.text().strip()
        glued = self._last
        is_mark = words[:1] in ("E", "(", "[") and bool(numbers_in(words)) and " " not in words
        if is_mark and glued and not glued.isspace() and glued not in _OPENING:
            self._put(" ", None)
        self.read(node, url)

    def _add(self, text: str, url: str | None) -> None:
        if not self._has_words:
            lead = text[: len(text) - len(text.lstrip())]
            self._began = self._line + lead.count("\n")
        # A line's end in the source is a blank; the ones kept here come from <br>.
        self._put(text.replace("\n", " ").replace(SEAM, " "), url)

    def _break(self) -> None:
        """Take one <br> for a blank and a second one for the end of a paragraph."""
        if self._is_broken:
            self._flush()
        else:
            self._put("\n", None)

    def _put(self, text: str, url: str | None) -> None:
        self._pieces.append(Piece(text, url))
        if text != SEAM:
            self._last = text[-1:]
        self._has_words = self._has_words or bool(text.strip())
        if shown := text.strip(f" \t{SEAM}"):
            self._is_broken = shown == "\n"

    def _flush(self) -> None:
        if self._has_words:
            block = _Block(self._tags[-1], self._began, tuple(self._pieces), self._item)
            self.shown.blocks.append(block)
        self._pieces, self._last = [], ""
        self._has_words = self._is_broken = False


def _unread(node: "LexborNode", tag: str, tags: list[str]) -> str | None:
    """Return why an element is no part of the review, or `None` if it may be."""
    attributes = node.attributes
    if attributes.get("aria-hidden") == "true" or "hidden" in attributes:
        return "is hidden"
    if tag == "header" and not {"main", "article"}.intersection(tags):
        return "the head of the site"
    return _UNREAD.get(tag)


def _has_words(node: "LexborNode") -> bool:
    """Tell whether an element has text of its own, beside that of the elements in it."""
    return any(
        (child.text_content or "").strip()
        for child in node.iter(include_text=True)
        if child.tag == "-text"
    )


def _line_of(node: "LexborNode") -> int:
    """Return the line of an element's start tag, 1 where the parser made it up."""
    value = node.attributes.get(LINE) or ""
    return int(value) if value.isdecimal() else 1


def _titles(tree: "LexborHTMLParser") -> Iterator[Element]:
    """Yield the titles in the page's head, each without the name of its site.

    The names: https://ogp.me/.
    """
    for node in (*tree.css('meta[property="og:title"]'), *tree.css("head > title")):
        words = node.attributes.get("content") or node.text()
        for part in _BETWEEN_NAMES.split(" ".join(words.split())):
            yield Element(_line_of(node), part.strip(), _line_of(node), tag=TITLE_TAG, level=0)


def _first_address(tree: "LexborHTMLParser") -> str | None:
    """Return the canonical address (https://www.rfc-editor.org/rfc/rfc6596)."""
    addresses = [
        *(node.attributes.get("href") for node in tree.css('link[rel~="canonical"]')),
        *(node.attributes.get("content") for node in tree.css('meta[property="og:url"]')),
    ]
    return next((address.strip() for address in addresses if address and host_of(address)), None)


def _publication(tree: "LexborHTMLParser") -> Publication | None:
    """Return the day of publication as its own zone has it."""
    metas = tree.css('meta[property="article:published_time"], meta[itemprop="datePublished"]')
    stated = [
        *((node, node.attributes.get("content")) for node in metas),
        *((node, node.attributes.get("datetime")) for node in tree.css("time[datetime]")),
    ]
    for node, value in stated:
        with suppress(ValueError):
            day = date.fromisoformat((value or "").strip()[:_LONGEST_DATE])
            return Publication(_line_of(node), day)
    return None
