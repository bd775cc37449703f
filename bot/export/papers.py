"""The papers that some editions mention, each once, as a bibliography lists them. All pure."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count

from bot.ingest.identity import arxiv_year
from bot.wording import place
from store.folding import title_key
from store.records import Edition, Entry

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

    Two entries are of one paper if they have the same arXiv id, else the same DOI, else the
    same folded title. An entry without ids belongs to the paper with ids that has its title;
    where several have it, nobody can tell to which.
    """
    mentions = [(edition, entry) for edition in editions for entry in edition.entries]
    identities = _Identities([entry for _, entry in mentions])
    by_name: dict[str, list[_Mention]] = defaultdict(list)
    for edition, entry in mentions:
        by_name[identities.of(entry)].append((edition, entry))
    # A paper that comes later never takes the key of one that was there.
    oldest_first = (entry for edition in reversed(editions) for entry in edition.entries)
    names = dict.fromkeys(map(identities.of, oldest_first))
    keyed = _with_unique_keys({name: _paper(by_name[name]) for name in names})
    return [keyed[name] for name in by_name]


def origin(paper: Paper) -> str:
    """Say where a paper was mentioned, and whose words the summary is: no author's abstract."""
    where = f"{place(paper.edition, paper.entry)}."
    return f"{where} The abstract is that edition's summary." if paper.entry.summary else where


class _Identities:
    """What names the paper of each entry: its arXiv id, else its DOI, else its title."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        known = [entry for entry in entries if entry.arxiv_id or entry.doi]
        self._by_doi = {entry.doi: entry.arxiv_id for entry in known if entry.arxiv_id}
        self._by_title: dict[str, set[str]] = defaultdict(set)
        for entry in known:
            self._by_title[title_key(entry.title)].add(self.of(entry))

    def of(self, entry: Entry) -> str:
        """Return the name of an entry's paper."""
        if entry.arxiv_id:
            return entry.arxiv_id
        if entry.doi:
            return self._by_doi.get(entry.doi) or entry.doi
        # A title without a single letter or digit names nothing.
        title = title_key(entry.title) or entry.ref
        with_ids = self._by_title.get(title, set())
        return next(iter(with_ids)) if len(with_ids) == 1 else title


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


def _with_unique_keys(by_name: dict[str, Paper]) -> dict[str, Paper]:
    """Number the keys that recur: `kites-2026`, `kites-2026-2`.

    Case counts for nothing: BibTeX refuses keys that differ in it alone.
    """
    taken: set[str] = set()
    unique = {}
    for name, paper in by_name.items():
        keys = chain([paper.key], (f"{paper.key}-{number}" for number in count(2)))
        key = next(key for key in keys if key.lower() not in taken)
        taken.add(key.lower())
        unique[name] = replace(paper, key=key)
    return unique
