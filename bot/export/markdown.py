"""Papers as Markdown, for notebooks and wikis: a list with links and notes.

The syntax is CommonMark's (https://spec.commonmark.org/0.31.2/), in which a backslash makes any
sign of ASCII stand for itself. What readers of it add (tables, strikethrough, formulas) begins
with signs that are escaped as well.
"""

import re
from collections.abc import Iterable, Iterator

from bot.export.links import entry_url, web_address
from bot.export.text import flat
from bot.replies.wording import marked_title, one_line, place
from store.records import Edition, Entry

_ENTITY = re.compile(r"&(?=#?\w+;)")
_SIGNS = re.compile(rf"[\\`*_\[\]<>~|$]|{_ENTITY.pattern}")
# What begins a heading, a list, a rule or the underline of a heading.
_START = re.compile(r"\d+(?=[.)])|(?=[-+=#:])")


def to_markdown(title: str, items: Iterable[str]) -> str:
    """Write items, each of which `item` or `bare_item` wrote, under a title."""
    return "\n".join([f"# {inline(title)}\n", *items])


def item(edition: Edition, entry: Entry, note: str | None = None) -> str:
    """Write a paper: its title as a link, its place, one line on it, its links, a reader's note."""
    address = entry_url(entry)
    words = marked_title(entry) if flat(entry.title) else entry.ref
    title = _linked(words, address) if address else inline(words)
    links = " · ".join(_links(entry, address))
    summary = inline(one_line(entry.summary) or "")
    return _item([f"**{title}** · {inline(place(edition, entry))}", summary, links], note)


def bare_item(title: str, words: str, note: str | None = None) -> str:
    """Write a paper of which nothing is known but its title, some words on it, a reader's note."""
    return _item([f"**{inline(title)}** · {inline(words)}"], note)


def inline(text: str) -> str:
    """Write a text on one line, so that every sign of it stands for itself."""
    shown = _SIGNS.sub(lambda found: f"\\{found[0]}", flat(text))
    start = _START.match(shown)
    return f"{start[0]}\\{shown[start.end() :]}" if start else shown


def _item(paragraphs: Iterable[str], note: str | None) -> str:
    said = [*paragraphs, f"> {inline(note)}" if note else ""]
    first, *others = [paragraph for paragraph in said if paragraph]
    return "\n".join([f"- {first}\n", *(f"  {paragraph}\n" for paragraph in others)])


def _links(entry: Entry, shown: str | None) -> Iterator[str]:
    for link in entry.links:
        address = web_address(link.url)
        if address and address != shown:
            yield _linked(link.label or address, address)


def _linked(words: str, address: str) -> str:
    # Brackets end an address, and entities are read in it, too.
    safe = address.replace("(", "%28").replace(")", "%29")
    return f"[{inline(words)}]({_ENTITY.sub('&amp;', safe)})"
