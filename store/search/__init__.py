"""Full-text search, with the same results on SQLite and Postgres.

A database only tells which entries match some words and how well. Which terms to search for
(`terms`) and which entries to show (`scoring`) is decided here.
"""

from datetime import date
from itertools import islice

from sqlmodel import Session

from store.search.corpus import MANY, Corpus
from store.search.filters import EVERYTHING, Filters
from store.search.full_text import INDEX_RULES, clear, index, unindex, write_texts
from store.search.query import EntryHit, Run, SearchQuery, SearchResult, Term, significant
from store.search.scoring import READ_LIMIT, find
from store.search.spelling import MOST_CORRECTED, is_english
from store.search.stored_queries import entry_facts, entry_keys, index_keys, matching
from store.search.terms import resolve, terms

__all__ = [
    "EVERYTHING",
    "INDEX_RULES",
    "MOST_CORRECTED",
    "EntryHit",
    "Filters",
    "Run",
    "SearchQuery",
    "SearchResult",
    "Term",
    "clear",
    "entry_facts",
    "entry_keys",
    "index",
    "index_keys",
    "is_english",
    "matching",
    "most_weight",
    "search",
    "significant",
    "terms_of",
    "unindex",
    "words_beginning",
    "words_like",
    "write_texts",
]

# So many of the shortest words are compared; users type on to get longer ones.
_COMPARED = 100


def search(  # noqa: PLR0913, PLR0917 - what is searched for, its page, and two limits of cost
    session: Session,
    query: SearchQuery,
    limit: int,
    offset: int = 0,
    read_limit: int = READ_LIMIT,
    many: int = MANY,
    *,
    latest: date = date.max,
    once_a_paper: bool = False,
) -> SearchResult:
    """Return a page of the entries that match, best first.

    Papers named by their ids come first. Entries that match all terms come before those that match
    enough of them, where the terms are few and not matched in passing. Unknown words are corrected
    if a known one is near. Phrases must match and exclusions must not. Any query is safe. Equal
    scores are ordered by edition, newest first, then by position, and those that
    end later than `latest` come last. At most `read_limit` matches are
    read, of the rarest terms first, and of one at least. Of a word with more matches than `many`
    only those are read that match a rarer word, where that decides. With `once_a_paper` only the
    best entry of each paper is found.
    """
    if query.is_empty:
        return SearchResult()
    corpus = Corpus(session, many, latest)
    resolved = resolve(query, corpus)
    page = slice(offset, offset + limit)
    return find(corpus, resolved, page, read_limit, once_a_paper=once_a_paper)


def terms_of(session: Session, query: SearchQuery) -> tuple[Term, ...]:
    """Return the terms that a query is searched by, as it was typed."""
    return terms(query, Corpus(session))


def words_beginning(session: Session, beginning: str, limit: int) -> list[tuple[str, int]]:
    """Return words with a folded beginning, and how many entries match each, most frequent first.

    Words that no entry contains any more are left out.
    """
    corpus = Corpus(session)
    words = corpus.words_beginning(beginning, _COMPARED)
    counted = [(word, corpus.frequency(((word,),))) for word in words]
    found = [(word, entries) for word, entries in counted if entries]
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:limit]


def most_weight(session: Session) -> int:
    """Return the weight of a term that a single entry matches; no term weighs more."""
    return Corpus(session).most_weight


def words_like(session: Session, words: Run, limit: int) -> list[tuple[str, str]]:
    """Return pairs of a word that no entry contains and one that may be meant, nearest first."""
    corpus = Corpus(session)
    unknown = (word for word in dict.fromkeys(words) if not corpus.frequency(((word,),)))
    compared = islice(unknown, MOST_CORRECTED)
    pairs = ((word, other) for word in compared for other in corpus.similar_words(word))
    return list(islice(pairs, limit))
