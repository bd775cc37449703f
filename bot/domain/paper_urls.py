"""The web addresses of papers, with nothing in them that a reader could not follow. Pure."""

import re
from urllib.parse import quote

from bot.domain.untrusted_text import flat
from store.records import Entry

_WEB = re.compile(r"https?://[^/?#]", re.IGNORECASE)
_SCHEME = re.compile(r"\Ahttps?://", re.IGNORECASE)
# Characters with a meaning in URLs: https://www.rfc-editor.org/rfc/rfc3986#section-2.2
# Square brackets belong to numeric hosts only; anywhere else they break readers.
_RESERVED = ":/?#@!$&'()*+,;=%"
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


def entry_url(entry: Entry) -> str | None:
    """Return the page of an entry's paper.

    That is its arXiv page, else its DOI's page, else the link labelled Paper, else the first
    link; `None` if it has none of them.
    """
    if entry.arxiv_id:
        return arxiv_url(entry.arxiv_id)
    if entry.doi:
        return f"https://doi.org/{quote(flat(entry.doi), safe='/:;(),')}"
    links = sorted(entry.links, key=lambda link: link.label.casefold() != "paper")
    addresses = (web_address(link.url) for link in links)
    return next((with_small_scheme(address) for address in addresses if address), None)


def arxiv_url(arxiv_id: str) -> str | None:
    """Return the abstract page of an arXiv id."""
    return web_address(f"https://arxiv.org/abs/{arxiv_id}")


def with_small_scheme(url: str) -> str:
    """Return an address with the scheme in small letters: not every chat makes a link of others."""
    return _SCHEME.sub(lambda found: found[0].lower(), url)


def web_address(url: str) -> str | None:
    """Return an `http` or `https` URL with all illegal characters percent-encoded, else `None`."""
    address = _STRAY_PERCENT.sub("%25", flat(url))
    return quote(address, safe=_RESERVED) if _WEB.match(address) else None
