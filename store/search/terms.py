"""What is looked for by what was typed: other forms of the words, and the words meant."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from store.search.corpus import Corpus
from store.search.matcher import Forms
from store.search.query import Run, SearchQuery, Term, significant

_LONGEST_OTHER = 8  # words of what an acronym stands for
_MOST_JOINED = 3


@dataclass(frozen=True, slots=True)
class Understood:
    """A query of the words that were meant, its terms, and what was corrected in it."""

    query: SearchQuery
    terms: tuple[Term, ...]
    corrections: tuple[tuple[str, str], ...] = ()


def understand(query: SearchQuery, corpus: Corpus) -> Understood:
    """Return what is looked for: a term for each word that says something and each phrase.

    A word that no entry holds in any form is corrected where one is near; phrases and
    exclusions stay as they are.
    """
    terms = _terms(query, corpus)
    unknown = (term.typed[0] for term in terms if not term.weight and not term.exact)
    meant = ((word, corpus.meant(word)) for word in unknown)
    corrections = {word: other for word, other in meant if other}
    if not corrections:
        return Understood(query, terms)
    words = tuple(corrections.get(word, word) for word in query.words)
    query = replace(query, words=words)
    return Understood(query, _terms(query, corpus), tuple(corrections.items()))


def _terms(query: SearchQuery, corpus: Corpus) -> tuple[Term, ...]:
    titles = query.title_only
    phrases = (
        Term(run, (run,), corpus.weight((run,), titles=titles), exact=True) for run in query.phrases
    )
    return (*_words(query, corpus), *phrases)


def _words(query: SearchQuery, corpus: Corpus) -> Iterator[Term]:
    together = _together(query.words, corpus)
    for word in significant(query.words):
        forms = corpus.forms(word)
        if word in together:
            forms = tuple(dict.fromkeys([*forms, *together[word]]))
        yield Term((word,), forms, corpus.weight(forms, titles=query.title_only))


def _together(words: Run, corpus: Corpus) -> Mapping[str, Forms]:
    """Return, for words that are one word or acronym together, what they are together.

    No word belongs to two runs; the longer go first.
    """
    found: dict[str, Forms] = {}
    for run in _runs(words):
        forms = corpus.others(run)
        joined = ("".join(run),)
        if len(run) <= _MOST_JOINED and corpus.frequency((joined,)):
            forms = (*forms, joined)
        if forms and not found.keys() & set(run):
            found |= dict.fromkeys(run, forms)
    return found


def _runs(words: Run) -> Iterator[Run]:
    for size in range(min(_LONGEST_OTHER, len(words)), 1, -1):
        for start in range(len(words) - size + 1):
            yield words[start : start + size]
