"""Which entries match enough of a query, and in which order they are shown."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from typing import TypeVar

from store.search.corpus import BEST, MANY, Corpus
from store.search.query import EntryHit, Run, SearchResult, Term
from store.search.terms import ResolvedQuery
from store.search.weights import IN_PASSING, IS_NAMED, IS_TITLE, MATCHES_ALL, SHARE_OF_DESCRIPTION

# So many matches are read for one search, with 100,000 entries in 0.2 s. No query reaches it in a
# store of less than 1,800 entries.
READ_LIMIT = 60_000

# A description holds so many words or more: no paper has to have them all.
_DESCRIPTION = 4
# Of so many entries papers are counted exactly, in 10 ms.
_COUNTED = 2000

T = TypeVar("T")


def find(
    corpus: Corpus,
    resolved: ResolvedQuery,
    page: slice,
    read_limit: int,
    *,
    once_a_paper: bool = False,
) -> SearchResult:
    """Return a page of the entries that match all terms or enough of them, best first.

    Common terms, phrases and exclusions are left out once the rarer ones have used up the read
    limit.
    """
    allowance = _ReadAllowance(read_limit)
    filters = _filters(corpus, resolved, allowance)
    found = None if filters.exist else _best(corpus, resolved, page.stop)
    if found is None:
        found = _all_or_most(corpus, resolved, filters, allowance)
    if resolved.query.arxiv_ids:
        named = filters.of(corpus.with_arxiv_ids(resolved.query.arxiv_ids))
        found = found.with_named(named)
    if once_a_paper:
        papers = corpus.papers_of([*islice(found.scores, _COUNTED)])
        entries, total = (
            _papers_in_order(corpus, found.scores, page, papers),
            len({*papers.values()}),
        )
    else:
        entries, total = _page_in_order(corpus, found.scores, page), len(found.scores)
    return SearchResult(
        tuple(EntryHit(entry, found.scores[entry], entry in found.complete) for entry in entries),
        total=total,
        or_more=found.is_cut or (once_a_paper and len(found.scores) > _COUNTED),
        any_complete=bool(found.complete),
        terms=resolved.terms,
        corrections=resolved.corrections,
        cut=allowance.is_spent,
        uncorrected=resolved.uncorrected,
    )


def matching_all(matches: Sequence[AbstractSet[int]]) -> AbstractSet[int]:
    """Return the entries in every set, of which there is at least one. Pure."""
    return reduce(lambda some, others: some & others, sorted(matches, key=len))


def matching_most(matches: Sequence[tuple[AbstractSet[int], int]]) -> AbstractSet[int]:
    """Return the entries that match a quarter of the weight of all terms. Pure.

    `matches` are each term's entries and its weight. If no entry reaches the share, those with the
    most weight are returned.
    """
    least = SHARE_OF_DESCRIPTION * sum(weight for _, weight in matches)
    found = _weights(matches, least)
    if max(found.values(), default=0) < least:
        found = _weights(matches, 0)
        least = max(found.values(), default=0)
    return {entry for entry, weight in found.items() if weight >= least}


def _weights(matches: Sequence[tuple[AbstractSet[int], int]], least: float) -> dict[int, int]:
    """Return the entries that may reach a weight, each with the weight of the terms it matches."""
    left = sum(weight for _, weight in matches)
    found: dict[int, int] = {}
    for entries, weight in sorted(matches, key=lambda pair: -pair[1]):
        # An entry without a match so far can't reach it any more once too little is left.
        for entry in entries if left >= least else entries & found.keys():
            found[entry] = found.get(entry, 0) + weight
        left -= weight
    return found


def sum_scores(
    entries: AbstractSet[int], scores: Sequence[Mapping[int, float]]
) -> dict[int, float]:
    """Return the entries with the sums of their scores; there is at least one mapping. Pure."""
    first, *others = scores
    found = {entry: first.get(entry, 0.0) for entry in entries}
    for more in others:
        for entry in found.keys() & more.keys():
            found[entry] += more[entry]
    return found


def highest_scores(scores: Sequence[Mapping[int, float]]) -> Mapping[int, float]:
    """Return each entry with the highest of its scores; there is at least one mapping. Pure."""
    if len(scores) == 1:
        return scores[0]
    found: dict[int, float] = {}
    for more in scores:
        for entry, score in more.items():
            if score > found.get(entry, 0):
                found[entry] = score
    return found


class _ReadAllowance:
    """The number of matches that one search may still read."""

    def __init__(self, left: int) -> None:
        self._left = left
        self.is_spent = False

    def rarest(self, counted: Sequence[tuple[T, int]], least: int) -> list[T]:
        """Return, in order, the rarest items whose matches may be read; at least so many."""
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
class _Filters:
    """The entries that may be found, `None` for all, and those that are excluded."""

    within: AbstractSet[int] | None
    excluded: AbstractSet[int]

    @property
    def exist(self) -> bool:
        """True if anything is filtered out."""
        return self.within is not None or bool(self.excluded)

    def of(self, entries: AbstractSet[int]) -> AbstractSet[int]:
        """Return the entries that pass."""
        within = entries if self.within is None else entries & self.within
        return within - self.excluded if self.excluded else within


def _filters(corpus: Corpus, resolved: ResolvedQuery, allowance: _ReadAllowance) -> _Filters:
    query, titles = resolved.query, resolved.query.title_only
    phrases = [
        (run, corpus.frequency((run,), titles=titles)) for run in dict.fromkeys(query.phrases)
    ]
    excluded = [(run, corpus.frequency((run,))) for run in dict.fromkeys(query.excluded)]
    within: list[AbstractSet[int]] = [
        corpus.scores(run, titles=titles).keys() for run in allowance.rarest(phrases, least=1)
    ]
    runs = allowance.rarest(excluded, least=0)
    entries = {entry for run in runs for entry in corpus.scores(run)}
    filtered = corpus.filtered(query)
    if filtered is not None:
        within.append(filtered)
    return _Filters(matching_all(within) if within else None, entries)


@dataclass(frozen=True, slots=True)
class _Found:
    """The scores of the entries found, and those of them that match all terms.

    With `is_cut` only the best were read.
    """

    scores: dict[int, float]
    complete: AbstractSet[int]
    is_cut: bool = False

    def with_named(self, named: AbstractSet[int]) -> "_Found":
        """Return these with entries of named papers, which stand before all others."""
        first = {entry: IS_NAMED + self.scores.get(entry, 0) for entry in named}
        return _Found(self.scores | first, self.complete | named, self.is_cut)


def _best(corpus: Corpus, resolved: ResolvedQuery, enough: int) -> _Found | None:
    """Return the best entries for all terms if these are common; `None` if they are too few."""
    titles = resolved.query.title_only
    groups = [term.forms for term in resolved.terms]
    if sum(corpus.frequency(forms, titles=titles) for forms in groups) <= MANY:
        return None
    best = corpus.best(groups, titles=titles)
    if len(best) < enough:
        return None
    boosted = _boosted(corpus, resolved, best, best.keys())
    return _Found(boosted, best.keys(), is_cut=len(best) >= BEST)


def _all_or_most(
    corpus: Corpus, resolved: ResolvedQuery, filters: _Filters, allowance: _ReadAllowance
) -> _Found:
    """Return the entries that match all terms or, unless all are demanded, enough of them."""
    titles = resolved.query.title_only
    counted = [
        (term, sum(corpus.frequency((form,), titles=titles) for form in term.forms))
        for term in resolved.terms
    ]
    terms = allowance.rarest(counted, least=1)
    if not terms:
        return _Found({}, frozenset())
    by_form = _scores(corpus, terms, filters, titles=titles)
    scores = [highest_scores([by_form[form] for form in term.forms]) for term in terms]
    matches = [filters.of(_matches(term, by_form)) for term in terms]
    complete = found = matching_all(matches)
    if not resolved.query.every_word:
        weighed = [(entries, term.weight) for entries, term in zip(matches, terms, strict=True)]
        found = complete | matching_most(weighed)
    return _Found(_boosted(corpus, resolved, sum_scores(found, scores), complete), complete)


def _scores(
    corpus: Corpus, terms: Sequence[Term], filters: _Filters, *, titles: bool
) -> dict[Run, Mapping[int, float]]:
    """Return the scores of each form of the terms.

    Of the commonest terms only the entries are read that match a rarer term too. The others, which
    may be tens of thousands, match too little to be shown.
    """
    left = sum(term.weight for term in terms)
    least = SHARE_OF_DESCRIPTION * left
    scores: dict[Run, Mapping[int, float]] = {}
    rarer: set[int] = set()
    for term in sorted(terms, key=lambda term: -term.weight):
        is_common = bool(rarer) and left < least
        for form in term.forms:
            if form in scores:
                continue
            if is_common:
                scores[form] = corpus.scores_within(form, rarer, titles=titles)
            else:
                scores[form] = corpus.scores(form, titles=titles)
        if not is_common and (entries := filters.of(_matches(term, scores))):
            # Where no entry reaches the share, those of the rarest term are shown at least.
            least = least if rarer else min(least, term.weight)
            rarer |= entries
        left -= term.weight
    return scores


def _matches(term: Term, scores: Mapping[Run, Mapping[int, float]]) -> AbstractSet[int]:
    """Return the entries that match any form of a term."""
    first, *others = (scores[form].keys() for form in term.forms)
    return set(first).union(*others) if others else first


def _boosted(
    corpus: Corpus,
    resolved: ResolvedQuery,
    scores: Mapping[int, float],
    complete: AbstractSet[int],
) -> dict[int, float]:
    """Raise the scores of complete matches: the more of the title was typed, the more."""
    words, found = resolved.query.words, dict(scores)
    if not _is_description(resolved.terms):
        least = IN_PASSING * max(scores.values(), default=0)
        found |= {e: MATCHES_ALL + scores[e] for e in complete if scores[e] >= least}
    in_title = corpus.scores(words, titles=True) if complete and len(words) > 1 else {}
    for entry in complete & in_title.keys():
        found[entry] += in_title[entry]
    if in_title or len(words) == 1:
        for entry in complete & set(corpus.with_title(words)):
            found[entry] += IS_TITLE
    return found


def _is_description(terms: Sequence[Term]) -> bool:
    """Tell whether there are many terms; words that are an acronym together count as one."""
    return len({term.forms[-1] for term in terms}) >= _DESCRIPTION


def _page_in_order(corpus: Corpus, found: Mapping[int, float], page: slice) -> Sequence[int]:
    """Return a page of entries, the highest score first; equal scores newest first."""
    order = sorted(found, key=found.__getitem__, reverse=True)
    scores = [found[entry] for entry in order[max(0, page.start - 1) : page.stop + 1]]
    if len(set(scores)) == len(scores):
        return order[page]
    levels = set(scores)
    tied = [entry for entry in order if found[entry] in levels]
    start = order.index(tied[0])
    tied = sorted(corpus.newest_first(tied), key=found.__getitem__, reverse=True)
    return tied[page.start - start : page.stop - start]


def _papers_in_order(
    corpus: Corpus, found: Mapping[int, float], page: slice, papers: dict[int, int]
) -> Sequence[int]:
    """Return the same page of the best entries of papers, of which none comes twice.

    `papers` are those of some of the entries.
    """
    size = page.stop
    while True:
        entries = _page_in_order(corpus, found, slice(0, size))
        if others := [entry for entry in entries if entry not in papers]:
            papers |= corpus.papers_of(others)
        best: dict[int, int] = {}
        for entry in entries:
            best.setdefault(papers[entry], entry)
        if len(best) >= page.stop or size >= len(found):
            return list(best.values())[page]
        size *= 2
