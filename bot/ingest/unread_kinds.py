"""Kinds of document that are recognised and not read, each with what to do instead. All pure.

They stand in `docs/own-list.md`.
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple
from urllib.parse import urljoin

_LOOKED_AT = 200_000
# A page with more words than these is no wall before another.
_MOST_WORDS = 400


class UnreadKind(NamedTuple):
    """The name of a kind, and what to do instead."""

    name: str
    remedy: str


class _Sign(NamedTuple):
    sign: re.Pattern[str]
    kind: UnreadKind


_AS_BIBTEX = "Export the references as BibTeX or RIS, and import that."
_AS_TEXT = "Save it as plain text or Markdown, and import that."
_BEFORE = (
    r"(?:\s|\ufeff|<\?xml[^>]{0,300}>|<!--(?:[^-]|-(?!->)){0,5000}-->|<!doctype\s[^>]{0,300}>)*+"
)
_ENDNOTE = UnreadKind("a file of EndNote", _AS_BIBTEX)
_TEXTS = (
    _Sign(re.compile(r"\s*(?:%[0A-Z@&?!~] .{0,2000}\n\s*){2}|\s*%0 [A-Z]"), _ENDNOTE),
    _Sign(re.compile(rf"{_BEFORE}<(?:xml>\s*<)?records>", re.IGNORECASE), _ENDNOTE),
    _Sign(
        re.compile(r"\s*(?:[A-Z]{2,4} {0,2}- .{0,2000}\n\s*){0,9}PMID ?- ?\d"),
        UnreadKind("a file of PubMed (nbib)", _AS_BIBTEX),
    ),
    _Sign(
        re.compile(r"\s*FN .{0,200}\n\s*VR \d|PT\tAU\t"),
        UnreadKind("a file of Web of Science", _AS_BIBTEX),
    ),
    _Sign(
        re.compile(rf"{_BEFORE}<mods(?:collection)?[\s>]", re.IGNORECASE),
        UnreadKind("a file in MODS", _AS_BIBTEX),
    ),
    _Sign(
        re.compile(rf"{_BEFORE}<rdf:rdf\s(?![^>]{{0,2000}}purl\.org/rss/)", re.IGNORECASE),
        UnreadKind("a file in RDF", _AS_BIBTEX),
    ),
    _Sign(
        re.compile(rf"{_BEFORE}<opml\b", re.IGNORECASE),
        UnreadKind(
            "a list of feeds (OPML)", "Follow one of its feeds: broadsheet sources add SLUG URL."
        ),
    ),
    _Sign(
        re.compile(rf"{_BEFORE}<(?:urlset|sitemapindex)\b", re.IGNORECASE),
        UnreadKind("a map of a site", "Give the address of the list itself."),
    ),
    _Sign(
        re.compile(r"\s*<!doctype netscape-bookmark-file", re.IGNORECASE),
        UnreadKind("a browser's bookmarks", "Copy those of papers into a list, a line each."),
    ),
    _Sign(
        re.compile(r"\s*\{(?=[^\0]{0,200000}\"nbformat\"\s*:)\s*\"(?:cells|metadata|nbformat)"),
        UnreadKind("a notebook", "Export it as Markdown, and import that."),
    ),
    _Sign(re.compile(r"\s*\{\\rtf\d"), UnreadKind("a text in RTF", _AS_TEXT)),
    _Sign(
        re.compile(r"\s*(?:%.{0,300}\n\s*){0,20}\\(?:documentclass|begin\{thebibliography\})"),
        UnreadKind("a text in LaTeX", "Import its references as BibTeX."),
    ),
)
_PAGE = re.compile(rf"{_BEFORE}<(?:html|head|body)\b", re.IGNORECASE)
_DOCTYPE = re.compile(
    r"(?:\s|\ufeff|<!--(?:[^-]|-(?!->)){0,5000}-->)*+<!doctype\s+html", re.IGNORECASE
)
_TITLE = re.compile(r"<title\b[^<>]{0,200}>(?P<title>[^<]{0,300})", re.IGNORECASE)
_LINK = re.compile(r"<link\b[^<>]{0,1000}>", re.IGNORECASE)
_FEED = re.compile(r"application/(?:rss|atom)\+xml", re.IGNORECASE)
_ADDRESS = re.compile(r"\bhref\s{0,3}=\s{0,3}[\"']?([^\"'<>\s]{1,500})", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,2000}>")
_UNSEEN = re.compile(r"<(script|style|svg)\b[^<>]{0,500}>", re.IGNORECASE)
_SIGNS_IN = re.compile(
    r"\b(?:sign|log) ?-?in(?:\b|to\b)|\blog-?in\b|\banmeld(?:en|ung)\b|\beinloggen\b|\bconnexion\b"
    r"|\bse connecter\b|iniciar sesi[o\u00f3]n|\baccedi\b|\bentrar\b|\u767b\u5f55|\u767b\u5165"
    r"|\u30ed\u30b0\u30a4\u30f3|\ub85c\uadf8\uc778|\u0432\u043e\u0439\u0442\u0438|\u0432\u0445\u043e\u0434\b",
    re.IGNORECASE,
)
_PASSWORD = re.compile(r"<input\b[^<>]{0,500}\btype\s?=\s?[\"']?password", re.IGNORECASE)
_ASKS = re.compile(
    r"just a moment|attention required|checking your browser|are you (?:a )?(?:robot|human)"
    r"|(?:not|you're|you are) a robot|verify(?:ing)? (?:that )?you are|captcha|security check"
    r"|before you continue|bevor (?:sie|du) (?:fortf|weiter)|avant d.acc|antes de continuar"
    r"|(?:enable|activate|requires?|need|allow) (?:cookies|java ?script)"
    r"|(?:java ?script|cookies) (?:is|are|must be|to be) (?:required|enabled|disabled|turned)"
    r"|cookies? (?:consent|settings|policy|preferences|einstellungen)"
    r"|(?:accept|reject|allow|use|using|alle) (?:all )?cookies|cookies akzeptieren"
    r"|value your privacy|privacy (?:choices|preferences)|consent\b",
    re.IGNORECASE,
)
_SIGN_IN = UnreadKind(
    "a page to sign in",
    "Share the document with all who have its address (a sheet: Publish to web), or import a file.",
)
_WALL = UnreadKind(
    "a page that asks for cookies, a script or a human",
    "Save the document itself with a browser, and import the file.",
)
_SITES = (
    _Sign(
        re.compile(r"\bcontent=\"(?:GitHub|GitLab)\"|\bRecent Commits to\b"),
        UnreadKind(
            "a page about a file or a repository", "Give the address behind its button Raw."
        ),
    ),
    _Sign(
        re.compile(r"docs\.google\.com/(?:spreadsheets|document)/d/"),
        UnreadKind(
            "a page of Google's editor",
            "Publish it to the web (a sheet as Comma-separated values), and give that address.",
        ),
    ),
)
# The first bytes of files that are no text, and what is in them.
_ZIP = b"PK\x03\x04"
_AS_SHEET = "Save the sheet as CSV in UTF-8, and import that."
_PACKED = (
    (b"word/", UnreadKind("a document of Word", _AS_TEXT)),
    (b"xl/", UnreadKind("a workbook of Excel", _AS_SHEET)),
    (b"ppt/", UnreadKind("slides of PowerPoint", _AS_TEXT)),
    (b"opendocument.spreadsheet", UnreadKind("a sheet of LibreOffice", _AS_SHEET)),
    (b"opendocument", UnreadKind("a document of LibreOffice", _AS_TEXT)),
    (b"epub+zip", UnreadKind("a book (EPUB)", _AS_TEXT)),
)
_BINARY = (
    (b"%PDF-", UnreadKind("a PDF", "Import the list that it was made of, as text.")),
    (
        b"\xd0\xcf\x11\xe0",
        UnreadKind("a document of an older Office", "Save it as text, or a sheet as CSV."),
    ),
    (b"SQLite format 3", UnreadKind("a database", "Export the references as BibTeX, RIS or CSV.")),
)


def unread_file(data: bytes) -> UnreadKind | None:
    """Return the kind of a file that is no text; `None` for any other."""
    if data.startswith(_ZIP):
        inside = (kind for sign, kind in _PACKED if sign in data)
        packed = UnreadKind("a zip archive", "Unpack it, and import the files that are in it.")
        return next(inside, packed)
    head = data[: len(_ZIP) + 16]
    return next((kind for sign, kind in _BINARY if head.lstrip().startswith(sign)), None)


def unread_text(text: str) -> UnreadKind | None:
    """Return the kind of a text that says so itself, and is no list; `None` for any other."""
    head = text[:_LOOKED_AT]
    return next((each.kind for each in _TEXTS if each.sign.match(head)), None)


def unread_page(text: str, path: str) -> UnreadKind | None:
    """Return what a web page is in place of a document at an address; `None` for any other text."""
    return next(_kinds_of_page(text[:_LOOKED_AT], path), None) if is_web_page(text) else None


def is_web_page(text: str) -> bool:
    """Tell a whole web page by its first tag."""
    return bool(_PAGE.match(text) or _DOCTYPE.match(text))


def _kinds_of_page(head: str, path: str) -> Iterator[UnreadKind]:
    """Yield what a page may be, by the surest sign first."""
    found = _TITLE.search(head)
    title = found["title"] if found else ""
    if _SIGNS_IN.search(title) or _PASSWORD.search(head):
        yield _SIGN_IN
    if _ASKS.search(title):
        yield _WALL
    yield from (each.kind for each in _SITES if each.sign.search(head))
    for feed in _feeds(head):
        at = urljoin(path, feed) if "://" in path else feed
        yield UnreadKind("a web page that has a feed", f"Import or follow the feed: {at}")
    shown = _shown(head)
    if len(shown.split()) > _MOST_WORDS:
        return
    if _ASKS.search(shown):
        yield _WALL
    if _SIGNS_IN.search(shown) and "<form" in head.lower():
        yield _SIGN_IN


def _feeds(head: str) -> Iterator[str]:
    """Yield the addresses of a page's feeds, that of its comments last."""
    addresses = [
        unescape(address[1])
        for tag in _LINK.finditer(head)
        if _FEED.search(tag[0]) and (address := _ADDRESS.search(tag[0]))
    ]
    yield from sorted(addresses, key=lambda address: "comments" in address)


def _shown(head: str) -> str:
    """Return the text that a page shows, without scripts and tags."""
    parts, place = list[str](), 0
    lowered = head.lower()
    while found := _UNSEEN.search(head, place):
        parts.append(head[place : found.start()])
        end = lowered.find(f"</{found[1].lower()}", found.end())
        place = end if end >= 0 else len(head)
    return _TAG.sub(" ", "".join([*parts, head[place:]]))
