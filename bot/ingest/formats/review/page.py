"""The weekly review as a web page, turned into the elements that a text copy consists of.

The rules: `docs/formats/review.md`. Tags, numbers and links are relied on, class names are not. The
HTML parser reports no lines, so that each start tag gets its own as an attribute.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from itertools import groupby, pairwise
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bot.domain.drafts import Note
from bot.domain.paper_ids import arxiv_id_in_url
from bot.errors import DocumentError
from bot.ingest.formats.markup import parsed, simplified
from bot.ingest.formats.review.elements import TITLE_TAG, Element, numbers_in
from bot.ingest.formats.review.lists import OTHER_LINK
from store.records import Link

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_FIRST_TAG = re.compile(
    r"\A\s*(?:<\?xml[^>]*>\s*)?(?:(?><!--.*?-->)\s*)*+"
    r"<(?:!doctype\s+html|html|head|body|main|article|section|div|header|h1|title|meta|link)\b",
    re.IGNORECASE | re.DOTALL,
)
_NAME = r"[a-z][\w-]*(?=[\s/>]|$)"
_TAG = re.compile(rf"<(?P<end>/?)(?P<name>{_NAME})")
_START_TAG = re.compile(rf"<{_NAME}")
_LINE = "data-source-line"
# These have no end tag, or one that the next of them implies: they don't nest.
# https://html.spec.whatwg.org/multipage/syntax.html#optional-tags
_FLAT = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
     "wbr", "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option")
)  # fmt: skip
_NOT_SHOWN = frozenset({"noscript", "script", "style"})
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
# A page nests some thirty deep, and has a few thousand tags. The time of the HTML parser grows with
# the square of the depth, the memory by some hundred bytes a tag; its tree is read by recursion.
_DEEPEST_SOURCE = 500
_DEEPEST = 100
_MOST_TAGS = 100_000
_REMEDY = "Copy the page's text into a file, and import that."
_OPENING = "([\u201c\u2018\"'\u2014\u2013-/"
_BETWEEN_NAMES = re.compile(r"\s+[|\u00b7\u2022]\s+")
_LONGEST_DATE = 10

# Two elements without a blank between them: no gap within a sentence, one between two labels.
# str.split takes this sign for a blank, so that no text of the page can hold it.
_SEAM = "\x1f"

_LABELS = {
    "arxiv": "Paper", "pdf": "Paper", "paper": "Paper", "the paper": "Paper",
    "code": "Code", "github": "Code", "source": "Code",
    "project": "Project", "project page": "Project", "website": "Project",
    "blog": "Blog", "blog post": "Blog", "demo": "Demo", "tweet": "Tweet",
    "model": "Models", "models": "Models", "weights": "Models",
    "data": "Data", "dataset": "Data", "data set": "Data",
}  # fmt: skip
_CODE_HOSTS = frozenset({"github.com", "gitlab.com"})
_NUMBER = re.compile(r"(?:arxiv:?\s*)?\d{4}\.\d{4,5}(?:v\d+)?", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?://)?[\w.-]+\.[a-z]{2,}(?:/\S*)?", re.IGNORECASE)
_SHARING = re.compile(
    r"/(?:intent|sharer?|sharing|share-offsite|sharearticle|submit)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """A page's elements, and what its head states beside its titles.

    The elements begin with the titles that the page's head has; their tag is `title`.
    """

    elements: list[Element]
    url: str | None
    published_on: date | None
    published_line: int
    passed_over: list[Note]


def is_page(text: str) -> bool:
    """Tell a web page by its first tag."""
    return bool(_FIRST_TAG.match(text))


def read_page(text: str) -> ReviewPage:
    """Read a page's elements and the facts in its head.

    Raises:
        DocumentError: if it was cut off, or its tags nest too deep or are too many.
    """
    source, passed_over = _numbered(simplified(text))
    tree = parsed(source)
    url = _first_address(tree)
    elements = list(_titles(tree))
    if body := tree.body:
        mains = body.css("main")
        root = mains[0] if len(mains) == 1 else body
        reader = _BlockReader(root)
        own = _own_hosts((piece for block in reader.blocks for piece in block.pieces), url)
        elements += [_element(block, own) for block in reader.blocks]
        passed_over += [*reader.passed_over, *_beside(body, root)]
    published_line, published_on = _publication(tree)
    return ReviewPage(elements, url, published_on, published_line, passed_over)


def _numbered(source: str) -> tuple[str, list[Note]]:
    """Return a source with its line in each start tag, and notes on the parts never shown."""
    notes, lines = [], []
    opened: Counter[str] = Counter()
    closed: Counter[str] = Counter()
    depth = tags = 0
    for number, line in enumerate(source.split("\n"), 1):
        for tag in _TAG.finditer(line):
            name = tag["name"]
            if tag["end"]:
                is_open = opened[name] > closed[name]
                closed[name] += is_open
                depth -= is_open and name not in _FLAT
            elif name in _NOT_SHOWN:
                notes.append(Note(number, f"a {name}, which is not shown"))
            else:
                opened[name] += 1
                depth += name not in _FLAT
                tags += 1
                _refuse_huge(tags, depth, number)
        lines.append(_START_TAG.sub(rf'\g<0> {_LINE}="{number}" ', line))
    _refuse_cut_off(opened, closed)
    return "\n".join(lines), notes


def _refuse_huge(tags: int, depth: int, line: int) -> None:
    if tags > _MOST_TAGS:
        raise DocumentError(f"The page has more than {_MOST_TAGS:,} tags.", _REMEDY)
    if depth > _DEEPEST_SOURCE:
        sentence = f"The page's elements lie more than {_DEEPEST_SOURCE} deep in each other"
        raise DocumentError(f"{sentence} at line {line}.", _REMEDY)


def _refuse_cut_off(opened: Counter[str], closed: Counter[str]) -> None:
    """Refuse a page whose main part is not closed; of html and body the end may be left out."""
    unclosed = [name for name in ("main", "article") if opened[name] > closed[name]]
    if not unclosed and not any(closed[name] for name in ("main", "article", "body", "html")):
        unclosed = ["body"]
    if unclosed:
        raise DocumentError(
            f"The page was cut off: its closing tag </{unclosed[0]}> is missing.",
            "Save the whole page again.",
        )


@dataclass(frozen=True, slots=True)
class _Piece:
    """A run of text, and the address that it leads to if it is a link."""

    text: str
    url: str | None


@dataclass(frozen=True, slots=True)
class _Block:
    """A heading, a paragraph, an item or a label; the pieces of one link are joined.

    `item` tells the blocks of one list item or table row from those of another, 0 outside.
    """

    tag: str
    line: int
    pieces: list[_Piece]
    item: int


def _element(block: _Block, own: frozenset[str]) -> Element:
    """Return a block as an element; `own` are the hosts whose links lead around.

    In its text as an item, a separator replaces a link whose words only label its address.
    """
    text = _collapsed("".join(piece.text for piece in block.pieces))
    bare = "".join(piece.text for piece in block.pieces if not piece.url)
    found = [(piece, _episode_link(piece, own)) for piece in block.pieces]
    labels = [bool(link) and _is_label(piece.text) for piece, link in found]
    item_text = "".join(
        " \u00b7 " if is_label or _SHARING.search(piece.url or "") else piece.text
        for piece, is_label in zip(block.pieces, labels, strict=True)
    )
    return Element(
        block.line,
        text,
        block.line,
        tag=block.tag,
        level=_HEADINGS.get(block.tag, 0),
        item=block.item,
        item_text=_spaced(item_text),
        links=tuple(dict.fromkeys(link for _, link in found if link)),
        has_labels=any(labels),
        is_navigation=not any(map(str.isalnum, bare)) and not numbers_in(text),
    )


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
        self.blocks: list[_Block] = []
        self.passed_over: list[Note] = []
        self._tags = [root.tag or "body"]
        self._pieces: list[_Piece] = []
        self._last = ""
        self._has_words = self._is_broken = False
        self._line = self._began = _line_of(root)
        self._depth = self._item = self._items = 0
        self._read(root)
        self._flush()

    def _read(self, node: "LexborNode", url: str | None = None) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            sentence = f"The page's elements lie more than {_DEEPEST} deep in each other."
            raise DocumentError(sentence, _REMEDY)
        parts = self._tags[-1] in _GENERIC and not node.text(deep=False, strip=True)
        after_element = False
        for child in node.iter(include_text=True):
            if child.tag == "-text":
                self._add(child.text_content or "", url)
                after_element = False
            elif child.is_element_node and child.tag not in _NOT_SHOWN:
                if after_element and self._pieces:
                    self._put(_SEAM, url)
                self._read_element(child, url, parts=parts)
                after_element = True
        self._depth -= 1

    def _read_element(self, node: "LexborNode", url: str | None, *, parts: bool) -> None:
        tag = node.tag or ""
        self._line = _line_of(node)
        if reason := _unread_reason(node, tag, self._tags):
            if node.text(strip=True):
                self.passed_over.append(Note(self._line, reason))
            return
        url = node.attributes.get("href") if tag == "a" else url
        if tag == "br" and self._is_broken:
            self._flush()  # a second <br> ends a paragraph
        elif tag == "br":
            self._put("\n", None)
        elif tag in _INLINE and not parts:
            self._part_mark(node.text().strip())
            self._read(node, url)
        else:
            self._read_block(node, self._tags[-1] if tag in _INLINE else tag, url)

    def _read_block(self, node: "LexborNode", tag: str, url: str | None) -> None:
        self._flush()
        outer, self._items = self._item, self._items + (tag in _ITEMS)
        self._item = self._items if tag in _ITEMS else outer
        self._tags.append(tag)
        self._read(node, url)
        self._flush()
        self._tags.pop()
        self._item = outer

    def _part_mark(self, words: str) -> None:
        """Put a blank before a mark that is a link, which has none at times."""
        is_mark = words[:1] in ("E", "(", "[") and bool(numbers_in(words)) and " " not in words
        if is_mark and self._last and not self._last.isspace() and self._last not in _OPENING:
            self._put(" ", None)

    def _add(self, text: str, url: str | None) -> None:
        if not self._has_words:
            lead = text[: len(text) - len(text.lstrip())]
            self._began = self._line + lead.count("\n")
        # A line's end in the source is a blank; the ones kept here come from <br>.
        self._put(text.replace("\n", " ").replace(_SEAM, " "), url)

    def _put(self, text: str, url: str | None) -> None:
        self._pieces.append(_Piece(text, url))
        if text != _SEAM:
            self._last = text[-1:]
        self._has_words = self._has_words or bool(text.strip())
        if shown := text.strip(f" \t{_SEAM}"):
            self._is_broken = shown == "\n"

    def _flush(self) -> None:
        if self._has_words:
            pieces = _joined(self._pieces)
            self.blocks.append(_Block(self._tags[-1], self._began, pieces, self._item))
        self._pieces, self._last = [], ""
        self._has_words = self._is_broken = False


def _unread_reason(node: "LexborNode", tag: str, tags: list[str]) -> str | None:
    """Return why an element is no part of the review, or `None` if it may be."""
    attributes = node.attributes
    if attributes.get("aria-hidden") == "true" or "hidden" in attributes:
        return "is hidden"
    if tag == "header" and not {"main", "article"}.intersection(tags):
        return "the head of the site"
    return _UNREAD.get(tag)


def _line_of(node: "LexborNode") -> int:
    """Return the line of an element's start tag, 1 where the parser made it up."""
    value = node.attributes.get(_LINE) or ""
    return int(value) if value.isdecimal() else 1


def _titles(tree: "LexborHTMLParser") -> Iterator[Element]:
    """Yield the titles in the page's head (https://ogp.me/), each without its site's name."""
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
    return next((address.strip() for address in addresses if address and _host_of(address)), None)


def _publication(tree: "LexborHTMLParser") -> tuple[int, date | None]:
    """Return the line and the day of publication, as its own zone has it."""
    metas = tree.css('meta[property="article:published_time"], meta[itemprop="datePublished"]')
    for node in (*metas, *tree.css("time[datetime]")):
        value = node.attributes.get("datetime" if node.tag == "time" else "content") or ""
        with suppress(ValueError):
            return _line_of(node), date.fromisoformat(value.strip()[:_LONGEST_DATE])
    return 1, None


def _host_of(url: str) -> str:
    """Return the host of an absolute web address without `www.`, or "" for any other."""
    try:
        parts = urlsplit(url.strip())
        host = parts.hostname or ""
    except ValueError:  # no address at all, such as one with half a pair of brackets
        return ""
    return host.removeprefix("www.") if parts.scheme in ("http", "https") else ""


def _own_hosts(pieces: Iterable[_Piece], url: str | None) -> frozenset[str]:
    """Return the hosts of the page and of its episodes' pages, where links only lead around."""
    hosts = {_host_of(url)} if url else set()
    for piece in pieces:
        if piece.url and numbers_in(_collapsed(piece.text)) and not arxiv_id_in_url(piece.url):
            hosts.add(_host_of(piece.url))
    return frozenset(hosts - {""})


def _joined(pieces: Iterable[_Piece]) -> list[_Piece]:
    """Join the pieces of one link, however its words are marked up."""
    found: list[_Piece] = []
    for url, group in groupby(pieces, key=lambda piece: piece.url or None):
        same = list(group)
        found += [_Piece("".join(piece.text for piece in same), url)] if url else same
    return found


def _collapsed(text: str) -> str:
    """Return a text with single blanks."""
    return " ".join(text.replace(_SEAM, "").split())


def _spaced(text: str) -> str:
    """Return a text of labels side by side with a blank between each two."""
    return _collapsed(text.replace(_SEAM, " "))


def _episode_link(piece: _Piece, own: frozenset[str]) -> Link | None:
    """Return the link of a piece, or `None` if it leads around the site or shares the page."""
    url = (piece.url or "").strip()
    host = _host_of(url)
    if not host or _SHARING.search(url):
        return None
    if number := arxiv_id_in_url(url):
        return Link("Paper", f"https://arxiv.org/abs/{number}")
    if host in own:
        return None
    fallback = "Code" if host in _CODE_HOSTS else OTHER_LINK
    return Link(_LABELS.get(_bare(piece.text).lower(), fallback), url)


def _is_label(text: str) -> bool:
    words = _bare(text)
    is_number = bool(_NUMBER.fullmatch(words) or _ADDRESS.fullmatch(words))
    return not words or words.lower() in _LABELS or is_number


def _bare(text: str) -> str:
    return _spaced(text).strip(" ()[]:\u00b7|\u2192\u2197")
