"""Which of a few entries match stored queries, decided in memory."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from sqlmodel import Session

from store import content_version
from store.search.corpus import Corpus
from store.search.few_entries import Entries, FewEntries
from store.search.query import Forms, Run, SearchQuery
from store.search.terms import as_one, forms_of_words, runs
from store.search.vocabulary import everyday, stems
from store.search.word_forms import splits

_NONE: Entries = frozenset()
# So many words are remembered, whatever strangers store.
_MOST_KEPT = 20_000


def matching(
    session: Session, queries: Mapping[int, SearchQuery], entries: Sequence[int]
) -> dict[int, list[int]]:
    """Return the queries that match some of the entries, by their numbers, with these in order.

    They match as a search for every word does that takes the query as typed, whatever the limits
    of a search. Filters alone match all that they let through but what is excluded. Queries name no
    papers by their ids.
    """
    matcher, corpus = _matcher_of(session, tuple(entries)), Corpus(session)
    found = {number: matcher.matches(query, corpus) for number, query in queries.items()}
    return {number: [e for e in entries if e in some] for number, some in found.items() if some}


class _Matcher:
    """Finds what queries match among a few entries, while the content stays as it is."""

    def __init__(self, session: Session, entries: Sequence[int]) -> None:
        self._entries = FewEntries(session, entries)
        self._words: dict[str, Entries] = {}

    def matches(self, query: SearchQuery, corpus: Corpus) -> Entries:
        """Return the entries that match a query."""
        if query.is_empty and not query.filters:
            return _NONE
        words, with_run = query.significant_words, self._entries.with_run
        within = _in_all(self._entries.through(query.filters), map(with_run, query.phrases))
        within = within.difference(*map(with_run, query.excluded))
        as_typed = _in_all(within, (with_run((word,)) for word in words))
        if as_typed == within:
            return as_typed
        # Most often other forms add nothing. Which there are has to be asked of the store.
        if as_typed == _in_all(within, self._at_most(words, query.words, corpus)):
            return as_typed
        forms = forms_of_words(query, corpus)
        return _in_all(within, map(self._entries.with_any, forms.values()))

    def _at_most(self, significant: Run, words: Run, corpus: Corpus) -> Iterable[Entries]:
        """Yield the entries that match each significant word in any form that it could have."""
        all_runs = ((run, self._together(run, corpus)) for run in runs(words))
        together = [(run, found) for run, found in all_runs if found]
        for word in significant:
            found = self._of_word(word, corpus)
            yield found.union(*(others for run, others in together if word in run))

    def _of_word(self, word: str, corpus: Corpus) -> Entries:
        if word not in self._words:
            if len(self._words) >= _MOST_KEPT:
                self._words.clear()
            forms = ((word,), *splits(word), *_meant((word,), corpus))
            self._words[word] = self._entries.with_any(forms)
        return self._words[word]

    def _together(self, run: Run, corpus: Corpus) -> Entries:
        return self._entries.with_any((*as_one(run), *_meant(run, corpus)))


class _Matchers(dict[tuple[int, ...], _Matcher]):
    """Keeps the matcher of the entries that were asked for last."""


def _matcher_of(session: Session, entries: tuple[int, ...]) -> _Matcher:
    """Return the matcher of entries; it stays while others of their queries are asked for."""
    kept = content_version.cache(session, _Matchers, lambda _: _Matchers())
    if entries not in kept:
        kept.clear()
        kept[entries] = _Matcher(session, entries)
    return kept[entries]


def _meant(run: Run, corpus: Corpus) -> Forms:
    return (*corpus.synonyms(run), *everyday().get(stems(run), ()))


def _in_all(within: Entries, others: Iterable[Entries]) -> Entries:
    return reduce(lambda some, more: some & more, others, within)
