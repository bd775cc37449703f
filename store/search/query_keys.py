"""The keys under which a query is stored, and those by which new entries find it again.

A query is stored under the keys of one of its parts, the rarest. Entries have the key of each word
and of each two words in a row, and what the vocabulary takes for them: so acronyms that are learnt
later find queries that were stored before.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

from sqlmodel import Session

from store.search.corpus import Corpus, cache_of
from store.search.few_entries import FewEntries
from store.search.filters import Filters, longest_word_of_name
from store.search.query import Run, SearchQuery, Term
from store.search.terms import spellings, terms
from store.search.vocabulary import everyday, stems
from store.text import LONGEST_WORD

# Every entry has this key. No folded word contains a colon.
_ANY = "any:"
# Words of a query that are one together make the longest key.
_LONGEST = 3 * LONGEST_WORD


def index_keys(session: Session, query: SearchQuery) -> tuple[str, ...]:
    """Return the keys of the rarest part of a query; any entry that it matches has one of them.

    None where no entry can match.
    """
    corpus = Corpus(session)
    if rarest := max(terms(query, corpus), key=_rarity, default=None):
        if rarest.exact:
            return (_key(stems(_rarest_of(rarest.typed, corpus))),)
        return tuple(dict.fromkeys(map(_key, map(stems, spellings(rarest.typed[0], query.words)))))
    return tuple(_filter_keys(query.filters))


def entry_keys(session: Session, entries: Sequence[int]) -> set[str]:
    """Return the keys of entries, by their ids: of texts, topics and authors."""
    few = FewEntries(session, entries)
    facts = few.facts.values()
    names = {name for each in facts for name in each.authors}
    keys = {_key(run) for run in few.short_runs()}
    keys |= {_key((word,)) for word in _meant(session, few)}
    keys |= {_author_key(word) for name in names for word in name.split()}
    keys |= {_topic_key(topic) for each in facts for topic in each.topics}
    return {_ANY, *(key for key in keys if len(key) <= _LONGEST)} if facts else set()


def _rarity(term: Term) -> float:
    return term.weight or float("inf")


def _rarest_of(phrase: Run, corpus: Corpus) -> Run:
    """Return the rarest two words in a row of a phrase, or its only word."""
    pairs: list[Run] = [*pairwise(phrase)]
    return min(pairs or [phrase], key=lambda pair: corpus.frequency((pair,)))


def _filter_keys(filters: Filters) -> Iterator[str]:
    if filters.author:
        if word := longest_word_of_name(filters.author):
            yield _author_key(word)
    elif filters.topic:
        yield _topic_key(filters.topic)
    elif filters:
        yield _ANY


def _meant(session: Session, entries: FewEntries) -> Iterable[str]:
    """Return the stems of the words that the vocabulary takes for those of the entries."""
    synonyms = cache_of(session).synonyms
    # Either number of the last word has this singular.
    learnt = (
        stems((*run, f"{run[-1]}s")) for run, forms in synonyms.items() if entries.with_any(forms)
    )
    written = (run for run, forms in everyday().items() if entries.with_any(forms))
    return chain.from_iterable((*learnt, *written))


def _key(run: Run) -> str:
    return " ".join(run)


def _author_key(word: str) -> str:
    return f"author:{word}"


def _topic_key(topic: str) -> str:
    return f"topic:{topic}"
