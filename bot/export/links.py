"""Web addresses, fit to stand in any format."""

import re
from urllib.parse import quote

from bot.export.text import flat
from store.records import Entry

_WEB = re.compile(r"https?://[^/?#]", re.IGNORECASE)
# The signs that have a meaning in an address: https://www.rfc-editor.org/rfc/rfc3986#section-2.2
# Square brackets belong to numeric hosts only; anywhere else they break readers.
_WITH_MEANING = ":/?#@!$&'()*+,;=%"
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


def entry_url(entry: Entry) -> str | None:
    """Return where an entry's paper is read.

    That is its arXiv page, else its DOI's page, else the link labelled Paper, else the first
    link; `None` where there is none of them.
    """
    if entry.arxiv_id:
        return web_address(f"https://arxiv.org/abs/{entry.arxiv_id}")
    if entry.doi:
        return f"https://doi.org/{quote(flat(entry.doi), safe='/:;(),')}"
    links = sorted(entry.links, key=lambda link: link.label.casefold() != "paper")
    return next((address for link in links if (address := web_address(link.url))), None)


def web_address(url: str) -> str | None:
    """Return an `http` or `https` address with all that no address may hold percent-encoded.

    Anything else, `javascript:` say, is no place to send a reader to: `None`.
    """
    address = _STRAY_PERCENT.sub("%25", flat(url))
    return quote(address, safe=_WITH_MEANING) if _WEB.match(address) else None
