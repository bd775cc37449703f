"""The terms of a query: its words with their other forms, corrected where they are unknown."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from store.search.corpus import Corpus
from store.search.query import Forms, Run, SearchQuery, Term, significant

_LONGEST_SYNONYM = 8  # words that an acronym stands for
_MOST_JOINED = 3


@dataclass(frozen=True, slots=True)
class ResolvedQuery:
    """A query after corrections, with its terms."""

    query: SearchQuery
    terms: tuple[Term, ...]
    corrections: tuple[tuple[str, str], ...] = ()


def resolve(query: SearchQuery, corpus: Corpus) -> ResolvedQuery:
    """Return a query with a term for each significant word and each phrase.

    A word that no entry contains in any form is corrected if a known one is near; phrases and
    exclusions stay as they are.
    """
    terms = _terms(query, corpus)
    unknown = (term.typed[0] for term in terms if not term.weight and not term.exact)
    corrections = {word: other for word in unknown if (other := corpus.correction(word))}
    if not corrections:
        return ResolvedQuery(query, terms)
    words = tuple(corrections.get(word, word) for word in query.words)
    query = replace(query, words=words)
    return ResolvedQuery(query, _terms(query, corpus), tuple(corrections.items()))


def _terms(query: SearchQuery, corpus: Corpus) -> tuple[Term, ...]:
    titles = query.title_only
    phrases = (
        Term(run, (run,), corpus.weight((run,), titles=titles), exact=True) for run in query.phrases
    )
    return (*_word_terms(query, corpus), *phrases)


def _word_terms(query: SearchQuery, corpus: Corpus) -> Iterator[Term]:
    joined = _joined(query.words, corpus)
    for word in significant(query.words):
        forms = tuple(dict.fromkeys([*corpus.forms(word), *joined.get(word, ())]))
        yield Term((word,), forms, corpus.weight(forms, titles=query.title_only))


def _joined(words: Run, corpus: Corpus) -> Mapping[str, Forms]:
    """Return the joint forms of words that are one word or acronym together.

    No word belongs to two runs; the longer go first.
    """
    found: dict[str, Forms] = {}
    for run in _runs(words):
        forms = corpus.synonyms(run)
        joined = ("".join(run),)
        if len(run) <= _MOST_JOINED and corpus.frequency((joined,)):
            forms = (*forms, joined)
        if forms and not found.keys() & set(run):
            found |= dict.fromkeys(run, forms)
    return found


def _runs(words: Run) -> Iterator[Run]:
    for size in range(min(_LONGEST_SYNONYM, len(words)), 1, -1):
        for start in range(len(words) - size + 1):
            yield words[start : start + size]
