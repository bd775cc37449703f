"""Other spellings of words: run together or parted, and with a slip of the finger."""

from collections.abc import Callable, Iterable

from store.search.query import Run

# A word of three letters is near to many. Of the words that are merely unknown, not mistyped,
# a slip of any kind made a third into another up to five letters, two slips a quarter up to nine.
_SHORTEST = 4
_SHORT = 5
_LONG = 10
MOST_SLIPS = 2
_SHORTEST_PART = 3


def slips(word: str) -> int:
    """Return how many letters of a word may be wrong, 0 where it can't be corrected."""
    if len(word) < _SHORTEST or not word.isalpha():
        return 0
    return MOST_SLIPS if len(word) >= _LONG else 1


def nearest(word: str, known: Iterable[str], frequency: Callable[[str], int]) -> str | None:
    """Return the known word that was likely meant; `None` where none is near.

    A slip is a letter too many or too few, a wrong one, or two that changed places. Of words
    equally near it is the most frequent one.
    """
    from rapidfuzz import process  # here, because hardly a search needs it
    from rapidfuzz.distance import OSA

    others = [other for other in known if _may_be(word, other)]
    near = process.extract(word, others, scorer=OSA.distance, score_cutoff=slips(word), limit=None)
    order = sorted((distance, -frequency(other), other) for other, distance, _ in near)
    return next((other for _, rarity, other in order if rarity), None)


def alike(word: str, known: Iterable[str]) -> list[str]:
    """Return the known words that are two slips away at most, the nearest first.

    More than `nearest` would dare to put in a word's place, and enough to ask whether one of
    them was meant.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    if len(word) <= _SHORT or not word.isalpha():
        return []
    others = [other for other in known if other[0] == word[0]]
    near = process.extract(word, others, scorer=OSA.distance, score_cutoff=MOST_SLIPS, limit=None)
    return [other for other, _, _ in sorted(near, key=lambda each: (each[1], each[0]))]


def parts(word: str) -> list[Run]:
    """Return each way to part a word in two: words of three letters or more, or a number."""
    letters = word.rstrip("0123456789")
    numbered = [(letters, word[len(letters) :])] if letters and letters != word else []
    places = range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1)
    return [*numbered, *((word[:place], word[place:]) for place in places)]


def _may_be(word: str, other: str) -> bool:
    """Whether a slip of this kind is likely: the first letter is hardly ever wrong.

    In a short word a letter is missing or two changed places.
    """
    if other[0] != word[0]:
        return False
    return len(word) > _SHORT or len(other) > len(word) or sorted(other) == sorted(word)
