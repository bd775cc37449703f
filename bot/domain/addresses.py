"""Addresses on the web: whose they are, where a page leads, and what may be told. All pure."""

import re
from collections.abc import Iterable, Sequence
from shlex import quote
from urllib.parse import urldefrag, urljoin, urlsplit

from store.sources import Address, FollowedSource

# Here everybody has a place: whose it is tell the first two parts of a path.
_SHARED_HOSTS = frozenset({
    "codeberg.org", "gist.githubusercontent.com", "github.com", "gitlab.com", "huggingface.co",
    "raw.githubusercontent.com",
})  # fmt: skip
_OWNER_PARTS = 2
# An address in a sentence, with what ends a part of that.
_ADDRESS = re.compile(r"https?://\S+")
_AFTER_ADDRESS = ".,:;)"
# Which page of a list it is; whatever else stands in a query may be a key.
_TOLD = frozenset({"week", "date", "p", "limit"})
# An index leads to a file a year, or a month.
_MOST_FILES = 60


def files_below(url: str, files: Iterable[str]) -> tuple[str, ...]:
    """Return where the files are that an index at an address leads to, each once.

    Only what stands beside it or below counts: an index has no say about other places.
    """
    folder = _address_of(".", url)
    found = (_address_of(file, url) for file in files)
    below = (
        each for each in found if folder and each.startswith(folder) and each != urldefrag(url).url
    )
    return tuple(dict.fromkeys(below))[:_MOST_FILES]


def replacing(slug: str, address: Address) -> str:
    """Return the command by which an operator replaces the weeks that were left of an address."""
    kind = f" --kind {address.kind}" if address.kind else ""
    return f"broadsheet import {quote(address.url)} --source {slug}{kind} --replace"


def _address_of(file: str, url: str) -> str:
    """Return where a file is that an address leads to; nowhere where nobody can tell."""
    try:
        return urldefrag(urljoin(url, file)).url
    except ValueError:  # such as one with half a pair of brackets
        return ""


def discreet(text: str) -> str:
    """Return a text without what may be keys in the addresses that it names."""
    return _ADDRESS.sub(_without_keys, text)


def _without_keys(address: re.Match[str]) -> str:
    page, mark, rest = address[0].partition("?")
    query = rest.rstrip(_AFTER_ADDRESS) or rest[:1]
    told = "&".join(map(_unkeyed, query.split("&"))) if query else ""
    return f"{page}{mark}{told}{rest[len(query) :]}"


def _unkeyed(pair: str) -> str:
    name, equals, _ = pair.partition("=")
    return pair if name in _TOLD else f"{name}=…" if equals else "…"


def source_at(url: str, known: Sequence[FollowedSource]) -> str | None:
    """Return the slug of the source that is followed at an address or at its host.

    `None` where none is, or several are.
    """
    at = [(each.source.slug, address.url) for each in known for address in each.addresses]
    for same in (_as_it_is, _owner):
        slugs = {slug for slug, other in at if same(other) == same(url)}
        if slugs:
            return slugs.pop() if len(slugs) == 1 else None
    return None


def _as_it_is(url: str) -> str:
    return url


def _owner(url: str) -> tuple[str, ...]:
    """Return what an owner's addresses have in common: the host, or a place on a shared one."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if host not in _SHARED_HOSTS:
        return (host, str(parts.port or ""))
    return (host, *parts.path.strip("/").split("/")[:_OWNER_PARTS])
