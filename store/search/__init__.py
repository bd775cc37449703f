"""Full-text search behind one function, for FTS5 and for Postgres' `tsvector` alike.

Both index the same folded words. A database tells who holds some words and how well; what to
look for (`terms`) and what to show (`finding`) is decided here, so that both find the same.
"""

from sqlmodel import Session

from store.database.statements import Reader
from store.search.corpus import Corpus
from store.search.index import INDEX_RULES, clear, index, unindex
from store.search.query import Found, SearchQuery, SearchResult, Term, significant
from store.search.scoring import MOST_READ, find
from store.search.suggest import words_beginning, words_like
from store.search.terms import understand

__all__ = [
    "INDEX_RULES",
    "Found",
    "SearchQuery",
    "SearchResult",
    "Term",
    "clear",
    "index",
    "search",
    "significant",
    "unindex",
    "words_beginning",
    "words_like",
]  # fmt: skip


def search(
    session: Session,
    query: SearchQuery,
    limit: int,
    offset: int = 0,
    most_read: int = MOST_READ,
) -> SearchResult:
    """Return a page of what holds every word, best first, then of what holds most of them.

    Words that no entry holds are corrected where one is near. Phrases must match and
    exclusions must not, in either case. Any query whatever is safe. Equal scores stand
    newest first, then in their edition's order. No more holders than `most_read` are read of
    the rarest words, and of one at least.
    """
    if query.is_empty:
        return SearchResult()
    corpus = Corpus(Reader(session.connection()))
    wanted = understand(query, corpus)
    return find(corpus, wanted, slice(offset, offset + limit), most_read)
