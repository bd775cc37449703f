"""The outline of a feed's XML: where its posts begin, and what is passed over unread.

What the library for feeds takes the square of is cut away or refused: categories, instructions,
namespaces and attributes by the hundred, long addresses around addresses.
"""

from collections.abc import Mapping
from xml.parsers import expat

from bot.errors import DocumentError

EXPECTED_FEED = "Expected is RSS or Atom, with the posts in full; see docs/formats.md."
_AROUND = frozenset({"rss", "rdf", "channel", "feed", "item", "entry"})
# What is read of a feed and of its posts. A guid is an address, where a post has no other.
_KEPT = frozenset({
    "title", "link", "guid", "id", "pubdate", "published", "updated", "issued", "modified",
    "created", "date", "description", "summary", "content", "encoded",
})  # fmt: skip
# The namespaces of these, beside the feed's own; others have a title or a date of a picture.
_NAMESPACES = frozenset({
    "", "http://www.w3.org/2005/Atom", "http://purl.org/rss/1.0/modules/content/",
    "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/",
})  # fmt: skip
_BREAKS_OFF = frozenset(
    {
        expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS],
        expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
        expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION],
    }
)
_UNDECLARED = frozenset(
    {
        expat.errors.codes[expat.errors.XML_ERROR_UNBOUND_PREFIX],
        expat.errors.codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY],
    }
)
# The library compares each namespace and attribute with all before it.
_MOST_ATTRIBUTES = 200
# It joins the addresses of all elements around one, for each.
_LONGEST_BASE = 500
_BASES = frozenset({"base", "http://www.w3.org/XML/1998/namespace base"})


class UndeclaredError(DocumentError):
    """A feed has a prefix of a namespace, or an entity, that it does not declare."""


class FeedOutline:
    """The outline of a feed whose root is at a byte: `lines` are those in which posts begin.

    Raises:
        UndeclaredError: for a prefix or an entity that is not declared.
        DocumentError: for half a feed, and for one that costs more than its length.
    """

    def __init__(self, path: str, text: str, root: int, post: str) -> None:
        """Read the outline of a text whose root begins with a sign, and whose posts have a name."""
        self.lines: list[int] = []
        self.has_channel = False
        self._path, self._post = path, post
        blank = len(text) - len(text.lstrip())
        self._above = text[:blank].count("\n")
        self._xml, self._root = text[blank:].encode(), len(text[blank:root].encode())
        self._cuts: list[tuple[int, int]] = []
        self._names: list[str] = []
        self._bases: list[int] = [0]
        self._prefixes: set[str] = set()
        # The depth of the element that is kept or cut; what is cut ends with the tag behind it.
        self._kept_at = self._cut_at = 0
        self._cut_from: int | None = None
        self._parser = expat.ParserCreate("utf-8", " ")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.StartNamespaceDeclHandler = self._declare
        self._parser.ProcessingInstructionHandler = self._instruct
        self._parser.EntityDeclHandler = self._refuse_entity
        self._parser.SkippedEntityHandler = self._miss_entity
        try:
            self._parser.Parse(self._xml, True)  # noqa: FBT003 - takes no keywords: the end
        except expat.ExpatError as error:
            raise self._malformed(error) from error

    def cut_down(self) -> bytes:
        """Return the feed as UTF-8, from its root on, without the parts that are not read."""
        kept, at = [], self._root
        for first, behind in self._cuts:
            kept.append(self._xml[at:first])
            at = max(at, behind)
        kept.append(self._xml[at:])
        return b"".join(kept)

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        if len(attributes) > _MOST_ATTRIBUTES:
            raise self._refusal(f"has a tag with more than {_MOST_ATTRIBUTES} attributes")
        base = sum(len(value) for key, value in attributes.items() if key in _BASES)
        self._bases.append(base + self._bases[-1])
        if self._bases[-1] > _LONGEST_BASE:
            raise self._refusal(f"has an xml:base of more than {_LONGEST_BASE:,} signs")
        self._end_cut()
        local = name.rpartition(" ")[2].lower()
        if not self._cut_at:
            self.has_channel |= local == "channel"
            if local == self._post:
                self.lines.append(self._line)
        self._names.append(name)
        if self._cut_at or self._kept_at or local in _AROUND:
            return
        if local in _KEPT and self._is_own(name):
            self._kept_at = len(self._names)
        else:
            self._cut_at, self._cut_from = len(self._names), self._parser.CurrentByteIndex

    def _is_own(self, name: str) -> bool:
        """Tell whether an element is of a feed's namespaces, or of that of the element around."""
        around = self._names[-2] if len(self._names) > 1 else ""
        namespace = name.rpartition(" ")[0]
        return namespace in _NAMESPACES or namespace == around.rpartition(" ")[0]

    def _end(self, _name: str) -> None:
        self._end_cut()
        depth = len(self._names)
        self._names.pop()
        self._bases.pop()
        if self._cut_at == depth:
            self._cut_at = 0
        elif self._kept_at == depth:
            self._kept_at = 0

    def _end_cut(self) -> None:
        if self._cut_from is not None and not self._cut_at:
            self._cuts.append((self._cut_from, self._parser.CurrentByteIndex))
            self._cut_from = None

    def _instruct(self, *_instruction: str) -> None:
        """Cut an instruction: the library keeps the text between two as a piece, and copies all."""
        self._end_cut()
        if not self._cut_at:
            at = self._parser.CurrentByteIndex
            self._cuts.append((at, self._xml.index(b"?>", at) + 2))

    def _declare(self, prefix: str | None, _uri: str | None) -> None:
        self._prefixes.add(prefix or "")
        if len(self._prefixes) > _MOST_ATTRIBUTES:
            raise self._refusal(f"has a tag with more than {_MOST_ATTRIBUTES} attributes")

    def _refuse_entity(self, *_declared: object) -> None:
        raise DocumentError(
            f"{self._path} declares XML entities of its own, which no feed needs.", EXPECTED_FEED
        )

    def _miss_entity(self, name: str, _is_parameter: int) -> None:
        """Stop at an entity that a DTD elsewhere may declare."""
        raise UndeclaredError(
            f"{self._path} names an entity in line {self._line} that it does not declare: {name}.",
            EXPECTED_FEED,
        )

    @property
    def _line(self) -> int:
        return self._above + self._parser.CurrentLineNumber

    def _refusal(self, what: str) -> DocumentError:
        return DocumentError(f"{self._path} {what} in line {self._line}.", EXPECTED_FEED)

    def _malformed(self, error: expat.ExpatError) -> DocumentError:
        if error.code == expat.errors.codes[expat.errors.XML_ERROR_NO_MEMORY]:
            raise MemoryError from error
        line = self._above + error.lineno
        if error.code in _BREAKS_OFF:
            return DocumentError(
                f"{self._path} breaks off in line {line}.", "Import the whole feed."
            )
        problem = expat.ErrorString(error.code)
        is_undeclared = error.code in _UNDECLARED
        return (UndeclaredError if is_undeclared else DocumentError)(
            f"{self._path} is not well-formed XML: {problem} in line {line}.",
            "Fetch it again, or tell its publisher.",
        )
