"""The links of a page that are an episode's own: its paper, its code, its project."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.domain.paper_ids import arxiv_id_in_url
from bot.ingest.formats.review.marks import numbers_in
from bot.ingest.formats.review.page.blocks import Block, Piece
from bot.ingest.formats.review.page.meta import host_of
from store.records import Link

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
class Found:
    """A link, and whether its words are only its label, no part of a text."""

    link: Link
    is_labelled: bool


def own_hosts(blocks: Iterable[Block], url: str | None) -> frozenset[str]:
    """Return the hosts of the page and of its episodes' pages, where links only lead around."""
    hosts = {host_of(url)} if url else set()
    for block in blocks:
        for piece in block.links():
            if piece.url and numbers_in(piece.text) and not arxiv_id_in_url(piece.url):
                hosts.add(host_of(piece.url))
    return frozenset(hosts - {""})


def listed_link(piece: Piece, own: frozenset[str]) -> Found | None:
    """Return what a link of a list is worth, or `None` for a way around the site or to share."""
    url = (piece.url or "").strip()
    host = host_of(url)
    if not host or is_sharing(url):
        return None
    if number := arxiv_id_in_url(url):
        return Found(Link("Paper", f"https://arxiv.org/abs/{number}"), _is_label(piece.text))
    if host in own:
        return None
    return Found(Link(_label(piece.text, host), url), _is_label(piece.text))


def is_sharing(url: str) -> bool:
    """Tell an address at which a reader shares the page."""
    return bool(_SHARING.search(url))


def text_links(block: Block, own: frozenset[str]) -> tuple[Link, ...]:
    """Return the links of a paragraph that are its episode's: papers, code, projects.

    Others explain a word.
    """
    found = (listed_link(piece, own) for piece in block.links())
    links = (each.link for each in found if each)
    return tuple(dict.fromkeys(link for link in links if link.label != _OTHER))


def united(listed: Sequence[Link], in_text: Sequence[Link]) -> tuple[Link, ...]:
    """Unite an entry's links; beside a listed paper, others are only mentioned."""
    has_paper = any(link.label == "Paper" for link in listed)
    known = {link.url for link in listed}
    more = [
        Link(_OTHER, link.url) if has_paper and link.label == "Paper" else link
        for link in in_text
        if link.url not in known
    ]
    return tuple(dict.fromkeys((*listed, *more)))


def _is_label(text: str) -> bool:
    words = _bare(text)
    is_number = bool(_NUMBER.fullmatch(words) or _ADDRESS.fullmatch(words))
    return not words or words.lower() in _LABELS or is_number


def _label(text: str, host: str) -> str:
    fallback = "Code" if host in _CODE_HOSTS else _OTHER
    return _LABELS.get(_bare(text).lower(), fallback)


def _bare(text: str) -> str:
    return text.strip(" \t()[]:\u00b7|\u2192\u2197")
