"""The refs of entries, and the ids of papers in links. All pure.

How ids make papers: `docs/identity.md`.
"""

import re
from collections.abc import Sequence
from datetime import date
from urllib.parse import unquote

from bot.domain.drafts import EntryDraft
from store.records import Link

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


def entry_ref(source: str, first_day: date, entry: EntryDraft) -> str:
    """Return the ref of an entry: `dair:2026-01-05#3`, `paperdive:E162`."""
    if entry.episode is not None:
        return f"{source}:{entry.episode}"
    return f"{source}:{first_day.isoformat()}#{entry.rank}"


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
