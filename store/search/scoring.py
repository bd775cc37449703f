"""Which entries hold enough of a query, and how well: the same for both databases. All pure."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import reduce
from typing import TypeVar

from store.search.corpus import MANY, Corpus
from store.search.query import Found, Run, SearchResult
from store.search.terms import Understood


def holders_of_all(held: Sequence[AbstractSet[int]]) -> AbstractSet[int]:
    """Return the entries that stand in every one of the sets, of which there is one at least."""
    return reduce(lambda some, others: some & others, sorted(held, key=len))


def holders_of_most(held: Sequence[tuple[AbstractSet[int], int]]) -> AbstractSet[int]:
    """Return the entries that hold a good share of the weight of all terms.

    `held` are each term's holders and its weight. Where no entry holds as much it is those
    that hold the most.
    """
    least = _share(len(held)) * sum(weight for _, weight in held)
    found = _weighed(held, least)
    if max(found.values(), default=0) < least:
        found = _weighed(held, 0)
        least = max(found.values(), default=0)
    return {entry for entry, weight in found.items() if weight >= least}


def _weighed(held: Sequence[tuple[AbstractSet[int], int]], least: float) -> dict[int, int]:
    """Return the entries that may hold so much, each with the weight of what it holds."""
    left = sum(weight for _, weight in held)
    found: dict[int, int] = {}
    for holders, weight in sorted(held, key=lambda each: -each[1]):
        # What holds nothing so far can't get enough any more once too little is left.
        for entry in holders if left >= least else holders & found.keys():
            found[entry] = found.get(entry, 0) + weight
        left -= weight
    return found


def _share(terms: int) -> float:
    """Return the share that is enough: half of a few words, a quarter of a description.

    People describe a paper in words of their own, most of which it hasn't.
    """
    return min(0.5, max(0.25, 1.5 / max(terms, 1)))


def scores(entries: AbstractSet[int], scored: Sequence[Mapping[int, float]]) -> dict[int, float]:
    """Return the entries, each with the sum of its scores; there is one mapping at least."""
    first, *others = scored
    found = {entry: first.get(entry, 0.0) for entry in entries}
    for each in others:
        for entry in found.keys() & each.keys():
            found[entry] += each[entry]
    return found


# Added to the score of what holds all, and of what has just these words for its title. A
# word's own score stays under 20.
_HOLDS_ALL = 1000.0
_TITLE = 500.0

# So many holders are read for one search, with 100,000 entries in 0.2 s. No query reaches it in a
# store of less than 1,800 entries.
MOST_READ = 60_000

T = TypeVar("T")


def find(corpus: Corpus, wanted: Understood, page: slice, most_read: int) -> SearchResult:
    """Return a page of the entries that hold all terms, then of those that hold most.

    What too many entries hold is left out once the rarer words, phrases and exclusions had so many
    holders that to read more would take too long.
    """
    budget = _Budget(most_read)
    limits = _limits(corpus, wanted, budget)
    found = None if limits.are_any else _best(corpus, wanted, page.stop)
    if found is None:
        found = _all_then_most(corpus, wanted, limits, page.stop, budget)
    order = _in_order(corpus, found, page)
    hits = tuple(Found(entry, found[entry], found[entry] >= _HOLDS_ALL) for entry in order)
    return SearchResult(hits, wanted.terms, wanted.corrections, budget.is_spent)


class _Budget:
    """How many holders may still be read for one search."""

    def __init__(self, left: int) -> None:
        self._left = left
        self.is_spent = False

    def affords(self, counted: Sequence[tuple[T, int]], least: int) -> list[T]:
        """Return what may be read of some things with so many holders each: the rarest, in order.

        So many of them may be read whatever is left.
        """
        by_rarity = sorted(range(len(counted)), key=lambda place: counted[place][1])
        kept = []
        for number, place in enumerate(by_rarity):
            if counted[place][1] > self._left and number >= least:
                self.is_spent = True
                break
            self._left -= counted[place][1]
            kept.append(place)
        return [counted[place][0] for place in sorted(kept)]


@dataclass(frozen=True, slots=True)
class _Limits:
    """The entries that may be found, `None` for all, and those that mustn't."""

    within: AbstractSet[int] | None
    without: AbstractSet[int]

    @property
    def are_any(self) -> bool:
        """Whether there is anything that they keep out."""
        return self.within is not None or bool(self.without)

    def keep(self, entries: AbstractSet[int]) -> AbstractSet[int]:
        """Return the entries that stay within the limits."""
        within = entries if self.within is None else entries & self.within
        return within - self.without if self.without else within


def _limits(corpus: Corpus, wanted: Understood, budget: _Budget) -> _Limits:
    query, titles = wanted.query, wanted.query.title_only
    phrases = [
        (run, corpus.frequency((run,), titles=titles)) for run in dict.fromkeys(query.phrases)
    ]
    excluded = [(run, corpus.frequency((run,))) for run in dict.fromkeys(query.excluded)]
    within: list[AbstractSet[int]] = [
        corpus.scored(run, titles=titles).keys() for run in budget.affords(phrases, least=1)
    ]
    runs = budget.affords(excluded, least=0)
    without = {entry for run in runs for entry in corpus.scored(run)}
    chosen = corpus.chosen(query)
    if chosen is not None:
        within.append(chosen)
    return _Limits(holders_of_all(within) if within else None, without)


def _best(corpus: Corpus, wanted: Understood, enough: int) -> dict[int, float] | None:
    """Return the best that hold all terms, where these are common; `None` if not enough do."""
    titles = wanted.query.title_only
    groups = [term.forms for term in wanted.terms]
    if sum(corpus.frequency(forms, titles=titles) for forms in groups) <= MANY:
        return None
    best = corpus.best(groups, titles=titles)
    return _praised(corpus, wanted.query.words, best) if len(best) >= enough else None


def _all_then_most(
    corpus: Corpus, wanted: Understood, limits: _Limits, enough: int, budget: _Budget
) -> dict[int, float]:
    """Return all that hold every term; if they are not enough, also what holds most."""
    titles = wanted.query.title_only
    counted = [(term, corpus.frequency(term.forms, titles=titles)) for term in wanted.terms]
    terms = budget.affords(counted, least=1)
    held = [limits.keep(corpus.holders(term.forms, titles=titles)) for term in terms]
    forms = dict.fromkeys(form for term in terms for form in term.forms)
    scored = [corpus.scored(form, titles=titles) for form in forms]
    complete = holders_of_all(held)
    found = _praised(corpus, wanted.query.words, scores(complete, scored))
    if len(found) < enough and not wanted.query.every_word:
        weighed = [(holders, term.weight) for holders, term in zip(held, terms, strict=True)]
        found |= scores(holders_of_most(weighed) - complete, scored)
    return found


def _praised(corpus: Corpus, words: Run, complete: Mapping[int, float]) -> dict[int, float]:
    """Raise the scores of what holds all: the more, the more of its title was typed."""
    found = {entry: _HOLDS_ALL + score for entry, score in complete.items()}
    titled = corpus.scored(words, titles=True) if found and len(words) > 1 else {}
    for entry in found.keys() & titled.keys():
        found[entry] += titled[entry]
    if titled or len(words) == 1:
        for entry in found.keys() & set(corpus.titled(words)):
            found[entry] += _TITLE
    return found


def _in_order(corpus: Corpus, found: Mapping[int, float], page: slice) -> list[int]:
    """Return a page of entries, the highest score first; equal ones stand newest first."""
    order = sorted(found, key=found.__getitem__, reverse=True)
    beside = [found[entry] for entry in order[max(0, page.start - 1) : page.stop + 1]]
    if len(set(beside)) == len(beside):
        return order[page]
    levels = set(beside)
    equal = [entry for entry in order if found[entry] in levels]
    start = order.index(equal[0])
    equal = sorted(corpus.newest_first(equal), key=found.__getitem__, reverse=True)
    return equal[page.start - start : page.stop - start]
