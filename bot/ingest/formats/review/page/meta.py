"""What a page's head says of it: titles, its own address, and the day of publication.

The names: https://ogp.me/ and https://www.rfc-editor.org/rfc/rfc6596 (canonical links).
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bot.ingest.formats.review.lines import Element
from bot.ingest.formats.review.page.blocks import line_of

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_BETWEEN_NAMES = re.compile(r"\s+[|\u00b7\u2022]\s+")
_LONGEST_DATE = 10


@dataclass(frozen=True, slots=True)
class Meta:
    """What is stated beside the text; `titles` hold the page's title, maybe with its site's."""

    titles: tuple[Element, ...]
    url: str | None
    published: Element | None
    published_on: date | None


def read_meta(tree: "LexborHTMLParser") -> Meta:
    """Read what the page's head and the first dated `time` element state."""
    published, published_on = _publication(tree)
    return Meta(
        titles=tuple(_titles(tree)),
        url=_first_address(tree),
        published=published,
        published_on=published_on,
    )


def host_of(url: str) -> str:
    """Return the host of an absolute web address without `www.`, or "" for any other."""
    try:
        parts = urlsplit(url.strip())
        host = parts.hostname or ""
    except ValueError:  # no address at all, such as one with half a pair of brackets
        return ""
    return host.removeprefix("www.") if parts.scheme in ("http", "https") else ""


def _titles(tree: "LexborHTMLParser") -> list[Element]:
    nodes = [*tree.css('meta[property="og:title"]'), *tree.css("head > title")]
    return [
        Element(line_of(node), part.strip(), line_of(node))
        for node in nodes
        for part in _BETWEEN_NAMES.split(" ".join(_words(node).split()))
        if part.strip()
    ]


def _words(node: "LexborNode") -> str:
    return node.attributes.get("content") or node.text()


def _first_address(tree: "LexborHTMLParser") -> str | None:
    addresses = [
        *(node.attributes.get("href") for node in tree.css('link[rel~="canonical"]')),
        *(node.attributes.get("content") for node in tree.css('meta[property="og:url"]')),
    ]
    return next((each.strip() for each in addresses if each and host_of(each)), None)


def _publication(tree: "LexborHTMLParser") -> tuple[Element | None, date | None]:
    """Return where the day of publication stands, and the day as its own zone has it."""
    stated = [
        *((n, n.attributes.get("content")) for n in _metas(tree)),
        *((n, n.attributes.get("datetime")) for n in tree.css("time[datetime]")),
    ]
    for node, value in stated:
        with suppress(ValueError):
            day = date.fromisoformat((value or "").strip()[:_LONGEST_DATE])
            return Element(line_of(node), value or "", line_of(node)), day
    return None, None


def _metas(tree: "LexborHTMLParser") -> list["LexborNode"]:
    return tree.css('meta[property="article:published_time"], meta[itemprop="datePublished"]')
