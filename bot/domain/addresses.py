"""Web addresses: their owners, the files below them, and their keys. All pure."""

import re
from collections.abc import Iterable, Sequence
from shlex import quote
from urllib.parse import urldefrag, urljoin, urlsplit

from store.sources import Address, FollowedSource

# Hosts of many owners: the first two parts of a path name the owner.
_SHARED_HOSTS = frozenset({
    "codeberg.org", "gist.githubusercontent.com", "github.com", "gitlab.com", "huggingface.co",
    "raw.githubusercontent.com",
})  # fmt: skip
_OWNER_PARTS = 2
# An address in a sentence, and the punctuation behind it.
_ADDRESS = re.compile(r"https?://\S+")
_AFTER_ADDRESS = ".,:;)"
# The parameters of a list's page; any other parameter may be a key.
_SHOWN = frozenset({"week", "date", "p", "limit"})
# An index leads to a file a year, or a month.
_MOST_FILES = 60


def files_below(url: str, files: Iterable[str]) -> tuple[str, ...]:
    """Return the addresses of the files that an index leads to, each once.

    Only files beside the index or below it count.
    """
    folder = _address_of(".", url)
    found = (_address_of(file, url) for file in files)
    own = urldefrag(url).url
    below = (other for other in found if folder and other.startswith(folder) and other != own)
    return tuple(dict.fromkeys(below))[:_MOST_FILES]


def replace_command(slug: str, address: Address) -> str:
    """Return the command by which an operator replaces the refused weeks of an address."""
    kind = f" --kind {address.kind}" if address.kind else ""
    return f"broadsheet import {quote(address.url)} --source {slug}{kind} --replace"


def _address_of(file: str, url: str) -> str:
    """Return the absolute address of a file, "" for a malformed one."""
    try:
        return urldefrag(urljoin(url, file)).url
    except ValueError:  # such as one with half a pair of brackets
        return ""


def without_keys(text: str) -> str:
    """Return a text whose addresses have no possible keys in their queries."""
    return _ADDRESS.sub(_without_keys, text)


def _without_keys(address: re.Match[str]) -> str:
    page, mark, rest = address[0].partition("?")
    query = rest.rstrip(_AFTER_ADDRESS) or rest[:1]
    shown = "&".join(map(_unkeyed, query.split("&"))) if query else ""
    return f"{page}{mark}{shown}{rest[len(query) :]}"


def _unkeyed(pair: str) -> str:
    name, equals, _ = pair.partition("=")
    return pair if name in _SHOWN else f"{name}=…" if equals else "…"


def source_at(url: str, known: Sequence[FollowedSource]) -> str | None:
    """Return the slug of the source that is followed at an address, else of the same owner.

    `None` where there is none, or several.
    """
    at = [(source.source.slug, address.url) for source in known for address in source.addresses]
    for key in (str, _owner):
        slugs = {slug for slug, other in at if key(other) == key(url)}
        if slugs:
            return slugs.pop() if len(slugs) == 1 else None
    return None


def _owner(url: str) -> tuple[str, ...]:
    """Return the host of an address, on a shared one with the owner's part of the path."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if host not in _SHARED_HOSTS:
        return (host, str(parts.port or ""))
    return (host, *parts.path.strip("/").split("/")[:_OWNER_PARTS])
