"""HTML said again in few words, so that parsing it costs time in proportion to its length.

Parsers that mend HTML as browsers do compare each attribute of a tag with all before it, and open
bold text that was never closed again in every block behind it, each time that it has attributes of
its own:
https://html.spec.whatwg.org/multipage/parsing.html#reconstruct-the-active-formatting-elements A few
kilobytes then cost minutes, or gigabytes. So every tag is told anew, with those attributes alone
that somebody reads, in a form that means the same wherever it stands. How tags are told from text:
https://html.spec.whatwg.org/multipage/parsing.html#tokenization
"""

import html
import re
from collections.abc import Iterator

_ATTRIBUTE = (
    r"[\s/]++"
    r"|{0}=?+[^\s/>=]++{1}(?:\s*+=\s*+(?:\"{2}[^\"]*+{3}\"|'{4}[^']*+{5}'|{6}[^\s>\"'][^\s>]*+{7})?+)?+"
    r"|="
)
_UNNAMED = _ATTRIBUTE.format(*["(?:", ")"] * 4)
_NAMED = re.compile(
    _ATTRIBUTE.format("(?P<name>", ")", "(?P<double>", ")", "(?P<single>", ")", "(?P<bare>", ")"),
    re.ASCII,
)
# Text, what is shown to nobody, a tag, or a sign that begins none. What the end of a document cuts
# off is no tag.
_TOKEN = re.compile(
    r"(?P<text>[^<]++)"
    r"|(?P<unseen><!--(?:-?>|.*?(?:--!?>|\Z))|<(?:[!?]|/(?![a-z]))[^>]*+>?)"
    rf"|<(?P<end>/?)(?P<tag>[a-z][^\s/>]*+)(?P<attributes>(?:{_UNNAMED})*+)(?P<close>>|\Z)"
    r"|<",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9:_-]{0,40}")
_KEPT = frozenset({
    "aria-hidden", "class", "content", "datetime", "hidden", "href", "itemprop", "property", "rel",
})  # fmt: skip
# What stands in these is no markup; nobody sees it, but for the title of a page.
_TITLE = "title"
_RAW = frozenset({
    "iframe", "noembed", "noframes", "plaintext", "script", "style", "textarea", _TITLE, "xmp",
})  # fmt: skip
# Of what is opened again in every block no more than the bold is told from other text. Without
# attributes three of a name are opened again at most.
_BOLD = frozenset({"b", "strong"})
_OTHER_LOOKS = frozenset({
    "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "tt", "u",
})  # fmt: skip
_ANY_LOOK = "span"


def restated(markup: str) -> str:
    """Return HTML that shows the same, without comments, scripts, and attributes that none reads.

    Its lines have the numbers that they had.
    """
    return "".join(_restated(markup))


def _restated(markup: str) -> Iterator[str]:
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
    for attribute in _NAMED.finditer(token["attributes"]):
        key, last = (attribute["name"] or "").lower(), attribute[0]
        if key in _KEPT and name not in _BOLD:
            kept.setdefault(key, _value(attribute))
    told = "".join([f' {key}="{value}"' for key, value in kept.items()])
    # A slash at the end closes what is drawn, unless it is the end of an attribute.
    closed = "/" if last.endswith("/") and not last.strip("/ \t\r\n\f") else ""
    return f"<{shown}{_line_ends(token[0])}{told}{closed}>"


def _value(attribute: re.Match[str]) -> str:
    """Return what an attribute is set to, for quotes to stand around it; its escapes stay."""
    value = attribute["double"] or attribute["single"] or attribute["bare"] or ""
    return value.replace("<", "&lt;").replace('"', "&quot;")


def _end_of(name: str, markup: str, start: int) -> int:
    """Return where what stands in an element ends that holds no markup, at its own end tag."""
    end = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(markup, start)
    return end.start() if end else len(markup)
