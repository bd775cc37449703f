"""The stored words by their spelling, which those are compared with that no entry contains."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import islice

from sqlalchemy import func, select
from sqlmodel import Session, col

from store import content_version
from store.search.query import STOP_WORDS
from store.tables.library import WordRow

# So many unknown words of one line are compared with others; who mistypes more types nonsense.
MOST_CORRECTED = 8
# So many words are kept, some 2 MB, and one is compared with so many of them: in a store of
# 100,000 words there are some thousand that begin with its letter and are about as long.
_MOST_KEPT = 200_000
_MOST_COMPARED = 20_000
_LONGEST = 32  # letters; hardly a word has more


class Spellings:
    """Words by their first letter, which is hardly ever wrong, and their length.

    Stop words are none of them: they say nothing, so nobody misses one.
    """

    def __init__(self, words: Iterable[str]) -> None:
        by_look: dict[tuple[str, int], list[str]] = defaultdict(list)
        for word in words:
            if word not in STOP_WORDS:
                by_look[word[0], len(word)].append(word)
        # As one text they take an eighth of the memory.
        self._words = {look: " ".join(alike) for look, alike in by_look.items()}

    def as_long(self, word: str, typos: int) -> list[str]:
        """Return words of a length that so many typos may have changed to a word's."""
        # Of the same length first, should there be too many.
        around = range(len(word) - typos, len(word) + typos + 1)
        lengths = sorted(around, key=lambda length: abs(length - len(word)))
        found = (
            other
            for length in lengths
            for other in self._words.get((word[0], length), "").split(" ")
            if other
        )
        return [*islice(found, _MOST_COMPARED)]


def spellings(session: Session) -> Spellings:
    """Return the stored words, read once between two imports."""

    def read(_version: str) -> Spellings:
        words = select(col(WordRow.word)).where(func.length(col(WordRow.word)) <= _LONGEST)
        return Spellings(session.connection().scalars(words.limit(_MOST_KEPT)))

    return content_version.cache(session, Spellings, read)
