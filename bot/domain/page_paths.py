"""The paths of web pages, which never change once given out, and links to them. Pure.

A path may have a query: `/search?q=mixture+of+experts`. Slugs, days, weeks and ids need no escapes.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlencode

from bot.domain.paper_ids import bare_arxiv_id, entry_url
from store.records import Edition, Entry, Link

HOME = "/"
WEEKS = "/weeks"
TOPICS = "/topics"
SEARCH = "/search"
CHAT = "/chat"
TOP = "/top"
TRENDS = "/trends"
CONSENSUS = "/consensus"
ABOUT = "/about"
FEED = "/feed.atom"
STYLE = "/style.css"
ICON = "/icon.svg"

_PAPERS = "/papers/"
_RANKED = re.compile(r"([a-z0-9-]+)/(\d{4}-\d{2}-\d{2})/(\d{1,5})")
_NUMBER = re.compile(r"[1-9][0-9]{0,3}")
_EPISODE = re.compile(r"([a-z0-9-]+)/(E\d{1,5})")


def numbered(path: str, page: int) -> str:
    """Return the path of a page of what is at a path: `/topics/agents`, `/topics/agents/2`."""
    return path if page == 1 else f"{path}/{page}"


def edition_path(edition: Edition, page: int = 1) -> str:
    """Return the path of a page of an edition: `/editions/dair/2026-01-05`."""
    return numbered(f"{source_path(edition.source)}/{edition.first_day}", page)


def source_path(source: str, page: int = 1) -> str:
    """Return the path of a page of the editions of a source: `/editions/dair`."""
    return numbered(f"/editions/{source}", page)


def week_path(week: str, page: int = 1) -> str:
    """Return the path of a page of an ISO week: `/weeks/2026-W02`."""
    return numbered(f"{WEEKS}/{week}", page)


def consensus_path(week: str) -> str:
    """Return the path of the consensus of an ISO week: `/consensus/2026-W02`."""
    return f"{CONSENSUS}/{week}"


def paper_path(arxiv_id: str | None, ref: str) -> str:
    """Return the path of a paper: by its arXiv id, else by a ref, `/papers/dair/2026-01-05/3`."""
    return _PAPERS + (arxiv_id or ref.replace(":", "/").replace("#", "/"))


def topic_path(topic: str, page: int = 1) -> str:
    """Return the path of a page of a topic's papers: `/topics/agents`."""
    return numbered(f"{TOPICS}/{topic}", page)


def top_path(period: str) -> str:
    """Return the path of the best papers of a year or a month: `/top/2025`, `/top/2025-11`."""
    return f"{TOP}/{period}"


def card_path(edition: Edition) -> str:
    """Return the path of the picture that previews of an edition show."""
    return f"/cards/{edition.source}/{edition.first_day}.png"


def with_query(path: str, **values: str | int | None) -> str:
    """Return a path with those values of a query that are given."""
    query = urlencode({name: value for name, value in values.items() if value})
    return f"{path}?{query}" if query else path


def named_paper(name: str) -> str | None:
    """Return the arXiv id or the ref that the part behind `/papers/` names, `None` for neither."""
    if arxiv_id := bare_arxiv_id(name):
        return arxiv_id
    if ranked := _RANKED.fullmatch(name):
        return f"{ranked[1]}:{ranked[2]}#{ranked[3]}"
    if episode := _EPISODE.fullmatch(name):
        return f"{episode[1]}:{episode[2]}"
    return None


def page_of_paper(name: str) -> tuple[str, int]:
    """Return what names a paper behind `/papers/`, and the number of the page of its mentions."""
    paper, _, number = name.rpartition("/")
    if named_paper(name) or not named_paper(paper) or not _NUMBER.fullmatch(number):
        return name, 1
    return paper, int(number)


def relative(path: str, seen_from: str) -> str:
    """Return the address of a path in links of a page at another one.

    Pages hold relative links alone, so that they may stand below any address, or in files.
    """
    steps = seen_from.partition("?")[0].count("/") - 1
    return "../" * steps + path.removeprefix("/") or "./"


_LABEL = "Web page"


def with_pages(editions: Sequence[Edition], public_url: str | None) -> list[Edition]:
    """Return editions and papers with their pages below a public URL where they have no other."""
    base = (public_url or "").rstrip("/")
    return [_with_page(each, base) if base else each for each in editions]


def _with_page(edition: Edition, base: str) -> Edition:
    entries = tuple(_linked(entry, base) for entry in edition.entries)
    url = edition.url or f"{base}{edition_path(edition)}"
    return replace(edition, url=url, entries=entries)


def _linked(entry: Entry, base: str) -> Entry:
    if entry_url(entry):
        return entry
    page = Link(_LABEL, f"{base}{paper_path(None, entry.ref)}")
    return replace(entry, links=(*entry.links, page))
