"""Spelling: the stored words that a typed one may be, by a typo or two or by its parts."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import files
from itertools import islice

from sqlalchemy import func, select
from sqlmodel import Session, col

from store import content_version
from store.search.query import STOP_WORDS, Run
from store.tables.library import WordRow

# A word of three letters is near to many. Of words that are unknown but not mistyped, one typo of
# any kind made a third into another word up to five letters. Two are as many as people make in a
# word of eight.
_SHORTEST = 4
_SHORT = 5
_LONG = 8
MOST_TYPOS = 2
# A word is corrected to one that so many entries hold. One typo in a long word is hardly chance.
_SEVERAL = 2
# So many of the nearest words are asked for in the store.
_MOST_NEAR = 20
_SHORTEST_PART = 2
# So many unknown words of one line are compared with others; who mistypes more types nonsense.
MOST_CORRECTED = 8
# So many words are kept, some 2 MB, and one is compared with so many of them: in a store of
# 100,000 words there are some thousand that begin with its letter and are about as long.
_MOST_KEPT = 200_000
_MOST_COMPARED = 20_000
_LONGEST = 32  # letters; hardly a word has more
# What Americans write otherwise: behaviour, optimisation, analysing, fibres, defence.
_BRITISH = re.compile(
    r"(?<=\w\w)(?:ou(?=r)|s(?=(?:e[drs]?|ers|ing|ings|able|ations?|ational)$)(?<=[iy]s)"
    r"|re(?=s?$)|c(?=es?$)(?<=enc))"
)
_AMERICAN = {"ou": "o", "s": "z", "re": "er", "c": "s"}
_MAY_BE_BRITISH = ("our", "is", "ys", "re", "enc")


def allowed_typos(word: str) -> int:
    """Return how many letters of a word may be wrong, 0 if it can't be corrected."""
    if len(word) < _SHORTEST or not word.isalpha():
        return 0
    return MOST_TYPOS if len(word) >= _LONG else 1


def may_be_mistyped(word: str) -> bool:
    """Tell whether a word that no entry contains may be corrected: a right but rare one may not."""
    return allowed_typos(word) > 0 and not is_english(word)


def is_english(word: str) -> bool:
    """Tell whether a folded word is an English one, or has fewer letters than are corrected."""
    if len(word) < _SHORTEST or word in STOP_WORDS or _english().holds(word):
        return True
    twin = american(word)
    return twin is not None and _english().holds(twin)


def american(word: str) -> str | None:
    """Return how Americans spell a folded word; `None` if that is the same or an English word."""
    if not any(sign in word for sign in _MAY_BE_BRITISH):
        return None
    twin = _BRITISH.sub(lambda found: _AMERICAN[found[0]], word)
    return None if twin == word or _english().holds(word) else twin


@cache
def _english() -> "Spellings":
    """Return the words of `english_words.txt`, which are American; some 0.7 MB.

    Its licence lies beside it.
    """
    text = files("store.search").joinpath("english_words.txt").read_text(encoding="utf-8")
    return Spellings(text.split())


def nearest(word: str, known: Iterable[str], frequency: Callable[[str], int]) -> str | None:
    """Return the known word that was likely meant, or `None`.

    A typo is a letter too many or too few, a wrong one, or two swapped. Of words equally near the
    most frequent is returned; of very many some are counted. A word that a single entry holds is
    meant only where one typo in a long word leads to it.
    """
    from rapidfuzz import process  # here, because hardly any search needs it
    from rapidfuzz.distance import OSA

    words = [other for other in known if _is_likely(word, other)]
    most = allowed_typos(word)
    near = process.extract(word, words, scorer=OSA.distance, score_cutoff=most, limit=_MOST_NEAR)
    order = sorted((distance, -frequency(other), other) for other, distance, _ in near)
    return next((other for typos, entries, other in order if -entries >= _least(word, typos)), None)


def _least(word: str, typos: int) -> int:
    """Return how many entries have to hold a word that is so many typos away, to be meant."""
    return 1 if typos == 1 and len(word) >= _LONG else _SEVERAL


def similar(word: str, known: Iterable[str]) -> list[str]:
    """Return the known words at most two typos away, the nearest first.

    These are too many to correct a word, and enough to ask whether one of them was meant.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    if len(word) <= _SHORT or not word.isalpha():
        return []
    words = [other for other in known if other[0] == word[0]]
    near = process.extract(
        word, words, scorer=OSA.distance, score_cutoff=MOST_TYPOS, limit=_MOST_NEAR
    )
    return [other for other, _, _ in sorted(near, key=lambda match: (match[1], match[0]))]


def splits(word: str) -> list[Run]:
    """Return each way to split a word in two: words of two letters or more, or a number."""
    letters = word.rstrip("0123456789")
    numbered = [(letters, word[len(letters) :])] if letters and letters != word else []
    places = range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1)
    return [*numbered, *((word[:place], word[place:]) for place in places)]


def by_letters(word: str) -> list[Run]:
    """Return what a word may be by its letters alone: two words, or its American spelling."""
    twin = american(word)
    return [*splits(word), *([(twin,)] if twin else [])]


def _is_likely(word: str, other: str) -> bool:
    """Tell whether such a typo is likely: the first letter is hardly ever wrong.

    In a short word a letter is missing or two are swapped.
    """
    if other[0] != word[0]:
        return False
    return len(word) > _SHORT or len(other) > len(word) or sorted(other) == sorted(word)


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

    def holds(self, word: str) -> bool:
        """Tell whether a word is one of them."""
        alike = self._words.get((word[0], len(word)), "")
        return " " not in word and f" {word} " in f" {alike} "

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
