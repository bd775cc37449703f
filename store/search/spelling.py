"""Other spellings of a word: its parts, and words that differ by a typo or two. Pure."""

from collections.abc import Callable, Iterable

from store.search.query import Run

# A word of three letters is near to many. Of words that are unknown but not mistyped, one typo of
# any kind made a third into another word up to five letters, two typos a quarter up to nine.
_SHORTEST = 4
_SHORT = 5
_LONG = 10
MOST_TYPOS = 2
_SHORTEST_PART = 3


def allowed_typos(word: str) -> int:
    """Return how many letters of a word may be wrong, 0 if it can't be corrected."""
    if len(word) < _SHORTEST or not word.isalpha():
        return 0
    return MOST_TYPOS if len(word) >= _LONG else 1


def nearest(word: str, known: Iterable[str], frequency: Callable[[str], int]) -> str | None:
    """Return the known word that was likely meant, or `None`.

    A typo is a letter too many or too few, a wrong one, or two swapped. Of words equally near the
    most frequent is returned.
    """
    from rapidfuzz import process  # here, because hardly any search needs it
    from rapidfuzz.distance import OSA

    words = [other for other in known if _is_likely(word, other)]
    most = allowed_typos(word)
    near = process.extract(word, words, scorer=OSA.distance, score_cutoff=most, limit=None)
    order = sorted((distance, -frequency(other), other) for other, distance, _ in near)
    return next((other for _, entries, other in order if entries), None)


def similar(word: str, known: Iterable[str]) -> list[str]:
    """Return the known words at most two typos away, the nearest first.

    These are too many to correct a word, and enough to ask whether one of them was meant.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    if len(word) <= _SHORT or not word.isalpha():
        return []
    words = [other for other in known if other[0] == word[0]]
    near = process.extract(word, words, scorer=OSA.distance, score_cutoff=MOST_TYPOS, limit=None)
    return [other for other, _, _ in sorted(near, key=lambda match: (match[1], match[0]))]


def splits(word: str) -> list[Run]:
    """Return each way to split a word in two: words of three letters or more, or a number."""
    letters = word.rstrip("0123456789")
    numbered = [(letters, word[len(letters) :])] if letters and letters != word else []
    places = range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1)
    return [*numbered, *((word[:place], word[place:]) for place in places)]


def _is_likely(word: str, other: str) -> bool:
    """Tell whether such a typo is likely: the first letter is hardly ever wrong.

    In a short word a letter is missing or two are swapped.
    """
    if other[0] != word[0]:
        return False
    return len(word) > _SHORT or len(other) > len(word) or sorted(other) == sorted(word)
