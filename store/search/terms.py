"""The terms that a query is searched by: its words in all forms, and its phrases."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from operator import itemgetter

from store.search.corpus import Corpus
from store.search.query import Forms, Run, SearchQuery, Term
from store.search.spelling import MOST_CORRECTED, by_letters, may_be_mistyped
from store.search.synonyms import everyday, stems

# For so many everyday words what papers write is looked for, too; few people type more.
_MOST_WIDENED = 8
_LONGEST_SYNONYM = 8  # words that an acronym stands for
_MOST_JOINED = 3


@dataclass(frozen=True, slots=True)
class ResolvedQuery:
    """A query after corrections, with its terms; `uncorrected` if it had too many unknown words."""

    query: SearchQuery
    terms: tuple[Term, ...]
    corrections: tuple[tuple[str, str], ...] = ()
    uncorrected: bool = False


def resolve(query: SearchQuery, corpus: Corpus) -> ResolvedQuery:
    """Return a query with a term for each significant word and each phrase.

    A word that no entry contains in any form, and that is no English one, is corrected if a known
    one is near, unless the query is to be taken as typed; phrases and exclusions stay as they are.
    Only the first `MOST_CORRECTED` unknown words are compared with known ones.
    """
    found = terms(query, corpus)
    if query.as_typed:
        return ResolvedQuery(query, found)
    # What no title holds may stand in a text.
    unknown = [
        term.typed[0]
        for term in found
        if not term.weight and not term.exact and may_be_mistyped(term.typed[0])
        if not (query.title_only and corpus.weight(term.forms))
    ]
    compared, uncorrected = unknown[:MOST_CORRECTED], len(unknown) > MOST_CORRECTED
    corrections = {word: other for word in compared if (other := corpus.correction(word))}
    if not corrections:
        return ResolvedQuery(query, found, uncorrected=uncorrected)
    words = tuple(corrections.get(word, word) for word in query.words)
    query = replace(query, words=words)
    return ResolvedQuery(query, terms(query, corpus), tuple(corrections.items()), uncorrected)


def terms(query: SearchQuery, corpus: Corpus) -> tuple[Term, ...]:
    """Return a term for each significant word, and then for each phrase."""
    titles = query.title_only
    words = (
        Term((word,), forms, corpus.weight(forms, titles=titles))
        for word, forms in forms_of_words(query, corpus).items()
    )
    phrases = (
        Term(run, (run,), corpus.weight((run,), titles=titles), exact=True) for run in query.phrases
    )
    return (*words, *phrases)


def forms_of_words(query: SearchQuery, corpus: Corpus) -> dict[str, Forms]:
    """Return all forms of each significant word of a query."""
    in_papers = _in_papers(query)
    joined = _joined(query.words, corpus, in_papers)
    forms = (
        (*corpus.forms(word), *in_papers.get((word,), ()), *joined.get(word, ()))
        for word in query.significant_words
    )
    return {
        word: tuple(dict.fromkeys(found))
        for word, found in zip(query.significant_words, forms, strict=True)
    }


def spellings(word: str, words: Run) -> Iterator[Run]:
    """Yield the runs that may be a word of a query by its letters alone, whatever is stored. Pure.

    They are the word, its parts, its American spelling, and what it makes together with its
    neighbours. All other forms come from the vocabulary.
    """
    yield (word,)
    yield from by_letters(word)
    yield from (form for run in runs(words) if word in run for form in as_one(run))


def as_one(run: Run) -> Forms:
    """Return the one word that a run of a query may be."""
    return (("".join(run),),) if len(run) <= _MOST_JOINED else ()


def runs(words: Run) -> Iterator[Run]:
    """Yield the runs of a query's words that may mean something together, the longer first."""
    for size in range(min(_LONGEST_SYNONYM, len(words)), 1, -1):
        for start in range(len(words) - size + 1):
            yield words[start : start + size]


def _in_papers(query: SearchQuery) -> Mapping[Run, Forms]:
    """Return what papers write for everyday words; whoever looks for a title has its words."""
    if query.title_only:
        return {}
    singly = ((word,) for word in query.significant_words)
    found = ((run, everyday().get(stems(run), ())) for run in (*runs(query.words), *singly))
    return dict(islice(filter(itemgetter(1), found), _MOST_WIDENED))


def _joined(words: Run, corpus: Corpus, in_papers: Mapping[Run, Forms]) -> Mapping[str, Forms]:
    """Return the joint forms of words that are one word or acronym together.

    No word belongs to two runs; the longer go first.
    """
    found: dict[str, Forms] = {}
    for run in runs(words):
        known = (form for form in as_one(run) if corpus.frequency((form,)))
        forms = (*corpus.synonyms(run), *in_papers.get(run, ()), *known)
        if forms and not found.keys() & set(run):
            found |= dict.fromkeys(run, forms)
    return found
