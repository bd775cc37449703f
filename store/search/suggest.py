"""Words of the stored texts: by their beginning, and those like a misspelt one."""

from itertools import islice

from sqlmodel import Session

from store.database.statements import Reader
from store.search.corpus import Corpus

# So many of the shortest words are compared; whoever looks for a longer one types on.
_COMPARED = 100

_BEGINNING = "SELECT word FROM word WHERE word LIKE ? ORDER BY length(word), word LIMIT ?"


def words_beginning(session: Session, beginning: str, limit: int) -> list[tuple[str, int]]:
    """Return words with this folded beginning and how many entries hold each, the frequent first.

    Those that no entry holds any more are left out.
    """
    reader = Reader(session.connection())
    corpus = Corpus(reader)
    rows = reader.rows(_BEGINNING, f"{beginning}%", _COMPARED)
    counted = [(word, corpus.frequency(((word,),))) for (word,) in rows]
    held = [(word, holders) for word, holders in counted if holders]
    return sorted(held, key=lambda each: (-each[1], each[0]))[:limit]


def words_like(session: Session, words: tuple[str, ...], limit: int) -> list[tuple[str, str]]:
    """Return words that no entry holds, each with one that may have been meant, nearest first."""
    corpus = Corpus(Reader(session.connection()))
    unknown = (word for word in dict.fromkeys(words) if not corpus.frequency(((word,),)))
    meant = ((word, other) for word in unknown for other in corpus.alike(word))
    return list(islice(meant, limit))
