"""Simplified HTML, which an HTML parser reads in time proportional to its length.

Parsers that repair HTML as browsers do compare each attribute of a tag with all before it, and
reopen unclosed bold text in every later block:
https://html.spec.whatwg.org/multipage/parsing.html#reconstruct-the-active-formatting-elements
A few kilobytes can then cost minutes, or gigabytes. So each tag is written again with the
attributes that our parsers read, and no others. How tags are told from text:
https://html.spec.whatwg.org/multipage/parsing.html#tokenization
"""

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # Lexbor is loaded when the first page is read
    from selectolax.lexbor import LexborHTMLParser

_ATTRIBUTE = (
    r"[\s/]++"
    r"|(?P<name>=?+[^\s/>=]++)(?:\s*+=\s*+"
    r"(?:\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)'|(?P<bare>[^\s>\"'][^\s>]*+))?+)?+"
    r"|="
)
_ATTRIBUTES = re.compile(_ATTRIBUTE, re.ASCII)
# Text, a comment or the like, a tag, or a sign that begins none. A tag that the end of the document
# cuts off is none.
_TOKEN = re.compile(
    r"(?P<text>[^<]++)"
    r"|(?P<unseen><!--(?:-?>|.*?(?:--!?>|\Z))|<(?:[!?]|/(?![a-z]))[^>]*+>?)"
    rf"|<(?P<end>/?)(?P<tag>[a-z][^\s/>]*+)(?P<attributes>(?:{_ATTRIBUTE})*+)(?P<close>>|\Z)"
    r"|<",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9:_-]{0,40}")
_KEPT = frozenset({
    "aria-hidden", "class", "content", "datetime", "hidden", "href", "itemprop", "property", "rel",
})  # fmt: skip
# The content of these is no markup and not shown, but for the title of a page.
_TITLE = "title"
_RAW = frozenset({
    "iframe", "noembed", "noframes", "noscript", "plaintext", "script", "style", "textarea", _TITLE,
    "xmp",
})  # fmt: skip
# Of the elements that are reopened in every block our parsers need bold alone. Without attributes
# at most three of a name are reopened.
_BOLD = frozenset({"b", "strong"})
_OTHER_LOOKS = frozenset({
    "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "tt", "u",
})  # fmt: skip
_ANY_LOOK = "span"
_ENDS_ITSELF = "nobr"  # one that begins ends the one that is open
_MOST_LOOKS = 6  # that are open at once, of those that don't end where they should
_ENDLESS = frozenset({
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
})  # fmt: skip


class _Tag(NamedTuple):
    """A tag to say again: its name, what stands behind that, and its line ends alone."""

    name: str
    is_end: bool
    rest: str
    line_ends: str

    def said(self, name: str) -> str:
        """Return the tag under a name."""
        return f"<{'/' if self.is_end else ''}{name}{self.rest}>"


def parsed(markup: str) -> "LexborHTMLParser":
    """Return the elements of HTML, which the parser repairs as browsers do: https://lexbor.com/.

    Raises:
        MemoryError: where there is too little memory; it refuses nothing else.
    """
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError

    try:
        return LexborHTMLParser(markup)
    except SelectolaxError as error:
        raise MemoryError from error


def simplified(markup: str) -> str:
    """Return HTML that shows the same, without comments, scripts and unread attributes.

    Lines keep their numbers.
    """
    return "".join(_with_few_looks([*_simplified(markup)]))


def _with_few_looks(parts: Sequence[str | _Tag]) -> Iterator[str]:
    """Say looks other than bold as an element that is not reopened, wherever that is the same.

    It is not where a look has no end, or ends inside another element, which parsers then mend by
    its name. There some are kept, and those beyond them left out.
    """
    alike = _well_nested(parts)
    opened: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    for place, part in enumerate(parts):
        if isinstance(part, str):
            yield part
        elif part.name not in _OTHER_LOOKS:
            yield part.said(part.name)
        elif place in alike:
            yield part.said(_ANY_LOOK)
        elif (left_out[part.name] > 0) if part.is_end else (opened.total() >= _MOST_LOOKS):
            left_out[part.name] += -1 if part.is_end else 1
            yield part.line_ends
        else:
            opened[part.name] = max(0, opened[part.name] + (-1 if part.is_end else 1))
            yield part.said(part.name)


def _well_nested(parts: Iterable[str | _Tag]) -> set[int]:
    """Return the places of tags that hold whole elements between them, and no stray end of one."""
    found: set[int] = set()
    around: list[tuple[str, int]] = []
    names: Counter[str] = Counter()
    broken = 0  # so many of the elements around hold a stray end
    for place, part in enumerate(parts):
        if isinstance(part, str) or part.name in _ENDLESS:
            continue
        if not part.is_end:
            around.append((part.name, place))
            names[part.name] += 1
            continue
        is_stray = not around or around[-1][0] != part.name
        start = _leave(around, names, part.name)
        is_whole = not is_stray and len(around) >= broken and part.name != _ENDS_ITSELF
        if is_whole and start is not None:
            found |= {start, place}
        broken = len(around) if is_stray else min(broken, len(around))
    return found


def _leave(around: list[tuple[str, int]], names: Counter[str], name: str) -> int | None:
    """Leave the innermost element of a name, if we are in one; return where it began."""
    while names[name]:
        last, start = around.pop()
        names[last] -= 1
        if last == name:
            return start
    return None


def _simplified(markup: str) -> Iterator[str | _Tag]:
    place = 0
    while token := _TOKEN.match(markup, place):
        place = token.end()
        if token["text"]:
            yield token["text"]
        elif token["tag"]:
            name = token["tag"].lower()
            is_whole = token["close"] and _PLAIN_NAME.fullmatch(name)
            yield _tag(token, name) if is_whole else _line_ends(token[0])
            if name in _RAW and is_whole and not token["end"]:
                end = _end_of(name, markup, place)
                raw, place = markup[place:end], end
                yield html.escape(raw, quote=False) if name == _TITLE else _line_ends(raw)
        else:
            yield _line_ends(token[0]) if token["unseen"] else "&lt;"


def _line_ends(text: str) -> str:
    return "\n" * text.count("\n")


def _tag(token: re.Match[str], name: str) -> _Tag:
    line_ends = _line_ends(token[0])
    if token["end"]:
        return _Tag(name, is_end=True, rest=line_ends, line_ends=line_ends)
    kept: dict[str, str] = {}
    last = ""
    for attribute in _ATTRIBUTES.finditer(token["attributes"]):
        key, last = (attribute["name"] or "").lower(), attribute[0]
        if key in _KEPT and name not in _BOLD:
            kept.setdefault(key, _value(attribute))
    attributes = "".join([f' {key}="{value}"' for key, value in kept.items()])
    # A slash at the end closes what is drawn, unless it is the end of an attribute.
    closed = "/" if last.endswith("/") and not last.strip("/ \t\r\n\f") else ""
    rest = f"{line_ends}{attributes}{closed}"
    return _Tag(name, is_end=False, rest=rest, line_ends=line_ends)


def _value(attribute: re.Match[str]) -> str:
    """Return the value of an attribute in one line, escaped for double quotes."""
    value = attribute["double"] or attribute["single"] or attribute["bare"] or ""
    return value.replace("<", "&lt;").replace('"', "&quot;").replace("\n", " ")


def _end_of(name: str, markup: str, start: int) -> int:
    """Return where the content of a raw element ends."""
    end = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(markup, start)
    return end.start() if end else len(markup)
