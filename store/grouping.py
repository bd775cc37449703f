"""Which entries are of one paper: a function of the entries alone, in whatever order. All pure.

    ids in rightful hands | one arXiv id, one DOI | one title and year | a name before a colon
        | what people merged

An entry that people split off takes part in the last step only.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from itertools import combinations
from typing import TypeVar

from store.identities import Group, Judgements, Signs
from store.same_work import Words, are_alike, may_be_one, words_of

K = TypeVar("K")

# What was joined by other rules is joined anew when a program with these starts.
RULES = "1"

TitleYear = tuple[str, int]


def arxiv_year(identifier: str) -> int:
    """Return the year that an arXiv id was given in: its first two digits, 91 being 1991."""
    digits = identifier.rsplit("/", maxsplit=1)[-1][:2]
    return (1900 if int(digits) > 90 else 2000) + int(digits)  # noqa: PLR2004 - arXiv began in 1991


def in_doubt(entries: Iterable[Signs]) -> set[int]:
    """Return the entries that bear an id together with others whose titles are quite different.

    Of these `Grouping` has to know all that they say.
    """
    doubtful: set[int] = set()
    entries = list(entries)
    for sign in (_arxiv_id, _doi):
        for bearers in _by(entries, sign).values():
            titles = {each.title_key: each.title for each in bearers}
            words = [words_of(title) for title in titles.values()]
            if not all(are_alike(*pair) for pair in combinations(words, 2)):
                doubtful.update(each.entry for each in bearers)
    return doubtful


class Grouping:
    """Entries parted into papers.

    Args:
        entries: with each entry all that have a sign in common with it.
        said: what people said.
        words: those of each entry that is `in_doubt`.
    """

    def __init__(
        self,
        entries: Collection[Signs],
        said: Judgements,
        words: Mapping[int, Words] | None = None,
    ) -> None:
        in_order = sorted(entries, key=lambda each: (each.last_day, each.ref, each.entry))
        self._said = said
        self._split = {each.ref for each in said.splits}
        self._roots = {each.entry: each.entry for each in in_order}
        self._members = {each.entry: [each] for each in in_order}
        free = [each for each in in_order if each.ref not in self._split]
        self._arxiv = _rightful(free, _arxiv_id, words or {})
        self._doi = _rightful(free, _doi, words or {})
        self._arxiv_of_doi = self._beside_dois()
        self._join_by_ids(free)
        self._join_by_titles(free)
        self._join_by_names(free)

    def papers(self) -> list[Group]:
        """Return the papers, after merges."""
        merges = [(self._find(each.one), self._find(each.other)) for each in self._said.merges]
        for one, other in merges:
            if one is not None and other is not None:
                self._join(one, other)
        return [self._paper(entries) for entries in self._members.values()]

    def together(self, entry: int) -> list[Signs]:
        """Return the entries of one's paper, as it is before merges."""
        return self._members[self._roots[entry]]

    def name(self, entry: int) -> str:
        """Return the name of one's paper, as it is before merges, that lasts longest."""
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
        """Tell whether a name means one's paper, as it is before merges."""
        return self._find(name) == self._roots[entry]

    def _join(self, one: int, other: int) -> None:
        """Join all that are joined with one entry with all that are joined with another."""
        kept, given = self._roots[one], self._roots[other]
        if kept != given:
            moved = self._members.pop(given)
            self._members[kept] += moved
            self._roots |= {each.entry: kept for each in moved}

    def _join_by_ids(self, entries: Iterable[Signs]) -> None:
        """Join by arXiv id and by DOI; one beside several arXiv ids joins none with another."""
        first: dict[str, int] = {}
        for each in entries:
            arxiv, doi = self._arxiv.get(each.entry), self._doi.get(each.entry)
            if arxiv:
                self._join(first.setdefault(f"arxiv:{arxiv}", each.entry), each.entry)
            if doi and (not arxiv or len(self._arxiv_of_doi[doi]) == 1):
                self._join(first.setdefault(f"doi:{doi}", each.entry), each.entry)

    def _join_by_titles(self, entries: Iterable[Signs]) -> None:
        """Join entries without ids by title and year, and with the one paper with ids there."""
        named: dict[TitleYear, set[int]] = defaultdict(set)
        loose: dict[TitleYear, list[int]] = defaultdict(list)
        for each in entries:
            if each.title_key:
                key = each.title_key, self._year(each)
                if self._has_id(each):
                    named[key].add(self._roots[each.entry])
                else:
                    loose[key].append(each.entry)
        for key, entries_of_title in loose.items():
            alone = len(named[key]) == 1
            for entry in entries_of_title:
                self._join(next(iter(named[key])) if alone else entries_of_title[0], entry)

    def _join_by_names(self, entries: Iterable[Signs]) -> None:
        """Join what has a bare name for its title with what has that name before a colon.

        Only where these are two, of one year, and not both with ids: else nobody can tell.
        """
        bare: dict[TitleYear, set[int]] = defaultdict(set)
        longer: dict[TitleYear, set[int]] = defaultdict(set)
        for each in entries:
            under = longer if each.name_key else bare
            under[each.name_key or each.title_key, self._year(each)].add(self._roots[each.entry])
        both = [bare[key] | roots for key, roots in longer.items() if key in bare]
        pairs = [(min(roots), max(roots)) for roots in both if len(roots) == 2]  # noqa: PLR2004 - two
        for roots in _chained(pairs):
            if sum(any(map(self._has_id, self._members[root])) for root in roots) <= 1:
                for root in roots:
                    self._join(roots[0], root)

    def _find(self, name: str) -> int | None:
        """Return the root that a name means, `None` where there is none or nobody can tell."""
        kind, _, rest = name.partition(":")
        if kind == "title":
            year, _, title_key = rest.partition(":")
            return self._find_titled(title_key, int(year))
        if kind == "entry":
            everybody = (each for entries in self._members.values() for each in entries)
            return _only({self._roots[each.entry] for each in everybody if each.ref == rest})
        held = self._arxiv if kind == "arxiv" else self._doi
        roots = {self._roots[entry] for entry, value in held.items() if value == rest}
        if kind == "doi":  # which may stand beside several arXiv ids, too
            roots = self._without_arxiv(roots) or roots
        return _only(roots)

    def _find_titled(self, title_key: str, year: int) -> int | None:
        """Return what a title and year mean: first of all what has no ids."""
        roots = {
            root
            for root, entries in self._members.items()
            for each in entries
            if each.title_key == title_key and each.ref not in self._split
            if year in {each.last_day.year, self._year(each)}
        }
        loose = {root for root in roots if not any(map(self._has_id, self._members[root]))}
        return _only(loose or roots)

    def _without_arxiv(self, roots: Iterable[int]) -> set[int]:
        return {root for root in roots if not _held(self._members[root], self._arxiv)}

    def _beside_dois(self) -> dict[str, set[str]]:
        """Return the arXiv ids that each DOI stands beside."""
        found: dict[str, set[str]] = defaultdict(set)
        for entry, doi in self._doi.items():
            found[doi] |= {self._arxiv[entry]} if entry in self._arxiv else set()
        return found

    def _has_id(self, each: Signs) -> bool:
        return each.entry in self._arxiv or each.entry in self._doi

    def _year(self, each: Signs) -> int:
        """Return the year that goes with a title: the arXiv id's, else the edition's."""
        arxiv = self._arxiv.get(each.entry)
        return arxiv_year(arxiv) if arxiv else each.last_day.year

    def _paper(self, entries: Sequence[Signs]) -> Group:
        in_order = sorted(entries, key=lambda each: (each.last_day, each.ref, each.entry))
        oldest = in_order[0]
        arxiv = min(_held(entries, self._arxiv), default=None)
        dois = _held(entries, self._doi)
        if arxiv:
            dois = {doi for doi in dois if len(self._arxiv_of_doi[doi]) <= 1}
        year = arxiv_year(arxiv) if arxiv else oldest.last_day.year
        return Group(tuple(in_order), arxiv, min(dois, default=None), oldest.title_key, year)


def _arxiv_id(entry: Signs) -> str | None:
    return entry.arxiv_id


def _doi(entry: Signs) -> str | None:
    return entry.doi


def _rightful(
    entries: Iterable[Signs], sign: Callable[[Signs], str | None], words: Mapping[int, Words]
) -> dict[int, str]:
    """Return the id of each entry that bears one rightfully, as far as its words tell."""
    held: dict[int, str] = {}
    for name, bearers in _by(entries, sign).items():
        owners = min(_parties(bearers, words), key=lambda party: _precedence(party, name))
        held |= {each.entry: name for each in owners}
    return held


def _precedence(party: Sequence[Signs], name: str) -> tuple[bool, int, date, str, str]:
    """Return a key that puts those first to whom an id belongs, of who can't be of one work.

    First is who is listed under the id itself, then who are the most, then who had it first.
    """
    listed = any(each.ref == name for each in party)
    oldest = min((each.last_day, each.ref, each.title_key) for each in party)
    return not listed, -len(party), *oldest


def _parties(bearers: Sequence[Signs], words: Mapping[int, Words]) -> list[list[Signs]]:
    """Part the bearers of one id into those who can't be of one work."""
    if len({each.title_key for each in bearers}) == 1:
        return [[*bearers]]
    known = [(each, words.get(each.entry) or words_of(each.title)) for each in bearers]
    alike = [
        (one.entry, other.entry)
        for (one, its), (other, others) in combinations(known, 2)
        if one.title_key == other.title_key or may_be_one(its, others)
    ]
    by_entry = {each.entry: each for each in bearers}
    chained = _chained([*alike, *((entry, entry) for entry in by_entry)])
    return [[by_entry[entry] for entry in party] for party in chained]


def _chained(pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return the sets of what pairs join, one after another."""
    sets: dict[int, list[int]] = {}
    for one, other in pairs:
        first, second = sets.setdefault(one, [one]), sets.setdefault(other, [other])
        if first is not second:
            first += second
            sets |= dict.fromkeys(second, first)
    return list({id(each): each for each in sets.values()}.values())


def _by(entries: Iterable[Signs], sign: Callable[[Signs], K | None]) -> dict[K, list[Signs]]:
    """Return the entries under what each has, without those that have nothing."""
    found: dict[K, list[Signs]] = defaultdict(list)
    for each in entries:
        if (value := sign(each)) is not None:
            found[value].append(each)
    return found


def _held(entries: Iterable[Signs], held: Mapping[int, str]) -> set[str]:
    return {held[each.entry] for each in entries if each.entry in held}


def _only(roots: Collection[int]) -> int | None:
    return next(iter(roots)) if len(roots) == 1 else None
