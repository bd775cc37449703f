"""Kinds of document that are recognised and not read, each with what to do instead. All pure."""

import re
from typing import NamedTuple

_LOOKED_AT = 200_000


class _Unread(NamedTuple):
    sign: re.Pattern[str]
    name: str
    remedy: str


_AS_BIBTEX = "Export the references as BibTeX or RIS, and import that."
_UNREAD = (
    _Unread(re.compile(r"\s*%0 [A-Z]"), "a file of EndNote", _AS_BIBTEX),
    _Unread(
        re.compile(r"\s*<xml>\s*<records>|\s*(?:<\?xml[^>]{0,100}>\s*)?<xml>"),
        "a file of EndNote",
        _AS_BIBTEX,
    ),
    _Unread(re.compile(r"\s*PMID ?- ?\d"), "a file of PubMed (nbib)", _AS_BIBTEX),
    _Unread(
        re.compile(r"\s*(?:<\?xml[^>]{0,100}>\s*)?(?:<!--.{0,300}?-->\s*)?<opml\b", re.IGNORECASE),
        "a list of feeds (OPML)",
        "Follow one of its feeds: broadsheet sources add SLUG URL.",
    ),
)
_PAGE = re.compile(r"\s*(?:<!--.{0,300}?-->\s*)?<(?:!doctype\s+html|html|head)\b", re.IGNORECASE)
_TAG = re.compile(r"<link\b[^<>]{0,1000}>", re.IGNORECASE)
_FEED = re.compile(r"application/(?:rss|atom)\+xml", re.IGNORECASE)
_ADDRESS = re.compile(r"\bhref\s{0,3}=\s{0,3}[\"']?([^\"'<>\s]{1,500})", re.IGNORECASE)
_WALL = re.compile(
    r"enable (?:cookies|javascript)|just a moment|checking your browser|are you a robot"
    r"|cookies? (?:consent|settings)|captcha",
    re.IGNORECASE,
)


def unread_kind(text: str) -> tuple[str, str] | None:
    """Return the name of the kind that a text is and what to do; `None` for any other."""
    head = text[:_LOOKED_AT]
    for kind in _UNREAD:
        if kind.sign.match(head):
            return kind.name, kind.remedy
    if not _PAGE.match(head):
        return None
    for tag in _TAG.finditer(head):
        address = _ADDRESS.search(tag[0]) if _FEED.search(tag[0]) else None
        if address:
            return "a web page that has a feed", f"Import or follow the feed: {address[1]}"
    if _WALL.search(head):
        return (
            "a page that asks for cookies, a script or a human",
            "Save the document itself with a browser, and import the file.",
        )
    return None
