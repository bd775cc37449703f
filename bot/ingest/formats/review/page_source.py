"""The source text of a page: recognised, checked for completeness, and numbered.

The HTML parser reports no lines, so that each start tag gets its own as an attribute. The end tags
that a complete page may lack: https://html.spec.whatwg.org/multipage/syntax.html#optional-tags
"""

import re
from collections import Counter
from dataclasses import dataclass, field

from bot.domain.drafts import Note
from bot.errors import DocumentError
from bot.ingest.formats.markup import simplified

LINE = "data-source-line"

_START = re.compile(
    r"\A\s*(?:<\?xml[^>]*>\s*)?(?:(?><!--.*?-->)\s*)*+"
    r"<(?:!doctype\s+html|html|head|body|main|article|section|div|header|h1|title|meta|link)\b",
    re.IGNORECASE | re.DOTALL,
)
_NAMED = re.compile(r"week\s+in\s+review|weekly\s+review\s*(?:\u00b7|\u2022|&)", re.IGNORECASE)
_TOKEN = re.compile(
    r"\n|<!--.*?(?:-->|\Z)"
    r"|<(?P<silent>script|style|noscript)(?=[\s/>]).*?(?:</(?P=silent)\s*>|\Z)"
    r"|<(?P<end>/?)(?P<name>[a-z][\w-]*)(?=[\s/>])",
    re.IGNORECASE | re.DOTALL,
)
# These have no end tag, or one that the next of them implies: they don't nest.
_FLAT = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
     "wbr", "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option")
)  # fmt: skip
# A page nests some thirty deep; the parser's time grows with the square of the depth.
_DEEPEST = 500
# A page has a few thousand; each takes some hundred bytes of memory.
_MOST_TAGS = 100_000


@dataclass(slots=True)
class Source:
    """A page's text with the line in each start tag, without scripts, styles and comments."""

    text: str = ""
    passed_over: list[Note] = field(default_factory=list)


def is_page(text: str) -> bool:
    """Tell a web page by its first tag."""
    return bool(_START.match(text))


def is_review_page(text: str) -> bool:
    """Tell a web page that calls itself a weekly review."""
    return is_page(text) and bool(_NAMED.search(text))


def read_source(text: str) -> Source:
    """Number the tags of a page, and remove the parts that are never shown.

    Raises:
        DocumentError: if the page was cut off, nests deeper than any page does, or has more tags.
    """
    numberer = _Numberer()
    numberer.source.text = _TOKEN.sub(numberer.put, simplified(text))
    _refuse_cut_off(numberer.opened, numberer.closed)
    return numberer.source


class _Numberer:
    """Reads each tag once, in order: counts lines, open and closed elements."""

    def __init__(self) -> None:
        self.source = Source()
        self.opened: Counter[str] = Counter()
        self.closed: Counter[str] = Counter()
        self._line = 1
        self._depth = self._tags = 0

    def put(self, match: re.Match[str]) -> str:
        """Return the replacement of a tag, a line's end, or a part that is not shown."""
        if match["name"] is None:
            return self._put_unshown(match)
        name = match["name"].lower()
        if match["end"]:
            self._close(name)
            return match[0]
        self._open(name)
        return f'{match[0]} {LINE}="{self._line}" '

    def _put_unshown(self, match: re.Match[str]) -> str:
        if match["silent"]:
            note = f"a {match['silent'].lower()}, which is not shown"
            self.source.passed_over.append(Note(self._line, note))
        ends = match[0].count("\n")
        self._line += ends
        return "\n" * ends

    def _open(self, name: str) -> None:
        self.opened[name] += 1
        self._tags += 1
        if self._tags > _MOST_TAGS:
            raise DocumentError(
                f"The page has more than {_MOST_TAGS:,} tags.",
                "Copy the page's text into a file, and import that.",
            )
        self._depth += name not in _FLAT
        if self._depth > _DEEPEST:
            raise DocumentError(
                f"The page's elements lie more than {_DEEPEST} deep in each other"
                f" at line {self._line}.",
                "Copy the page's text into a file, and import that.",
            )

    def _close(self, name: str) -> None:
        if self.opened[name] > self.closed[name]:
            self.closed[name] += 1
            self._depth -= name not in _FLAT


def _refuse_cut_off(opened: Counter[str], closed: Counter[str]) -> None:
    """Refuse a page whose main part is not closed; of html and body the end may be left out.

    Raises:
        DocumentError: if its main part is not closed.
    """
    unclosed = [name for name in ("main", "article") if opened[name] > closed[name]]
    if not unclosed and not any(closed[name] for name in ("main", "article", "body", "html")):
        unclosed = ["body"]
    if unclosed:
        raise DocumentError(
            f"The page was cut off: its closing tag </{unclosed[0]}> is missing.",
            "Save the whole page again.",
        )
