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
from collections.abc import Iterator
from typing import TYPE_CHECKING

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
    return "".join(_simplified(markup))


def _simplified(markup: str) -> Iterator[str]:
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


def _tag(token: re.Match[str], name: str) -> str:
    shown = _ANY_LOOK if name in _OTHER_LOOKS else name
    if token["end"]:
        return f"</{shown}{_line_ends(token[0])}>"
    kept: dict[str, str] = {}
    last = ""
    for attribute in _ATTRIBUTES.finditer(token["attributes"]):
        key, last = (attribute["name"] or "").lower(), attribute[0]
        if key in _KEPT and name not in _BOLD:
            kept.setdefault(key, _value(attribute))
    attributes = "".join([f' {key}="{value}"' for key, value in kept.items()])
    # A slash at the end closes what is drawn, unless it is the end of an attribute.
    closed = "/" if last.endswith("/") and not last.strip("/ \t\r\n\f") else ""
    return f"<{shown}{_line_ends(token[0])}{attributes}{closed}>"


def _value(attribute: re.Match[str]) -> str:
    """Return the value of an attribute in one line, escaped for double quotes."""
    value = attribute["double"] or attribute["single"] or attribute["bare"] or ""
    return value.replace("<", "&lt;").replace('"', "&quot;").replace("\n", " ")


def _end_of(name: str, markup: str, start: int) -> int:
    """Return where the content of a raw element ends."""
    end = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(markup, start)
    return end.start() if end else len(markup)
