"""Other spellings of a word: its parts, and words that differ by a typo or two. Pure."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from store.search.query import Run
from store.text import tokens

# A word of three letters is near to many. Of words that are unknown but not mistyped, one typo of
# any kind made a third into another word up to five letters. Two are as many as people make in a
# word of eight.
_SHORTEST = 4
_SHORT = 5
_LONG = 8
MOST_TYPOS = 2
# So many of the nearest words are asked for in the store.
_MOST_NEAR = 20
_SHORTEST_PART = 2


def allowed_typos(word: str) -> int:
    """Return how many letters of a word may be wrong, 0 if it can't be corrected."""
    if len(word) < _SHORTEST or not word.isalpha():
        return 0
    return MOST_TYPOS if len(word) >= _LONG else 1


def nearest(word: str, known: Iterable[str], frequency: Callable[[str], int]) -> str | None:
    """Return the known word that was likely meant, or `None`.

    A typo is a letter too many or too few, a wrong one, or two swapped. Of words equally near the
    most frequent is returned; of very many some are counted.
    """
    from rapidfuzz import process  # here, because hardly any search needs it
    from rapidfuzz.distance import OSA

    words = [other for other in known if _is_likely(word, other)]
    most = allowed_typos(word)
    near = process.extract(word, words, scorer=OSA.distance, score_cutoff=most, limit=_MOST_NEAR)
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


def _is_likely(word: str, other: str) -> bool:
    """Tell whether such a typo is likely: the first letter is hardly ever wrong.

    In a short word a letter is missing or two are swapped.
    """
    if other[0] != word[0]:
        return False
    return len(word) > _SHORT or len(other) > len(word) or sorted(other) == sorted(word)


_PARENTHESES = re.compile(r"\(([^()]{2,80})\)")
_LEAST, _MOST = 2, 10  # letters
_BEFORE = 120  # characters, enough for the words of ten letters

# Words that may be skipped: "Olympiad in Informatics".
_SMALL = frozenset({
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "the", "to", "via", "with",
})  # fmt: skip


def explained_acronyms(text: str) -> Iterator[tuple[str, Run]]:
    """Yield each acronym that a text explains, with its words, both folded and in the singular."""
    for match in _PARENTHESES.finditer(text):
        inside = match[1]
        before = text[max(0, match.start() - _BEFORE) : match.start()]
        if letters := _letters(re.split("[,;]", inside, maxsplit=1)[0]):
            run = _last_words(letters, tokens(before))
        elif letters := _letters(before.rstrip().rpartition(" ")[2]):
            run = tuple(tokens(inside))
        else:
            continue
        if _explains(run, letters):
            yield letters, singular(run)


def singular(words: Sequence[str]) -> Run:
    """Return the words, the last one without the `s` of a plural."""
    last = words[-1]
    plural = len(last) > _LEAST and last[-1] == "s" and last[-2] != "s"
    return (*words[:-1], last[:-1]) if plural else tuple(words)


def _letters(word: str) -> str | None:
    """Return an acronym's letters without the `s` of a plural; `None` for any other word."""
    if not (_LEAST <= len(word) <= _MOST and word.isascii() and word.isalpha()):
        return None
    if sum(letter.isupper() for letter in word) < _LEAST:
        return None
    return word.removesuffix("s").lower()


def _last_words(letters: str, words: Sequence[str]) -> Run:
    """Return the shortest end of a text that explains an acronym; empty where none does."""
    ends = (tuple(words[-size:]) for size in range(2, 2 * len(letters) + 1))
    return next((end for end in ends if _explains(end, letters)), ())


def _explains(words: Run, letters: str) -> bool:
    return len(words) > 1 and words[0] not in _SMALL and _spells(words, letters)


def _spells(words: Run, letters: str) -> bool:
    """Tell whether each word gives its first letter and perhaps more of its letters, in order.

    "sparse autoencoder" spells `sae`, "low rank adaptation" `lora`. After Schwartz and Hearst
    (https://psb.stanford.edu/psb-online/proceedings/psb03/schwartz.pdf), but only small words may
    be skipped.
    """
    if not words:
        return not letters
    first, *rest = words
    if first in _SMALL and _spells(tuple(rest), letters):
        return True
    return any(
        _gives(first, letters[:taken]) and _spells(tuple(rest), letters[taken:])
        for taken in range(1, len(letters) + 1)
    )


def _gives(word: str, letters: str) -> bool:
    left = iter(word)
    return word[0] == letters[0] and all(letter in left for letter in letters)
