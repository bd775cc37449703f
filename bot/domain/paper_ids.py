"""The refs of entries, the ids of papers in links, and their web addresses. All pure.

How ids make papers: `docs/identity.md`.
"""

import re
from collections.abc import Sequence
from datetime import date
from urllib.parse import quote, unquote

from bot.domain.drafts import EntryDraft
from bot.domain.untrusted_text import flat
from store.records import Entry, Link

# The numbering since April 2007, and the archive/number one before it.
# https://info.arxiv.org/help/arxiv_identifier.html
_ARXIV_ID = r"(?P<id>\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?"
_ARXIV_URL = re.compile(
    r"(?:\barxiv\.org/(?:abs|pdf|html)/|\balphaxiv\.org/(?:abs|pdf|overview)/"
    r"|\bhuggingface\.co/papers/|10\.48550/arxiv\.)" + _ARXIV_ID + r"(?![\d.]*\d)",
    re.IGNORECASE,
)
_BARE_ARXIV_ID = re.compile(r"(?:arxiv:)?" + _ARXIV_ID, re.IGNORECASE)
# https://www.doi.org/doi-handbook/HTML/doi-name-syntax.html; the longest seen have 60 characters
_DOI_URL = re.compile(r"(?:doi\.org/|/doi/(?:abs/|full/|pdf/)?)(?P<doi>10\.\d{4,9}/[^\s?#]{1,200})")


_EPISODE_REF = re.compile(r":E\d+$")


def entry_ref(source: str, first_day: date, entry: EntryDraft) -> str:
    """Return the ref of an entry: `dair:2026-01-05#3`, `paperdive:E162`."""
    if entry.episode is not None:
        return f"{source}:{entry.episode}"
    return f"{source}:{first_day.isoformat()}#{entry.rank}"


def is_episode(ref: str) -> bool:
    """Tell the ref of an episode of a review: `paperdive:E162`."""
    return bool(_EPISODE_REF.search(ref))


def arxiv_id(links: Sequence[Link]) -> str | None:
    """Return the arXiv id, without version, that an entry's links name.

    A link labelled Paper comes first and one labelled Tweet last: a tweet may link to another
    paper.
    """
    ranked = sorted(links, key=lambda link: _LABEL_ORDER.get(link.label.casefold(), 1))
    return next((found for link in ranked if (found := arxiv_id_in_url(link.url))), None)


_LABEL_ORDER = {"paper": 0, "tweet": 2}


def arxiv_id_in_url(url: str) -> str | None:
    """Return the arXiv id, without version, that an address holds."""
    match = _ARXIV_URL.search(unquote(url))
    return match["id"] if match else None


def bare_arxiv_id(text: str) -> str | None:
    """Return the arXiv id, without version, that a text is: `2501.12948v2`, `arXiv:1706.03762`."""
    match = _BARE_ARXIV_ID.fullmatch(text.strip())
    return match["id"] if match else None


def doi(links: Sequence[Link]) -> str | None:
    """Return the DOI, in lower case, that an entry's links name; arXiv's own don't count."""
    for link in links:
        match = _DOI_URL.search(unquote(link.url))
        if match and not match["doi"].lower().startswith("10.48550/"):
            return match["doi"].rstrip("./)").lower()
    return None


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
