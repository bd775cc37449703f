"""The links of a review page that belong to an episode: its paper, its code, its project."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import urlsplit

from bot.domain.paper_ids import arxiv_id_in_url
from bot.ingest.formats.review.marks import numbers_in
from store.records import Link

# Two elements without a blank between them: no gap within a sentence, one between two labels.
# str.split takes this sign for a blank, so that no text of the page can hold it.
SEAM = "\x1f"

_LABELS = {
    "arxiv": "Paper", "pdf": "Paper", "paper": "Paper", "the paper": "Paper",
    "code": "Code", "github": "Code", "source": "Code",
    "project": "Project", "project page": "Project", "website": "Project",
    "blog": "Blog", "blog post": "Blog", "demo": "Demo", "tweet": "Tweet",
    "model": "Models", "models": "Models", "weights": "Models",
    "data": "Data", "dataset": "Data", "data set": "Data",
}  # fmt: skip
_CODE_HOSTS = frozenset({"github.com", "gitlab.com"})
_NUMBER = re.compile(r"(?:arxiv:?\s*)?\d{4}\.\d{4,5}(?:v\d+)?", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?://)?[\w.-]+\.[a-z]{2,}(?:/\S*)?", re.IGNORECASE)
_SHARING = re.compile(
    r"/(?:intent|sharer?|sharing|share-offsite|sharearticle|submit)\b", re.IGNORECASE
)
_OTHER = "Link"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text, and the address that it leads to if it is a link."""

    text: str
    url: str | None


def host_of(url: str) -> str:
    """Return the host of an absolute web address without `www.`, or "" for any other."""
    try:
        parts = urlsplit(url.strip())
        host = parts.hostname or ""
    except ValueError:  # no address at all, such as one with half a pair of brackets
        return ""
    return host.removeprefix("www.") if parts.scheme in ("http", "https") else ""


def own_hosts(blocks: Iterable[Sequence[Piece]], url: str | None) -> frozenset[str]:
    """Return the hosts of the page and of its episodes' pages, where links only lead around."""
    hosts = {host_of(url)} if url else set()
    for piece in (piece for pieces in blocks for piece in _joined(pieces)):
        if piece.url and numbers_in(collapsed(piece.text)) and not arxiv_id_in_url(piece.url):
            hosts.add(host_of(piece.url))
    return frozenset(hosts - {""})


def read_item_text(
    pieces: Sequence[Piece], own: frozenset[str]
) -> tuple[str, tuple[Link, ...], bool]:
    """Read a block as an item of a list: its words, its links, and whether any had a label.

    A separator replaces a link whose words only label its address.
    """
    found = [(piece, _episode_link(piece, own)) for piece in _joined(pieces)]
    labels = [bool(link) and _is_label(piece.text) for piece, link in found]
    text = "".join(
        " \u00b7 " if is_label or _SHARING.search(piece.url or "") else piece.text
        for (piece, _), is_label in zip(found, labels, strict=True)
    )
    links = dict.fromkeys(link for _, link in found if link)
    return _spaced(text), tuple(links), any(labels)


def united(listed: Sequence[Link], in_text: Iterable[Link]) -> tuple[Link, ...]:
    """Add the papers, code and projects that a text links to; its other links explain a word.

    Beside a listed paper, other papers are only mentioned.
    """
    has_paper = any(link.label == "Paper" for link in listed)
    known = {link.url for link in listed}
    more = [
        Link(_OTHER, link.url) if has_paper and link.label == "Paper" else link
        for link in in_text
        if link.url not in known and link.label != _OTHER
    ]
    return tuple(dict.fromkeys((*listed, *more)))


def _joined(pieces: Iterable[Piece]) -> list[Piece]:
    """Join the pieces of one link, however its words are marked up."""
    found: list[Piece] = []
    for url, group in groupby(pieces, key=lambda piece: piece.url or None):
        same = list(group)
        found += [Piece("".join(piece.text for piece in same), url)] if url else same
    return found


def collapsed(text: str) -> str:
    """Return a text with single blanks."""
    return " ".join(text.replace(SEAM, "").split())


def _spaced(text: str) -> str:
    """Return a text of labels side by side with a blank between each two."""
    return collapsed(text.replace(SEAM, " "))


def _episode_link(piece: Piece, own: frozenset[str]) -> Link | None:
    """Return the link of a piece, or `None` if it leads around the site or shares the page."""
    url = (piece.url or "").strip()
    host = host_of(url)
    if not host or _SHARING.search(url):
        return None
    if number := arxiv_id_in_url(url):
        return Link("Paper", f"https://arxiv.org/abs/{number}")
    if host in own:
        return None
    fallback = "Code" if host in _CODE_HOSTS else _OTHER
    return Link(_LABELS.get(_bare(piece.text).lower(), fallback), url)


def _is_label(text: str) -> bool:
    words = _bare(text)
    is_number = bool(_NUMBER.fullmatch(words) or _ADDRESS.fullmatch(words))
    return not words or words.lower() in _LABELS or is_number


def _bare(text: str) -> str:
    return _spaced(text).strip(" ()[]:\u00b7|\u2192\u2197")
