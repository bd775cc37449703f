"""A line of Markdown as pieces of text without marks, each with its address and its weight."""

import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.domain.paper_ids import arxiv_id_in_url
from bot.domain.untrusted_text import unescaped
from bot.ingest.formats.own_list.blocks import References, read_inline

if TYPE_CHECKING:
    from markdown_it.token import Token

BREAK = "\n"
_ADDRESS = re.compile(
    r"https?://(?:[^\s<>()\[\]\"'`|\u201c\u201d]|\([^\s<>()\"]{0,300}\)|'(?=\w)){1,2000}",
    re.IGNORECASE,
)
_AFTER_ADDRESS = ".,;:!?*_"
# A host and a path without their scheme; a file of the same site is no such address.
_SCHEMELESS = re.compile(
    r"(?:www\.|[\w-]{1,63}\.)(?:[\w-]{1,63}\.){0,5}[a-z]{2,12}/\S*", re.IGNORECASE
)
_DOI = re.compile(r"(?:doi:\s?)?(10\.\d{4,9}/\S{1,200})", re.IGNORECASE)
_HTML_LINK = re.compile(
    r"<a\s[^<>]{0,300}?href\s?=\s?[\"']?(?P<url>[^\"'<>\s]{1,2000})[^<>]{0,300}>(?P<label>(?:[^<>]|<(?!/?a[\s>])[^<>]{0,300}>){0,500}+)</a>",
    re.IGNORECASE,
)
_HTML_BOLD = re.compile(r"<(?P<end>/?)(?:b|strong)(?:\s[^<>]{0,100})?>", re.IGNORECASE)
_HTML_PICTURE = re.compile(
    r"<img\s[^<>]{0,300}?alt\s?=\s?(?:\"(?P<double>[^\"<>]{0,200})\"|'(?P<single>[^'<>]{0,200})')",
    re.IGNORECASE,
)
_SLACK_LINK = re.compile(
    r"<(?P<url>https?://[^\s|<>]{1,2000})\|(?P<label>[^<>|\[\]\n]{1,300})>", re.IGNORECASE
)
_ORG_LINK = re.compile(
    r"\[\[(?P<url>https?://[^\[\]<>\s]{1,2000})\]\[(?P<label>[^\[\]\n]{1,300})\]\]", re.IGNORECASE
)
_WIKI_LINK = re.compile(
    r"(?<!!)\[\[(?:[^\[\]|#\n]{0,200}/)?(?P<name>[^\[\]|#/\n]{1,200})(?:#[^\[\]|\n]{0,200})?"
    r"(?:\|(?P<alias>[^\[\]|\n]{1,200}))?\]\](?![(\[])"
)
_RST_LINK = re.compile(
    r"`(?P<label>[^`<>\[\]\n]{1,300}?)\s{0,3}<(?P<url>https?://[^\s<>`]{1,2000})>`__?",
    re.IGNORECASE,
)
_HIDDEN = re.compile(r"%%[^%\n]{0,500}%%")
_MARKED = re.compile(r"==(?P<words>[^=\s](?:[^=\n]{0,300}[^=\s])?)==")
# A field that Dataview reads within a line.
_FIELD = re.compile(r"[\[(]?\b(?:arxiv|doi|link|paper|source|url)::\s{0,3}", re.IGNORECASE)
_HTML_BREAK = re.compile(r"<(?:br|p|/p|/li)\s{0,3}/?>", re.IGNORECASE)
_HTML_TAG = re.compile(
    r"</?(?:jats:[a-z-]{1,20}|a|abbr|b|big|br|center|code|del|details|div|em|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|s"
    r"|small|span|strong|sub|summary|sup|td|th|tr|tt|u|ul)(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)


_LONGEST_SITE = 300
_PAPER_SITE = re.compile(
    r"//(?:[\w-]{1,40}\.){0,4}(?:arxiv\.org|alphaxiv\.org|openreview\.net|doi\.org|aclanthology\.org"
    r"|aclweb\.org|biorxiv\.org|medrxiv\.org|thecvf\.com|neurips\.cc|nips\.cc|mlr\.press|jmlr\.org"
    r"|aaai\.org|ijcai\.org|acm\.org|ieee\.org|nature\.com|science\.org|springer\.com"
    r"|sciencedirect\.com|semanticscholar\.org|ssrn\.com|ecva\.net|isca-archive\.org|usenix\.org"
    r"|hal\.science|pnas\.org|cell\.com|plos\.org|mdpi\.com|frontiersin\.org|wiley\.com"
    r"|huggingface\.co/papers|iclr\.cc|mlsys\.org|nih\.gov)(?:[/:?]|$)",
    re.IGNORECASE,
)
_PDF = re.compile(r"\.pdf(?:$|[?#])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TextRun:
    """A run of text; `url` is where it leads, an address by itself has no text.

    `is_local` is true of a link within the site, whose address is not kept, `is_tag` of a
    picture, and of code or bold text that a line begins with.
    """

    text: str
    url: str | None = None
    is_bold: bool = False
    is_local: bool = False
    is_tag: bool = False

    @property
    def has_words(self) -> bool:
        """True if it has a letter or a digit."""
        return any(char.isalnum() for char in self.text)


def web_address_of(text: str) -> str | None:
    """Return the web address that a text is, with its scheme; `None` for anything else.

    A DOI is the address at which it is resolved.
    """
    bare = text.strip().strip("<>")
    if bare.lower().startswith(("http://", "https://")):
        return bare if _ADDRESS.match(bare) and not any(char.isspace() for char in bare) else None
    if doi := _DOI.fullmatch(bare):
        return f"https://doi.org/{doi[1]}"
    return f"https://{bare}" if _SCHEMELESS.fullmatch(bare) else None


def is_paper_address(url: str | None) -> bool:
    """Tell an address at which a paper is found, by its site or its end."""
    if not url:
        return False
    return bool(arxiv_id_in_url(url) or _PAPER_SITE.search(url[:_LONGEST_SITE]) or _PDF.search(url))


def pieces_of(text: str, references: References | None = None) -> list[TextRun]:
    """Return the pieces of a text whose Markdown is resolved; ends of lines are of their own."""
    tokens = list(read_inline(_as_markdown(text), references))
    if len(tokens) == 1 and tokens[0].type == "text":
        return plain_pieces(tokens[0].content)
    return list(_with_addresses(_html_links(_pieces(tokens))))


def _as_markdown(text: str) -> str:
    """Return a text whose links of Slack, of wikis and of reStructuredText are Markdown's."""
    if "|" in text:
        text = _SLACK_LINK.sub(r"[\g<label>](<\g<url>>)", text)
    if "][" in text:
        text = _ORG_LINK.sub(r"[\g<label>](<\g<url>>)", text)
    if "[[" in text:
        text = _WIKI_LINK.sub(lambda found: found["alias"] or found["name"].strip("@"), text)
    if "%%" in text:
        text = _HIDDEN.sub("", text)
    if "==" in text:
        text = _MARKED.sub(r"\g<words>", text)
    if ">`_" in text:
        text = _RST_LINK.sub(r"[\g<label>](<\g<url>>)", text)
    return _FIELD.sub("", text) if "::" in text else text


def plain_pieces(text: str) -> list[TextRun]:
    """Return the pieces of a text that is no Markdown, but may have tags of HTML."""
    if "<" not in text and "://" not in text:
        return [TextRun(text)]
    return list(_with_addresses(_html_links([TextRun(text)])))


def _pieces(tokens: Iterable["Token"]) -> Iterator[TextRun]:
    url: str | None = None
    bold = 0
    begun = False
    for token in tokens:
        match token.type:
            case "link_open":
                url = str(token.attrs.get("href", ""))
            case "link_close":
                url = None
            case "strong_open" | "em_open":
                bold += 1
            case "strong_close" | "em_close":
                bold -= 1
            case "softbreak" | "hardbreak":
                yield TextRun(BREAK)
            case "image":
                # A badge is a picture with a link: its label says where that leads.
                if url is not None:
                    yield TextRun(token.content, url, bold > 0, is_tag=True)
            case _:
                if token.content:
                    is_tag = not (begun or url) and (bold > 0 or token.type == "code_inline")
                    begun = begun or (not is_tag and any(map(str.isalnum, token.content)))
                    yield TextRun(token.content, url, bold > 0, is_tag=is_tag)


def _html_links(pieces: Iterable[TextRun]) -> Iterator[TextRun]:
    """Read the links and the bold words of HTML, and drop its other tags."""
    bold = 0
    for piece in _joined(pieces):
        if "<" not in piece.text:
            yield replace(piece, is_bold=True) if bold else piece
            continue
        start = 0
        for found in _HTML_LINK.finditer(piece.text):
            bold = yield from _weighed(piece, piece.text[start : found.start()], bold)
            yield _html_link(piece, found, bold)
            start = found.end()
        bold = yield from _weighed(piece, piece.text[start:], bold)


def _html_link(piece: TextRun, found: re.Match[str], bold: int) -> TextRun:
    """Return a link of HTML; that of a picture has its words, as a badge has."""
    label = found["label"]
    text = _untagged(unescaped(label)) if "<" in label else unescaped(label)
    picture = _HTML_PICTURE.search(label) if "<" in label and not text.strip() else None
    if picture:
        words = unescaped(picture["double"] or picture["single"] or "")
        return TextRun(words, found["url"], is_bold=piece.is_bold or bold > 0, is_tag=True)
    is_bold = piece.is_bold or bold > 0 or _HTML_BOLD.match(label) is not None
    return replace(piece, text=text, url=found["url"], is_bold=is_bold)


def _weighed(piece: TextRun, text: str, bold: int) -> Generator[TextRun, None, int]:
    """Yield a text in parts that are bold or not; return how many such elements are open."""
    start = 0
    for found in _HTML_BOLD.finditer(text):
        yield replace(
            piece, text=_untagged(text[start : found.start()]), is_bold=piece.is_bold or bold > 0
        )
        bold = max(0, bold - 1) if found["end"] else bold + 1
        start = found.end()
    yield replace(piece, text=_untagged(text[start:]), is_bold=piece.is_bold or bold > 0)
    return bold


def _untagged(text: str) -> str:
    return _HTML_TAG.sub("", _HTML_BREAK.sub(" ", text))


def _joined(pieces: Iterable[TextRun]) -> Iterator[TextRun]:
    """Join neighbours that differ in their text alone."""
    texts: list[str] = []
    last: TextRun | None = None
    for piece in pieces:
        alike = last and _look(last) == _look(piece)
        if last and not (alike and BREAK not in (last.text, piece.text)):
            yield replace(last, text="".join(texts)) if len(texts) > 1 else last
            texts = []
        texts.append(piece.text)
        last = piece
    if last:
        yield replace(last, text="".join(texts)) if len(texts) > 1 else last


def _look(piece: TextRun) -> tuple[str | None, bool, bool]:
    return piece.url, piece.is_bold, piece.is_tag


def _with_addresses(pieces: Iterable[TextRun]) -> Iterator[TextRun]:
    """Take the addresses in texts out of them."""
    for piece in _joined(pieces):
        if piece.url is not None:
            url = web_address_of(piece.url)
            yield replace(piece, url=url, text=_label(piece.text), is_local=url is None)
            continue
        if "://" not in piece.text:
            yield piece
            continue
        start = 0
        for found in _ADDRESS.finditer(piece.text):
            url = found[0].rstrip(_AFTER_ADDRESS)
            yield replace(piece, text=piece.text[start : found.start()])
            yield TextRun("", url, piece.is_bold)
            start = found.start() + len(url)
        yield replace(piece, text=piece.text[start:])


def _label(text: str) -> str:
    """Return the label of a link; one that is an address says nothing."""
    return "" if web_address_of(text) else text


def text_of(pieces: Sequence[TextRun]) -> str:
    """Return the text of pieces on one line."""
    return " ".join("".join(piece.text for piece in pieces).split())


def lines_of(pieces: Sequence[TextRun]) -> Iterator[list[TextRun]]:
    """Yield the lines of pieces."""
    line: list[TextRun] = []
    for piece in pieces:
        if piece.text == BREAK:
            yield line
            line = []
        else:
            line.append(piece)
    yield line
