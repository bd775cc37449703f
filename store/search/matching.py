"""Which of a few entries match stored queries, decided in memory."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from sqlmodel import Session

from store.search.corpus import Corpus
from store.search.few_entries import Entries, FewEntries
from store.search.query import Forms, Run, SearchQuery
from store.search.terms import forms_of_words, runs, spellings
from store.search.vocabulary import everyday, stems


def matching(
    session: Session, queries: Mapping[int, SearchQuery], entries: Sequence[int]
) -> dict[int, list[int]]:
    """Return the queries that match some of the entries, by their numbers, with these in order.

    They match as a search for every word does that takes the query as typed, whatever the limits
    of a search. Filters alone match all that they let through but what is excluded. Queries name no
    papers by their ids.
    """
    matcher = _Matcher(session, entries)
    matches = ((number, matcher.matches(query)) for number, query in queries.items())
    return {number: [e for e in entries if e in found] for number, found in matches if found}


class _Matcher:
    """Finds what queries match among a few entries."""

    def __init__(self, session: Session, entries: Sequence[int]) -> None:
        self._entries = FewEntries(session, entries)
        self._corpus = Corpus(session)

    def matches(self, query: SearchQuery) -> Entries:
        """Return the entries that match a query."""
        if query.is_empty and not query.filters:
            return frozenset()
        words, with_run = query.significant_words, self._entries.with_run
        within = _in_all(self._entries.through(query.filters), map(with_run, query.phrases))
        within = within.difference(*map(with_run, query.excluded))
        as_typed = _in_all(within, (with_run((word,)) for word in words))
        # Most often other forms add nothing, and which there are is asked of the store.
        at_most = _in_all(within, (self._at_most(word, query.words) for word in words))
        if as_typed == at_most:
            return as_typed
        forms = forms_of_words(query, self._corpus)
        return _in_all(within, map(self._entries.with_any, forms.values()))

    def _at_most(self, word: str, words: Run) -> Entries:
        """Return the entries that match a word of a query in any form that it could have."""
        meant = [*self._meant((word,))]
        for run in runs(words):
            if word in run:
                meant += self._meant(run)
        return self._entries.with_any((*spellings(word, words), *meant))

    def _meant(self, run: Run) -> Forms:
        return (*self._corpus.synonyms(run), *everyday().get(stems(run), ()))


def _in_all(within: Entries, others: Iterable[Entries]) -> Entries:
    return reduce(lambda some, more: some & more, others, within)
