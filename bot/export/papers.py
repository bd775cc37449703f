"""The papers that some editions mention, each once, as a bibliography lists them. All pure."""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count

from bot.replies.wording import place
from store.identity.grouping import arxiv_year
from store.library.arxiv import ArxivPaper
from store.records import Edition, Entry
from store.text import title_key

# ASCII letters, digits and points, with hyphens between: what every program takes in a key.
# https://tex.stackexchange.com/questions/581901
_KEY_PART = re.compile(r"[A-Za-z0-9.]+")
_LONGEST_KEY = 80  # cut between words


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper as its newest entry tells it.

    `entry` stands in `edition` and has the ids that any entry of the paper knows. `year` is
    the arXiv id's, else that in which the oldest edition that mentions the paper ends. `key`
    names the paper in a bibliography: ASCII, unique there, and the same after the next mention.
    """

    key: str
    year: int
    entry: Entry
    edition: Edition


_Mention = tuple[Edition, Entry]


def papers(editions: Sequence[Edition]) -> list[Paper]:
    """Return the papers of editions that come newest first, in the order of newest mention.

    Which entries are of one paper the store has told with them.
    """
    mentions: dict[int | str, list[_Mention]] = defaultdict(list)
    for edition in editions:
        for entry in edition.entries:
            mentions[_name(entry)].append((edition, entry))
    # A paper that comes later never takes the key of one that was there.
    oldest_first = (entry for edition in reversed(editions) for entry in edition.entries)
    names = dict.fromkeys(map(_name, oldest_first))
    keyed = _with_unique_keys({name: _paper(mentions[name]) for name in names})
    return [keyed[name] for name in mentions]


def origin(paper: Paper, told: ArxivPaper | None = None) -> str:
    """Say where a paper was mentioned, and which words are that edition's.

    Where `told` has the authors' abstract the edition's summary stands here, else in its place.
    """
    where = f"{place(paper.edition, paper.entry)}."
    if paper.entry.withdrawn:
        where = f"Withdrawn from arXiv. {where}"
    if not paper.entry.summary:
        return where
    if told is None or not told.abstract:
        return f"{where} The abstract is that edition's summary."
    return f"{where} That edition's summary: {paper.entry.summary}"


def abstract(paper: Paper, told: ArxivPaper | None = None) -> str | None:
    """Return the authors' abstract where it is known, else the edition's summary."""
    return told.abstract if told and told.abstract else paper.entry.summary


def bare_key(title: str, ref: str) -> str:
    """Return what names a paper of which nothing is known but its title and a ref."""
    return _joined(title_key(title)) or _joined(ref)


def free_key(key: str, taken: Collection[str]) -> str:
    """Return a key that no other has, numbered where it recurs: `kites-2026`, `kites-2026-2`.

    Those that are taken are given in lower case, for case counts for nothing: BibTeX refuses keys
    that differ in it alone.
    """
    keys = chain([key], (f"{key}-{number}" for number in count(2)))
    return next(each for each in keys if each.lower() not in taken)


def _name(entry: Entry) -> int | str:
    """Return what tells an entry's paper from others; one of no store is a paper by itself."""
    return entry.ref if entry.paper is None else entry.paper


def _paper(mentions: Sequence[_Mention]) -> Paper:
    """Join the mentions of one paper, newest first; its key may be that of another, too."""
    edition, newest = mentions[0]
    entry = replace(
        newest,
        arxiv_id=next((entry.arxiv_id for _, entry in mentions if entry.arxiv_id), None),
        doi=next((entry.doi for _, entry in mentions if entry.doi), None),
    )
    first_edition, oldest = mentions[-1]
    year = arxiv_year(entry.arxiv_id) if entry.arxiv_id else first_edition.last_day.year
    return Paper(_key(entry.arxiv_id, oldest, year), year, entry, edition)


def _key(arxiv_id: str | None, oldest: Entry, year: int) -> str:
    """Return `arXiv2501.12948`, else words and year as `sparse-attention-2026`, else the ref."""
    if arxiv_id:
        return f"arXiv{_joined(arxiv_id)}"
    words = _joined(title_key(oldest.title))
    return f"{words}-{year}" if words else _joined(oldest.ref)


def _joined(text: str) -> str:
    """Join the parts of a text that may stand in a key; one that is too long loses the last."""
    joined = "-".join(_KEY_PART.findall(text))
    if len(joined) <= _LONGEST_KEY:
        return joined
    cut = joined[: _LONGEST_KEY + 1].rpartition("-")[0]
    return cut or joined[:_LONGEST_KEY]


def _with_unique_keys(by_name: dict[int | str, Paper]) -> dict[int | str, Paper]:
    """Number the keys that recur."""
    taken: set[str] = set()
    unique = {}
    for name, paper in by_name.items():
        key = free_key(paper.key, taken)
        taken.add(key.lower())
        unique[name] = replace(paper, key=key)
    return unique
