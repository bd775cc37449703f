"""Which of a few entries match stored queries, decided in memory."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from sqlmodel import Session

from store.search.corpus import Corpus
from store.search.few_entries import Entries, FewEntries
from store.search.query import Forms, Run, SearchQuery
from store.search.terms import as_one, forms_of_words, runs
from store.search.vocabulary import everyday, stems
from store.search.word_forms import splits

_NONE: Entries = frozenset()


def matching(
    session: Session, queries: Mapping[int, SearchQuery], entries: Sequence[int]
) -> dict[int, list[int]]:
    """Return the queries that match some of the entries, by their numbers, with these in order.

    They match as a search for every word does that takes the query as typed, whatever the limits
    of a search. Filters alone match all that they let through but what is excluded. Queries name no
    papers by their ids.
    """
    matcher = _Matcher(session, entries)
    # Many people ask the same.
    found = {query: matcher.matches(query) for query in set(queries.values())}
    in_order = {query: [e for e in entries if e in matches] for query, matches in found.items()}
    return {number: [*in_order[query]] for number, query in queries.items() if found[query]}


class _Matcher:
    """Finds what queries match among a few entries."""

    def __init__(self, session: Session, entries: Sequence[int]) -> None:
        self._entries = FewEntries(session, entries)
        self._corpus = Corpus(session)
        self._alone: dict[str, Entries] = {}

    def matches(self, query: SearchQuery) -> Entries:
        """Return the entries that match a query."""
        if query.is_empty and not query.filters:
            return _NONE
        words, with_run = query.significant_words, self._entries.with_run
        within = _in_all(self._entries.through(query.filters), map(with_run, query.phrases))
        within = within.difference(*map(with_run, query.excluded))
        as_typed = _in_all(within, (with_run((word,)) for word in words))
        # Most often other forms add nothing. Which there are has to be asked of the store.
        if as_typed == within or as_typed == _in_all(within, self._at_most(words, query.words)):
            return as_typed
        forms = forms_of_words(query, self._corpus)
        return _in_all(within, map(self._entries.with_any, forms.values()))

    def _at_most(self, significant: Run, words: Run) -> Iterable[Entries]:
        """Yield the entries that match each significant word in any form that it could have."""
        together = [(run, found) for run in runs(words) if (found := self._together(run))]
        for word in significant:
            yield self._of_word(word).union(*(found for run, found in together if word in run))

    def _of_word(self, word: str) -> Entries:
        if word not in self._alone:
            forms = ((word,), *splits(word), *self._meant((word,)))
            self._alone[word] = self._entries.with_any(forms)
        return self._alone[word]

    def _together(self, run: Run) -> Entries:
        return self._entries.with_any((*as_one(run), *self._meant(run)))

    def _meant(self, run: Run) -> Forms:
        return (*self._corpus.synonyms(run), *everyday().get(stems(run), ()))


def _in_all(within: Entries, others: Iterable[Entries]) -> Entries:
    return reduce(lambda some, more: some & more, others, within)
