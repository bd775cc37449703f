"""Which entries are of one paper: a function of the entries alone, in whatever order. All pure.

    ids in rightful hands | one arXiv id, one DOI | pairs that are one by title, summary and pages
        | what people merged

An entry that people split off takes part in the last step only.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from itertools import combinations, product
from operator import itemgetter
from typing import TypeVar

from store.identity.candidate_keys import WHOLE, name_of, squeezed
from store.identity.identifiers import Doubt, Group, Judgements, Signs
from store.identity.pairs import Comparison, Facts, Verdict, compare, overlap_of
from store.identity.plausibility import Words, are_alike, may_be_one, words_of

K = TypeVar("K")

# What was joined by other rules is joined anew when a program with these starts.
RULES = "2"

# Two sets of entries that ids join, each by its root, the lower one first.
Pair = tuple[int, int]

# Of what has a key in common so many papers are compared with an arXiv id, and so many without, the
# oldest first: what more have than that tells nothing.
_COMPARED = 40

# An id is printed with a few titles. Of more no two are compared: each is taken for another work.
MOST_TITLES = 50


def arxiv_year(identifier: str) -> int:
    """Return the year that an arXiv id was given in: its first two digits, 91 being 1991."""
    digits = identifier.rsplit("/", maxsplit=1)[-1][:2]
    return (1900 if int(digits) > 90 else 2000) + int(digits)  # noqa: PLR2004 - arXiv began in 1991


def in_doubt(entries: Iterable[Signs]) -> set[int]:
    """Return the entries of which `Grouping` has to know all that they say.

    They bear an id together with others whose titles are quite different, or have a key in common
    with others, and not each of them an arXiv id beyond doubt.
    """
    entries = sorted(entries, key=_age)
    doubtful = _of_unlike_titles(entries)
    for _, bearers in _with_a_key(entries):
        if any(each.arxiv_id is None or each.entry in doubtful for each in bearers):
            doubtful = doubtful.union(each.entry for each in bearers)
    return doubtful


def _of_unlike_titles(entries: Collection[Signs]) -> set[int]:
    doubtful: set[int] = set()
    for sign in (_arxiv_id, _doi):
        for bearers in _by(entries, sign).values():
            titles = {each.title_key: each.title for each in bearers}
            if len(titles) > MOST_TITLES:
                continue
            words = [words_of(title) for title in titles.values()]
            if not all(are_alike(*pair) for pair in combinations(words, 2)):
                doubtful.update(each.entry for each in bearers)
    return doubtful


Compared = tuple[Comparison, Signs, Signs]
Weight = tuple[int, float]
# Of no weight is what is not known, of little that two are two papers.
_WEIGHTS = (Verdict.UNKNOWN, Verdict.TWO, Verdict.DOUBTFUL, Verdict.ONE)
_BEARABLE = (Verdict.UNKNOWN, Verdict.ONE)


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
        in_order = sorted(entries, key=_age)
        self._said = said
        self._words = words or {}
        self._split = {each.ref for each in said.splits}
        self._roots = {each.entry: each.entry for each in in_order}
        self._members = {each.entry: [each] for each in in_order}
        free = [each for each in in_order if each.ref not in self._split]
        self._arxiv = _rightful(free, _arxiv_id, self._words)
        self._doi = _rightful(free, _doi, self._words)
        self._arxiv_of_doi = self._beside_dois()
        self._join_by_ids(free)
        self._cores = dict(self._roots)
        self._compared = self._compare(in_order)
        self._join_alike()

    def papers(self) -> list[Group]:
        """Return the papers, after merges."""
        merges = [(self._find(each.one), self._find(each.other)) for each in self._said.merges]
        for one, other in merges:
            if one is not None and other is not None:
                self._join(one, other)
        return [self._paper(entries) for entries in self._members.values()]

    def doubts(self) -> list[Doubt]:
        """Return the pairs of papers that may be one, after merges, newest first.

        For each it has the two entries that are the most alike.
        """
        self.papers()
        apart = self._said_apart()
        found: dict[Pair, tuple[Weight, Doubt]] = {}
        for found_here, one, other in self._compared.values():
            roots = self._pair(self._roots[one.entry], self._roots[other.entry])
            is_open = found_here.verdict in {Verdict.ONE, Verdict.DOUBTFUL} and roots not in apart
            if is_open and roots[0] != roots[1] and not self._both_have_ids(roots):
                overlap = overlap_of(self._words_of(one), self._words_of(other))
                doubt = Doubt(one, other, overlap.shared, overlap.of)
                weighed = _weight(found_here), doubt
                found[roots] = max(found.get(roots, weighed), weighed, key=itemgetter(0))
        doubts = (doubt for _, doubt in found.values())
        return sorted(doubts, key=lambda each: (*_age(each.other), *_age(each.one)), reverse=True)

    def together(self, entry: int) -> list[Signs]:
        """Return the entries of one's paper, as it is before merges."""
        return self._members[self._roots[entry]]

    def have_one_id(self, one: int, other: int) -> bool:
        """Tell whether an id joins two entries, whatever else does."""
        return self._cores[one] == self._cores[other]

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

    def _compare(self, entries: Collection[Signs]) -> dict[Pair, Compared]:
        """Compare what has a key in common, once for each two sets that ids join.

        These stand under the verdict of those of their entries that are the most alike.
        """
        apart = self._said_apart()
        facts = {each.entry: self._facts(each) for each in entries}
        best = {pair: (Comparison(Verdict.TWO), *entries) for pair, entries in apart.items()}
        for wholes, bearers in _with_a_key(entries):
            free = [each for each in bearers if each.ref not in self._split]
            if all(each.entry in self._arxiv for each in free):
                continue
            for one, other in combinations(free, 2):
                pair = self._pair(self._roots[one.entry], self._roots[other.entry])
                if pair[0] != pair[1] and pair not in apart and not self._both_have_ids(pair):
                    found = compare(facts[one.entry], facts[other.entry]), one, other
                    if wholes.isdisjoint((one.entry, other.entry)):
                        found = _without_joining(found[0]), one, other
                    known = best.get(pair)
                    if known is None or _weight(known[0]) < _weight(found[0]):
                        best[pair] = found
        return best

    def _join_alike(self) -> None:
        """Join what is one paper by title, summary and pages, the most alike first.

        Two that were compared and are not one stay apart, be it through a third. Where some are as
        much alike as others and can't all be one paper nobody can tell, and none is joined; but
        those that link nowhere are joined with each other before that.
        """
        levels: dict[tuple[float, bool], list[Pair]] = defaultdict(list)
        for (one, other), (found, *_) in self._compared.items():
            if found.verdict is Verdict.ONE:
                link_nowhere = not any(map(self._links_somewhere, (one, other)))
                levels[found.strength, link_nowhere].append((one, other))
        for _, pairs in sorted(levels.items(), key=itemgetter(0), reverse=True):
            joined = [(self._roots[one], self._roots[other]) for one, other in pairs]
            for roots in _chained(joined):
                if self._can_be_one(roots):
                    for root in roots:
                        self._join(roots[0], root)

    def _can_be_one(self, roots: Sequence[int]) -> bool:
        """Tell whether some sets are one paper as far as ids and comparisons allow."""
        if len(self._ids(roots)) > 1:
            return False
        parts = sorted({self._cores[each.entry] for root in roots for each in self._members[root]})
        pairs = (self._compared.get(pair) for pair in combinations(parts, 2))
        return all(found is None or found[0].verdict in _BEARABLE for found in pairs)

    def _said_apart(self) -> dict[Pair, tuple[Signs, Signs]]:
        """Return the pairs of sets that somebody said are two papers, by entries of theirs."""
        wanted = {ref for each in self._said.apart for ref in (each.one, each.other)}
        entries: dict[str, list[Signs]] = defaultdict(list)
        for members in self._members.values():
            for each in members:
                if each.ref in wanted:
                    entries[each.ref].append(each)
        return {
            self._pair(self._roots[one.entry], self._roots[other.entry]): (one, other)
            for each in self._said.apart
            for one, other in product(entries[each.one], entries[each.other])
        }

    def _facts(self, each: Signs) -> Facts:
        """Return what an entry is judged by."""
        ids = self._arxiv.get(each.entry), self._doi.get(each.entry)
        names = squeezed(each.title), name_of(each.title)
        return Facts(*names, *ids, self._year(each), self._words_of(each))

    def _words_of(self, each: Signs) -> Words:
        return self._words.get(each.entry) or words_of(each.title)

    def _pair(self, one: int, other: int) -> Pair:
        return (one, other) if one < other else (other, one)

    def _ids(self, roots: Iterable[int]) -> set[str]:
        """Return the arXiv ids of all that is joined under some roots."""
        return set().union(*(_held(self._members[root], self._arxiv) for root in roots))

    def _links_somewhere(self, root: int) -> bool:
        """Tell whether anything under a root has an id or a page."""
        members = self._members[root]
        return any(self._has_id(each) or self._words_of(each).pages for each in members)

    def _both_have_ids(self, pair: Pair) -> bool:
        """Tell whether each of two sets has an arXiv id, so that they are two papers."""
        return all(self._ids([root]) for root in pair)

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
        in_order = sorted(entries, key=_age)
        oldest = in_order[0]
        arxiv = min(_held(entries, self._arxiv), default=None)
        dois = _held(entries, self._doi)
        if arxiv:
            dois = {doi for doi in dois if len(self._arxiv_of_doi[doi]) <= 1}
        year = arxiv_year(arxiv) if arxiv else oldest.last_day.year
        return Group(tuple(in_order), arxiv, min(dois, default=None), oldest.title_key, year)


def _age(each: Signs) -> tuple[date, str, int]:
    """Return a key that puts the oldest entry first, whatever came first."""
    return each.last_day, each.ref, each.entry


def _weight(found: Comparison) -> Weight:
    return _WEIGHTS.index(found.verdict), found.strength


def _without_joining(found: Comparison) -> Comparison:
    """Return what a comparison says of two that have only a part of a title in common."""
    return found if found.verdict is Verdict.TWO else Comparison(Verdict.UNKNOWN)


def _with_a_key(entries: Iterable[Signs]) -> list[tuple[set[int], list[Signs]]]:
    """Return the entries, oldest first, that have a key in common: of many papers the oldest.

    With them are those whose title is all of the key; at least one is.
    """
    by_key: dict[str, list[Signs]] = defaultdict(list)
    wholes: dict[str, set[int]] = defaultdict(set)
    for each in entries:
        for key in each.keys:
            by_key[key[1:]].append(each)
            if key[0] == WHOLE:
                wholes[key[1:]].add(each.entry)
    return [
        (wholes[key], _oldest(bearers))
        for key, bearers in by_key.items()
        if len(bearers) > 1 and wholes[key]
    ]


def _oldest(bearers: Sequence[Signs]) -> list[Signs]:
    if len(bearers) <= _COMPARED:
        return [*bearers]
    taken: dict[bool, set[str | int]] = {True: set(), False: set()}
    for each in bearers:
        some = taken[each.arxiv_id is not None]
        if len(some) < _COMPARED:
            some.add(each.arxiv_id or each.doi or each.entry)
    return [
        each
        for each in bearers
        if (each.arxiv_id or each.doi or each.entry) in taken[each.arxiv_id is not None]
    ]


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
    titled = _by(bearers, lambda each: each.title_key)
    if not 1 < len(titled) <= MOST_TITLES:
        return list(titled.values())
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
