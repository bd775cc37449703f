"""The references of a bibliography: each paper of some editions once. Pure."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from types import MappingProxyType
from typing import Final

from bot.replies.wording import place
from store.identity.grouping import arxiv_year
from store.library.arxiv import ArxivPaper
from store.records import Edition, Entry
from store.text import title_key

ArxivFacts = Mapping[str, ArxivPaper]
"""The facts from arXiv, by arXiv id."""
NO_ARXIV_FACTS: Final[ArxivFacts] = MappingProxyType({})

# ASCII letters, digits and points, with hyphens between: every program accepts these in a key.
# https://tex.stackexchange.com/questions/581901
_KEY_PART = re.compile(r"[A-Za-z0-9.]+")
_LONGEST_KEY = 80  # cut between words
# Some papers are by a group, whose name has no first and last part.
_GROUP = re.compile(
    r"\b(?:team|group|collaboration|consortium|project|lab|labs|institute|community)$|[,&@\d]",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"(?:Jr|Sr)\.?|I{2,3}|IV")


@dataclass(frozen=True, slots=True)
class Reference:
    """A paper with the facts of its newest entry.

    `entry` is in `edition`, with the ids that any entry of the paper has. `year` is from the arXiv
    id, else the year in which the oldest edition with the paper ends. `key` is ASCII, unique in
    the bibliography, and stays the same when newer editions mention the paper.
    """

    key: str
    year: int
    entry: Entry
    edition: Edition


def references(editions: Sequence[Edition]) -> list[Reference]:
    """Return the papers of editions (newest first), in the order of their newest mention."""
    mentions: dict[int | str, list[tuple[Edition, Entry]]] = defaultdict(list)
    for edition in editions:
        for entry in edition.entries:
            mentions[_identity(entry)].append((edition, entry))
    taken: set[str] = set()
    found = {}
    # The oldest paper is named first, so that a newer paper never takes its key.
    for edition in reversed(editions):
        for identity in map(_identity, edition.entries):
            if identity not in found:
                reference = _reference(mentions[identity])
                key = free_key(reference.key, taken)
                taken.add(key.lower())
                found[identity] = replace(reference, key=key)
    return [found[identity] for identity in mentions]


def origin(reference: Reference, arxiv: ArxivPaper | None = None) -> str:
    """Say which edition mentioned a paper, and which text is that edition's.

    The summary is included if the authors' abstract takes its place elsewhere.
    """
    entry = reference.entry
    where = f"{place(reference.edition, entry)}."
    if entry.withdrawn:
        where = f"Withdrawn from arXiv. {where}"
    if not entry.summary:
        return where
    if arxiv is None or not arxiv.abstract:
        return f"{where} The abstract is that edition's summary."
    return f"{where} That edition's summary: {entry.summary}"


def abstract(reference: Reference, arxiv: ArxivPaper | None = None) -> str | None:
    """Return the authors' abstract if it is known, else the edition's summary."""
    return arxiv.abstract if arxiv and arxiv.abstract else reference.entry.summary


def bare_key(title: str, ref: str) -> str:
    """Return the key of a paper that no edition has, made from its title or its ref."""
    return _joined(title_key(title)) or _joined(ref)


def free_key(key: str, taken: Collection[str]) -> str:
    """Return a key that is not taken, numbered if needed: `kites-2026`, `kites-2026-2`.

    `taken` is in lower case: BibTeX refuses keys that differ in case alone.
    """
    keys = chain([key], (f"{key}-{number}" for number in count(2)))
    return next(key for key in keys if key.lower() not in taken)


def is_group(name: str) -> bool:
    """Tell whether an author's name is most likely that of a group."""
    return _GROUP.search(name) is not None


def last_name_first(name: str) -> str:
    """Return `Gomez, Aidan N.` for `Aidan N. Gomez`, and `van der Berg, Jan`.

    Single words and names of groups stay as they are.
    """
    words = name.split()
    if len(words) < 2 or is_group(name):  # noqa: PLR2004 - a first and a last name
        return name
    suffix = [words.pop()] if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else []  # noqa: PLR2004 - a first and a last name beside it
    start = len(words) - 1
    while start > 1 and words[start - 1].islower():
        start -= 1
    return ", ".join([" ".join(words[start:]), " ".join(words[:start]), *suffix])


def _identity(entry: Entry) -> int | str:
    """Return the paper's id; an entry from outside the store is a paper by itself."""
    return entry.ref if entry.paper is None else entry.paper


def _reference(mentions: Sequence[tuple[Edition, Entry]]) -> Reference:
    """Join the mentions of one paper, newest first; another paper may have the same key."""
    edition, newest = mentions[0]
    entry = replace(
        newest,
        arxiv_id=next((entry.arxiv_id for _, entry in mentions if entry.arxiv_id), None),
        doi=next((entry.doi for _, entry in mentions if entry.doi), None),
    )
    first_edition, oldest = mentions[-1]
    year = arxiv_year(entry.arxiv_id) if entry.arxiv_id else first_edition.last_day.year
    return Reference(_key(entry.arxiv_id, oldest, year), year, entry, edition)


def _key(arxiv_id: str | None, oldest: Entry, year: int) -> str:
    """Return `arXiv2501.12948`, else words and year as `sparse-attention-2026`, else the ref."""
    if arxiv_id:
        return f"arXiv{_joined(arxiv_id)}"
    words = _joined(title_key(oldest.title))
    return f"{words}-{year}" if words else _joined(oldest.ref)


def _joined(text: str) -> str:
    """Join the parts of a text that a key may have, dropping the last ones if it is too long."""
    joined = "-".join(_KEY_PART.findall(text))
    if len(joined) <= _LONGEST_KEY:
        return joined
    cut = joined[: _LONGEST_KEY + 1].rpartition("-")[0]
    return cut or joined[:_LONGEST_KEY]
