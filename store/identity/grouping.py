"""Grouping entries into papers: a function of the entries alone, in any order. Pure.

    ids accepted as an entry's own | one arXiv id, one DOI
        | pairs that are one paper by title, summary and pages | manual merges

An entry that was split off takes part in the last step only.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from itertools import combinations, product
from operator import attrgetter, itemgetter
from typing import TypeVar

from store.identity.comparison import (
    ComparedEntry,
    Comparison,
    EntryWords,
    Sameness,
    compare,
    may_share_id,
    overlap_of,
    share_title_words,
    words_of,
)
from store.identity.identifiers import (
    Identifiers,
    PaperGroup,
    PossibleDuplicate,
    bring_together,
    compact,
    compact_name,
)
from store.identity.overrides import ManualOverrides

K = TypeVar("K")

# All entries are grouped anew when a program with other rules starts.
RULES = "3"

# Two sets of entries that ids join, each by its root, the lower one first.
Pair = tuple[int, int]

# Of the entries with one key so many papers are compared with an arXiv id, and so many without, the
# oldest first: a key that more have tells nothing.
_COMPARED = 40

# An id is printed with a few titles. Of more no two are compared: each is taken for another paper.
MOST_TITLES = 50

_arxiv_id: Callable[[Identifiers], str | None] = attrgetter("arxiv_id")
_doi: Callable[[Identifiers], str | None] = attrgetter("doi")


def arxiv_year(identifier: str) -> int:
    """Return the year that an arXiv id was given in: its first two digits, 91 being 1991."""
    digits = identifier.rsplit("/", maxsplit=1)[-1][:2]
    return (1900 if int(digits) > 90 else 2000) + int(digits)  # noqa: PLR2004 - arXiv began in 1991


def doubtful_entries(entries: Iterable[Identifiers]) -> set[int]:
    """Return the entries that `Grouping` compares by all their words.

    They share an id with entries of quite different titles, or a key with others, one of which at
    least has no undoubted arXiv id.
    """
    entries = sorted(entries, key=_age)
    doubtful = _with_different_titles(entries)
    for _, sharing in _sharing_keys(entries):
        if any(entry.arxiv_id is None or entry.entry in doubtful for entry in sharing):
            doubtful = doubtful.union(entry.entry for entry in sharing)
    return doubtful


def _with_different_titles(entries: Collection[Identifiers]) -> set[int]:
    doubtful: set[int] = set()
    for identifier in (_arxiv_id, _doi):
        for sharing in _by(entries, identifier).values():
            titles = {entry.title_key: entry.title for entry in sharing}
            if len(titles) > MOST_TITLES:
                continue
            words = [words_of(title) for title in titles.values()]
            if not all(share_title_words(*pair) for pair in combinations(words, 2)):
                doubtful.update(entry.entry for entry in sharing)
    return doubtful


Compared = tuple[Comparison, Identifiers, Identifiers]
Weight = tuple[int, float]
# An unknown verdict weighs nothing, and that two are two papers weighs little.
_WEIGHTS = (Sameness.UNKNOWN, Sameness.TWO, Sameness.DOUBTFUL, Sameness.ONE)


class Grouping:
    """Entries grouped into papers.

    `entries` has with each entry all that have an identifier in common with it; `words` are those
    of the `doubtful_entries`.
    """

    def __init__(
        self,
        entries: Collection[Identifiers],
        overrides: ManualOverrides,
        words: Mapping[int, EntryWords] | None = None,
    ) -> None:
        in_order = sorted(entries, key=_age)
        self._overrides = overrides
        self._words = words or {}
        self._split = {split.ref for split in overrides.splits}
        self._roots = {entry.entry: entry.entry for entry in in_order}
        self._members = {entry.entry: [entry] for entry in in_order}
        free = [entry for entry in in_order if entry.ref not in self._split]
        self._arxiv = _accepted(free, _arxiv_id, self._words)
        self._doi = _accepted(free, _doi, self._words)
        self._arxiv_of_doi: dict[str, set[str]] = defaultdict(set)
        for entry in self._doi.keys() & self._arxiv.keys():
            self._arxiv_of_doi[self._doi[entry]].add(self._arxiv[entry])
        self._join_by_ids(free)
        self._cores = dict(self._roots)
        self._compared = self._compare(in_order)
        self._join_similar()

    def papers(self) -> list[PaperGroup]:
        """Return the papers, after merges."""
        merges = [
            (self._find(merge.one), self._find(merge.other)) for merge in self._overrides.merges
        ]
        for one, other in merges:
            if one is not None and other is not None:
                self._join(one, other)
        return [self._paper(entries) for entries in self._members.values()]

    def possible_duplicates(self) -> list[PossibleDuplicate]:
        """Return the most similar entries of papers that may be one, after merges, newest first."""
        self.papers()
        separated = self._separated()
        found: dict[Pair, tuple[Weight, PossibleDuplicate]] = {}
        for comparison, one, other in self._compared.values():
            pair = _pair(self._roots[one.entry], self._roots[other.entry])
            is_open = comparison.verdict in {Sameness.ONE, Sameness.DOUBTFUL}
            if pair in separated or pair[0] == pair[1] or self._both_have_ids(pair) or not is_open:
                continue
            overlap = overlap_of(self._words_of(one), self._words_of(other))
            duplicate = PossibleDuplicate(one, other, overlap.shared, overlap.of)
            weighed = _weight(comparison), duplicate
            found[pair] = max(found.get(pair, weighed), weighed, key=itemgetter(0))
        return sorted(
            (duplicate for _, duplicate in found.values()),
            key=lambda duplicate: (*_age(duplicate.other), *_age(duplicate.one)),
            reverse=True,
        )

    def together(self, entry: int) -> list[Identifiers]:
        """Return the entries of an entry's paper, before merges."""
        return self._members[self._roots[entry]]

    def have_one_id(self, one: int, other: int) -> bool:
        """Tell whether an id joins two entries."""
        return self._cores[one] == self._cores[other]

    def name(self, entry: int) -> str:
        """Return the most durable name of an entry's paper, before merges."""
        entries = self.together(entry)
        oldest = min(entries, key=lambda each: (each.last_day, each.ref))
        if ids := _held(entries, self._arxiv):
            return f"arxiv:{min(ids)}"
        if dois := _held(entries, self._doi):
            return f"doi:{min(dois)}"
        if oldest.ref in self._split or not oldest.title_key:
            return f"entry:{oldest.ref}"
        return f"title:{oldest.last_day.year}:{oldest.title_key}"

    def is_named(self, entry: int, name: str) -> bool:
        """Tell whether a name refers to an entry's paper, before merges."""
        return self._find(name) == self._roots[entry]

    def _join(self, one: int, other: int) -> None:
        """Join the sets of two entries."""
        kept, dropped = self._roots[one], self._roots[other]
        if kept != dropped:
            moved = self._members.pop(dropped)
            self._members[kept] += moved
            self._roots |= {entry.entry: kept for entry in moved}

    def _join_by_ids(self, entries: Iterable[Identifiers]) -> None:
        """Join by arXiv id and by DOI; a DOI beside several arXiv ids joins nothing."""
        first: dict[str, int] = {}
        for entry in entries:
            arxiv, doi = self._arxiv.get(entry.entry), self._doi.get(entry.entry)
            if arxiv:
                self._join(first.setdefault(f"arxiv:{arxiv}", entry.entry), entry.entry)
            if doi and (not arxiv or len(self._arxiv_of_doi[doi]) == 1):
                self._join(first.setdefault(f"doi:{doi}", entry.entry), entry.entry)

    def _compare(self, entries: Collection[Identifiers]) -> dict[Pair, Compared]:
        """Compare the entries that share a key; keep the best comparison of each two sets."""
        separated = self._separated()
        facts = {entry.entry: self._facts(entry) for entry in entries}
        best = {pair: (Comparison(Sameness.TWO), *entries) for pair, entries in separated.items()}
        for prefixes, sharing in _sharing_keys(entries):
            free = [entry for entry in sharing if entry.ref not in self._split]
            if all(entry.entry in self._arxiv for entry in free):
                continue
            for one, other in combinations(free, 2):
                pair = _pair(self._roots[one.entry], self._roots[other.entry])
                if pair[0] == pair[1] or pair in separated or self._both_have_ids(pair):
                    continue
                comparison = compare(facts[one.entry], facts[other.entry])
                joins = bring_together((prefixes[one.entry], prefixes[other.entry]))
                if not joins and comparison.verdict is not Sameness.TWO:
                    comparison = Comparison(Sameness.UNKNOWN)
                known = best.get(pair)
                if known is None or _weight(known[0]) < _weight(comparison):
                    best[pair] = comparison, one, other
        return best

    def _join_similar(self) -> None:
        """Join the pairs that are one paper, the most similar first.

        Two that were compared and are not one are not joined through a third either. Of equally
        similar sets that can't all be one paper none is joined; but those without links are joined
        with each other before that.
        """
        levels: dict[tuple[float, bool], list[Pair]] = defaultdict(list)
        for (one, other), (comparison, *_) in self._compared.items():
            if comparison.verdict is Sameness.ONE:
                have_no_links = not any(map(self._has_links, (one, other)))
                levels[comparison.strength, have_no_links].append((one, other))
        for _, pairs in sorted(levels.items(), key=itemgetter(0), reverse=True):
            joined = [(self._roots[one], self._roots[other]) for one, other in pairs]
            for roots in _chained(joined):
                if self._can_be_one(roots):
                    for root in roots:
                        self._join(roots[0], root)

    def _can_be_one(self, roots: Sequence[int]) -> bool:
        """Tell whether ids and comparisons allow some sets to be one paper."""
        if len(self._ids(roots)) > 1:
            return False
        cores = sorted(
            {self._cores[entry.entry] for root in roots for entry in self._members[root]}
        )
        compared = (self._compared.get(pair) for pair in combinations(cores, 2))
        return all(
            found is None or found[0].verdict in {Sameness.UNKNOWN, Sameness.ONE}
            for found in compared
        )

    def _separated(self) -> dict[Pair, tuple[Identifiers, Identifiers]]:
        """Return the pairs of sets that overrides separate, with an entry of each."""
        separations = self._overrides.separations
        refs = {ref for separation in separations for ref in (separation.one, separation.other)}
        entries: dict[str, list[Identifiers]] = defaultdict(list)
        for members in self._members.values():
            for entry in members:
                if entry.ref in refs:
                    entries[entry.ref].append(entry)
        return {
            _pair(self._roots[one.entry], self._roots[other.entry]): (one, other)
            for separation in separations
            for one, other in product(entries[separation.one], entries[separation.other])
        }

    def _facts(self, entry: Identifiers) -> ComparedEntry:
        ids = self._arxiv.get(entry.entry), self._doi.get(entry.entry)
        names = compact(entry.title), compact_name(entry.title)
        return ComparedEntry(*names, *ids, self._year(entry), self._words_of(entry))

    def _words_of(self, entry: Identifiers) -> EntryWords:
        return self._words.get(entry.entry) or words_of(entry.title)

    def _ids(self, roots: Iterable[int]) -> set[str]:
        """Return the arXiv ids of some sets."""
        return set().union(*(_held(self._members[root], self._arxiv) for root in roots))

    def _has_links(self, root: int) -> bool:
        """Tell whether an entry of a set has an id or a page."""
        members = self._members[root]
        return any(self._has_id(entry) or self._words_of(entry).pages for entry in members)

    def _both_have_ids(self, pair: Pair) -> bool:
        """Tell whether each of two sets has an arXiv id, so that they are two papers."""
        return all(self._ids([root]) for root in pair)

    def _find(self, name: str) -> int | None:
        """Return the root that a name refers to, `None` if there is none or more than one."""
        kind, _, rest = name.partition(":")
        if kind == "title":
            year, _, title_key = rest.partition(":")
            return self._find_titled(title_key, int(year))
        if kind == "entry":
            entries = (entry for members in self._members.values() for entry in members)
            return _only({self._roots[entry.entry] for entry in entries if entry.ref == rest})
        held = self._arxiv if kind == "arxiv" else self._doi
        roots = {self._roots[entry] for entry, value in held.items() if value == rest}
        if kind == "doi":  # one may be beside several arXiv ids, too
            roots = {r for r in roots if not _held(self._members[r], self._arxiv)} or roots
        return _only(roots)

    def _find_titled(self, title_key: str, year: int) -> int | None:
        """Return the root of a title and year; sets without ids come first."""
        roots = {
            root
            for root, entries in self._members.items()
            for entry in entries
            if entry.title_key == title_key and entry.ref not in self._split
            if year in {entry.last_day.year, self._year(entry)}
        }
        without_ids = {root for root in roots if not any(map(self._has_id, self._members[root]))}
        return _only(without_ids or roots)

    def _has_id(self, entry: Identifiers) -> bool:
        return entry.entry in self._arxiv or entry.entry in self._doi

    def _year(self, entry: Identifiers) -> int:
        """Return the year of an entry's arXiv id, else of its edition."""
        arxiv = self._arxiv.get(entry.entry)
        return arxiv_year(arxiv) if arxiv else entry.last_day.year

    def _paper(self, entries: Sequence[Identifiers]) -> PaperGroup:
        in_order = sorted(entries, key=_age)
        oldest = in_order[0]
        arxiv = min(_held(entries, self._arxiv), default=None)
        dois = _held(entries, self._doi)
        if arxiv:
            dois = {doi for doi in dois if len(self._arxiv_of_doi[doi]) <= 1}
        year = arxiv_year(arxiv) if arxiv else oldest.last_day.year
        return PaperGroup(tuple(in_order), arxiv, min(dois, default=None), oldest.title_key, year)


def _age(entry: Identifiers) -> tuple[date, str, int]:
    """Return a sort key, the oldest entry first; it is unique."""
    return entry.last_day, entry.ref, entry.entry


def _pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


def _weight(comparison: Comparison) -> Weight:
    return _WEIGHTS.index(comparison.verdict), comparison.strength


def _sharing_keys(
    entries: Iterable[Identifiers],
) -> list[tuple[dict[int, str], list[Identifiers]]]:
    """Return entries that a key brings together, oldest first, after the prefix that each has."""
    by_key: dict[str, list[Identifiers]] = defaultdict(list)
    prefixes: dict[str, dict[int, str]] = defaultdict(dict)
    for entry in entries:
        for key in entry.keys:
            by_key[key[1:]].append(entry)
            prefixes[key[1:]][entry.entry] = key[0]
    return [
        (prefixes[key], _oldest(sharing))
        for key, sharing in by_key.items()
        if len(sharing) > 1 and bring_together(prefixes[key].values())
    ]


def _oldest(entries: Sequence[Identifiers]) -> list[Identifiers]:
    if len(entries) <= _COMPARED:
        return [*entries]
    papers: dict[bool, set[str | int]] = {True: set(), False: set()}
    kept = []
    for entry in entries:
        paper = entry.arxiv_id or entry.doi or entry.entry
        known = papers[entry.arxiv_id is not None]
        if len(known) < _COMPARED:
            known.add(paper)
        if paper in known:
            kept.append(entry)
    return kept


def _accepted(
    entries: Iterable[Identifiers],
    identifier: Callable[[Identifiers], str | None],
    words: Mapping[int, EntryWords],
) -> dict[int, str]:
    """Return the ids that are accepted as an entry's own, as far as its words tell."""
    accepted: dict[int, str] = {}
    for value, sharing in _by(entries, identifier).items():
        owners = min(_compatible(sharing, words), key=lambda some: _precedence(some, value))
        accepted |= {entry.entry: value for entry in owners}
    return accepted


def _precedence(entries: Sequence[Identifiers], value: str) -> tuple[bool, int, date, str, str]:
    """Return a sort key of sets of entries, the likeliest owner of an id first.

    First comes a set with an entry listed under the id itself, then the largest, then the oldest.
    """
    is_listed = any(entry.ref == value for entry in entries)
    oldest = min((entry.last_day, entry.ref, entry.title_key) for entry in entries)
    return not is_listed, -len(entries), *oldest


def _compatible(
    entries: Sequence[Identifiers], words: Mapping[int, EntryWords]
) -> list[list[Identifiers]]:
    """Split the entries with one id into sets that can't be of one paper."""
    titled = _by(entries, attrgetter("title_key"))
    if not 1 < len(titled) <= MOST_TITLES:
        return list(titled.values())
    known = [(entry, words.get(entry.entry) or words_of(entry.title)) for entry in entries]
    pairs = [
        (one.entry, other.entry)
        for (one, its_words), (other, other_words) in combinations(known, 2)
        if one.title_key == other.title_key or may_share_id(its_words, other_words)
    ]
    by_entry = {entry.entry: entry for entry in entries}
    chained = _chained([*pairs, *((entry, entry) for entry in by_entry)])
    return [[by_entry[entry] for entry in chain] for chain in chained]


def _chained(pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return the sets that pairs join, one after another."""
    sets: dict[int, list[int]] = {}
    for one, other in pairs:
        first, second = sets.setdefault(one, [one]), sets.setdefault(other, [other])
        if first is not second:
            first += second
            sets |= dict.fromkeys(second, first)
    return list({id(chain): chain for chain in sets.values()}.values())


def _by(
    entries: Iterable[Identifiers], key: Callable[[Identifiers], K | None]
) -> dict[K, list[Identifiers]]:
    """Return the entries by key, without those that have none."""
    found: dict[K, list[Identifiers]] = defaultdict(list)
    for entry in entries:
        if (value := key(entry)) is not None:
            found[value].append(entry)
    return found


def _held(entries: Iterable[Identifiers], ids: Mapping[int, str]) -> set[str]:
    return {ids[entry.entry] for entry in entries if entry.entry in ids}


def _only(roots: Collection[int]) -> int | None:
    return next(iter(roots)) if len(roots) == 1 else None
