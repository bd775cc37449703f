"""The visible lines of a post's HTML, for the rules of a newsletter.

The elements that begin a line:
https://html.spec.whatwg.org/multipage/rendering.html#flow-content-3.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import dropwhile, groupby, takewhile
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from bot.ingest.formats.markup import parsed, simplified
from bot.ingest.formats.newsletter.lines import Line

if TYPE_CHECKING:  # Lexbor is loaded when the first feed is read
    from selectolax.lexbor import LexborNode

# Each of these begins a line, and the text behind it another one.
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "br", "center", "dd", "details",
    "dialog", "div", "dl", "dt", "fieldset", "footer", "h1", "h2", "h3", "h4", "h5", "h6",
    "header", "hgroup", "hr", "legend", "li", "main", "nav", "ol", "p", "pre", "search",
    "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
})  # fmt: skip
_BOLD = frozenset({"b", "strong"})
# The content of these is not shown.
_UNSEEN = frozenset({
    "-comment", "canvas", "datalist", "head", "noscript", "object", "script", "style", "svg",
    "template", "textarea", "title",
})  # fmt: skip
# Parts of a page that are no text of a post: by element, and by the class that Substack gives.
_FURNITURE = {
    "audio": "a recording",
    "button": "a button",
    "figure": "a picture",
    "form": "a form",
    "iframe": "an embedded page",
    "img": "a picture",
    "video": "a video",
}
_FURNITURE_CLASSES = {
    "subscription-widget": "a subscription widget",
    "subscription-widget-wrap": "a subscription widget",
    "subscription-widget-wrap-editor": "a subscription widget",
    "button-wrapper": "a button",
    "captioned-image-container": "a picture",
    "footnote-anchor": "the mark of a footnote",
}
_BRACKETS = str.maketrans("[]", "()")
_NOT_IN_ADDRESS = str.maketrans({"(": "%28", ")": "%29", "<": "%3C", ">": "%3E", " ": "%20"})
_LONGEST_LABEL = 300
# It stands before each link of a post.
_LONGEST_BASE = 500


@dataclass(frozen=True, slots=True)
class _Piece:
    """Text of one style; `link` is the number of the link around it, and `url` its address."""

    text: str
    bold: bool
    link: int
    url: str | None


def read_lines(markup: str, base: str = "") -> tuple[list[Line], list[str]]:
    """Read HTML, which the parser repairs as browsers do.

    Return the lines with words, numbered from 1, and the names of the parts that were left out.
    Addresses are joined with the `base`.
    """
    body = parsed(simplified(markup)).body
    reader = _Reader(base)
    stack = [(body, True)] if body else []
    while stack:
        node, entering = stack.pop()
        if node.is_text_node:
            reader.add(node.text_content or "")
            continue
        furniture = _furniture(node)
        reader.pass_edge(node, 1 if entering else -1)
        if not entering:
            continue
        stack.append((node, False))
        if furniture:
            reader.furniture.append(furniture)
        elif node.tag not in _UNSEEN:
            children = list(node.iter(include_text=True))
            stack.extend((child, True) for child in reversed(children))
    return reader.lines, reader.furniture


def _furniture(node: "LexborNode") -> str | None:
    """Return the name of a node that is no part of the text."""
    if node.tag in _FURNITURE:
        return _FURNITURE[node.tag]
    classes = (node.attributes.get("class") or "").split()
    return next((_FURNITURE_CLASSES[name] for name in classes if name in _FURNITURE_CLASSES), None)


@dataclass(slots=True)
class _Reader:
    """The state of reading: the pieces of the current line, and the elements around it."""

    base: str
    lines: list[Line] = field(default_factory=list)
    furniture: list[str] = field(default_factory=list)
    _pieces: list[_Piece] = field(default_factory=list)
    _urls: list[str | None] = field(default_factory=list)
    _links: int = 0
    _bold: int = 0
    _lists: int = 0

    def pass_edge(self, node: "LexborNode", step: int) -> None:
        """Begin an element (`step` is 1) or end it (-1)."""
        if node.tag in _BLOCKS:
            self._end_line()
        self._bold += step * (node.tag in _BOLD)
        self._lists += step * (node.tag == "li")
        if node.tag == "a" and step > 0:
            self._links += 1
            self._urls.append(page_address(node.attributes.get("href") or "", self.base))
        elif node.tag == "a":
            self._urls.pop()

    def add(self, text: str) -> None:
        """Add text to the current line."""
        url = next((url for url in reversed(self._urls) if url), None)
        self._pieces.append(_Piece(text, self._bold > 0, self._links if url else 0, url))

    def _end_line(self) -> None:
        pieces, self._pieces = self._pieces, []
        if any(piece.text.strip() for piece in pieces):
            self.lines.append(_line(len(self.lines) + 1, pieces, in_list=self._lists > 0))


def _line(number: int, pieces: Sequence[_Piece], *, in_list: bool) -> Line:
    """Make a line of its pieces, with links as in a newsletter."""
    line = Line.read(number, _joined(pieces))
    linked = Line.read(number, _with_links(pieces)) if any(p.url for p in pieces) else line
    bold = Line.read(number, _bold_start(pieces)).text
    return replace(
        line,
        marked=line.marked or in_list,
        bold=bold if line.text.startswith(bold) else "",
        links=linked.links,
        only_links=linked.only_links,
    )


def _joined(pieces: Sequence[_Piece]) -> str:
    return " ".join("".join(piece.text for piece in pieces).split())


def _bold_start(pieces: Sequence[_Piece]) -> str:
    """Return the bold text at the start of a line, behind a bullet sign if there is one."""
    behind_signs = dropwhile(
        lambda piece: not piece.bold and not any(map(str.isalnum, piece.text)), pieces
    )
    return _joined(list(takewhile(lambda p: p.bold or not p.text.strip(), behind_signs)))


def _with_links(pieces: Sequence[_Piece]) -> str:
    """Print a line's links as Markdown does."""
    printed = []
    for _, group in groupby(pieces, key=lambda piece: piece.link):
        same = list(group)
        text = "".join(piece.text for piece in same)
        if url := same[0].url:
            label = " ".join(text.split()).translate(_BRACKETS)[:_LONGEST_LABEL]
            text = f"[{label}]({url})"
        printed.append(text)
    return " ".join("".join(printed).split())


def page_address(address: str, base: str = "") -> str | None:
    """Return the address of a web page, joined with a base; `None` for another, or a mere place."""
    address = "".join(address.split())
    if base and len(base) <= _LONGEST_BASE and address and not address.startswith("#"):
        try:
            address = urljoin(base, address)
        except ValueError:
            return None
    is_page = address.lower().startswith(("https://", "http://"))
    return address.translate(_NOT_IN_ADDRESS) if is_page else None
