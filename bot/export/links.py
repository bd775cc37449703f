"""Links and text from sources, made safe for every file format."""

import re
from urllib.parse import quote

from bot.domain.untrusted_text import CONTROLS
from store.records import Entry

# XML forbids two non-characters beside the controls (https://www.w3.org/TR/xml/#charsets).
_UNPRINTABLE = re.compile(f"[{CONTROLS}\ufffe\uffff]")
_WEB = re.compile(r"https?://[^/?#]", re.IGNORECASE)
# Characters with a meaning in URLs: https://www.rfc-editor.org/rfc/rfc3986#section-2.2
# Square brackets belong to numeric hosts only; anywhere else they break readers.
_RESERVED = ":/?#@!$&'()*+,;=%"
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


def clean(text: str) -> str:
    """Replace unprintable characters with blanks and every line break with a line feed."""
    return _UNPRINTABLE.sub(" ", "\n".join(text.splitlines()))


def flat(text: str) -> str:
    """Return the text on one line, its words separated by single blanks."""
    return " ".join(_UNPRINTABLE.sub(" ", text).split())


def entry_url(entry: Entry) -> str | None:
    """Return the page of an entry's paper.

    That is its arXiv page, else its DOI's page, else the link labelled Paper, else the first
    link; `None` if it has none of them.
    """
    if entry.arxiv_id:
        return web_address(f"https://arxiv.org/abs/{entry.arxiv_id}")
    if entry.doi:
        return f"https://doi.org/{quote(flat(entry.doi), safe='/:;(),')}"
    links = sorted(entry.links, key=lambda link: link.label.casefold() != "paper")
    return next((address for link in links if (address := web_address(link.url))), None)


def web_address(url: str) -> str | None:
    """Return an `http` or `https` URL with all illegal characters percent-encoded, else `None`."""
    address = _STRAY_PERCENT.sub("%25", flat(url))
    return quote(address, safe=_RESERVED) if _WEB.match(address) else None
