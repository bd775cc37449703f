"""The blocks of a page: what a reader sees as one heading, paragraph, item or label."""

from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from bot.domain.drafts import Note
from bot.errors import DocumentError
from bot.ingest.formats.review.lines import Element
from bot.ingest.formats.review.marks import numbers_in
from bot.ingest.formats.review.page.markup import LINE

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

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
# Two elements without a blank between them: no gap within a sentence, one between two labels.
# str.split takes this sign for a blank, so that no text of the page can hold it.
_SEAM = "\x1f"
_OPENING = "([\u201c\u2018\"'\u2014\u2013-/"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text, and the address that it leads to if it is a link."""

    text: str
    url: str | None


@dataclass(frozen=True)
class Block:
    """A heading, a paragraph, an item or a label: its tag, its line, and its text in pieces.

    `item` tells the blocks of one list item or table row from those of another, 0 outside.
    """

    tag: str
    line: int
    pieces: tuple[Piece, ...]
    item: int = 0

    @cached_property
    def text(self) -> str:
        """The words, blanks collapsed."""
        return _collapsed("".join(piece.text for piece in self.pieces).replace(_SEAM, ""))

    @property
    def element(self) -> Element:
        """The block as the other modules of the review know it."""
        return Element(self.line, self.text, self.line)

    @property
    def level(self) -> int:
        """The level of a heading, 1 to 6, or 0."""
        return _HEADINGS.get(self.tag, 0)

    @property
    def is_way(self) -> bool:
        """Whether it is made of links alone, none of them an episode's mark."""
        bare = "".join(piece.text for piece in self.pieces if not piece.url)
        return not any(map(str.isalnum, bare)) and not numbers_in(self.text)

    def links(self) -> list[Piece]:
        """Return the links with all of their words, however these are marked up."""
        linked = (piece for piece in self.pieces if piece.url)
        return [
            Piece(spaced("".join(piece.text for piece in same)), url)
            for url, same in groupby(linked, key=lambda piece: piece.url)
        ]


@dataclass(slots=True)
class Shown:
    """The blocks of a page in their order, and notes on what of it was not read."""

    blocks: list[Block] = field(default_factory=list)
    passed_over: list[Note] = field(default_factory=list)


def spaced(text: str) -> str:
    """Return a text of labels side by side with a blank between each two."""
    return _collapsed(text.replace(_SEAM, " "))


def line_of(node: "LexborNode") -> int:
    """Return the line of an element's start tag, 1 where the parser made it up."""
    value = node.attributes.get(LINE) or ""
    return int(value) if value.isdecimal() else 1


def read_blocks(root: "LexborNode") -> Shown:
    """Part what is shown below an element into blocks.

    Raises:
        DocumentError: if elements lie deeper in each other than any page's.
    """
    reader = _Reader(root)
    reader.read(root)
    return reader.shown


class _Reader:
    """Walks the elements once; `_pieces` grow to the next block, which began on `_line`.

    Of these is kept what the next one asks for: what the last text ended with, whether any has
    words, and whether only blanks came behind a break. A page may have a million without words.
    """

    def __init__(self, root: "LexborNode") -> None:
        self.shown = Shown()
        self._tags = [root.tag or "body"]
        self._pieces: list[Piece] = []
        self._last = ""
        self._has_words = self._is_broken = False
        self._line = self._began = line_of(root)
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
                    self._put(_SEAM, url)
                self._read_element(child, url, parts=parts)
                after_element = True
        self._depth -= 1

    def _read_element(self, node: "LexborNode", url: str | None, *, parts: bool) -> None:
        tag = node.tag or ""
        self._line = line_of(node)
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
        self._put(text.replace("\n", " ").replace(_SEAM, " "), url)

    def _break(self) -> None:
        """Take one <br> for a blank and a second one for the end of a paragraph."""
        if self._is_broken:
            self._flush()
        else:
            self._put("\n", None)

    def _put(self, text: str, url: str | None) -> None:
        self._pieces.append(Piece(text, url))
        if text != _SEAM:
            self._last = text[-1:]
        self._has_words = self._has_words or bool(text.strip())
        if shown := text.strip(f" \t{_SEAM}"):
            self._is_broken = shown == "\n"

    def _flush(self) -> None:
        block = Block(self._tags[-1], self._began, tuple(self._pieces), self._item)
        self._pieces, self._last = [], ""
        self._has_words = self._is_broken = False
        if block.text:
            self.shown.blocks.append(block)


def _unread(node: "LexborNode", tag: str, tags: list[str]) -> str | None:
    """Say why an element is no part of the review, or `None` where it may be."""
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


def _collapsed(text: str) -> str:
    return " ".join(text.split())
