"""Stems of words, by Porter's algorithm, letter for letter as SQLite's FTS5 makes them.

FTS5 stems by itself. What Postgres would make of some words differs ("psychology" and
"psychological" would part), so it is given these. Steps are numbered as in
https://tartarus.org/martin/PorterStemmer/def.txt.
"""

import re
from functools import lru_cache

_SHORTEST, _LONGEST = 3, 64  # bytes; a word beyond them is its own stem
_VOWEL = re.compile(r"[aeiou]|.y", re.DOTALL)
_PLURAL = re.compile(r".(ss|i)es$", re.DOTALL)
_DOUBLED = re.compile(r"([^aeioulsz])\1$", re.DOTALL)

Endings = tuple[tuple[str, str], ...]

# Endings and what takes their place; an ending of another one stands after it.
_STEP_2: Endings = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
    ("logi", "log"), ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"),
    ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"),
    ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"),
    ("iviti", "ive"), ("biliti", "ble"),
)  # fmt: skip
_STEP_3: Endings = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"),
    ("ful", ""), ("ness", ""),
)  # fmt: skip
_STEP_4: Endings = (
    ("al", ""), ("ance", ""), ("ence", ""), ("er", ""), ("ic", ""), ("able", ""), ("ible", ""),
    ("ant", ""), ("ement", ""), ("ment", ""), ("ent", ""),
    ("ou", ""), ("ism", ""), ("ate", ""), ("iti", ""), ("ous", ""), ("ive", ""), ("ize", ""),
)  # fmt: skip


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the stem of a folded word."""
    letters = word.encode().decode("latin-1")  # FTS5 counts bytes; beyond ASCII all are consonants
    if not _SHORTEST <= len(letters) <= _LONGEST:
        return word
    stemmed = _step_1c(_step_1b(_step_1a(letters)))
    stemmed = _replaced(stemmed, _STEP_2, least=1)
    stemmed = _replaced(stemmed, _STEP_3, least=1)
    return _step_5(_step_4(stemmed)).encode("latin-1").decode()


def _step_1a(word: str) -> str:
    """Take a plural's ending off."""
    if _PLURAL.search(word):
        return word[:-2]
    return word[:-1] if word[-1] == "s" and word[-2] != "s" else word


def _step_1b(word: str) -> str:
    """Take the past and the participle off."""
    if word[1:].endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        bare = word.removesuffix(ending)
        if bare != word and _VOWEL.search(bare):
            return _mended(bare)
    return word


def _mended(bare: str) -> str:
    """Return what a verb was before its ending: `hope` for `hop`, `hop` for `hopp`."""
    if bare.endswith(("at", "bl", "iz")):
        return bare + "e"
    if _DOUBLED.search(bare):
        return bare[:-1]
    return bare + "e" if _measure(bare) == 1 and _is_short(bare) else bare


def _step_1c(word: str) -> str:
    return word[:-1] + "i" if word[-1] == "y" and _VOWEL.search(word[:-1]) else word


def _replaced(word: str, endings: Endings, least: int) -> str:
    """Replace the one ending that a word has, if what stands before it is long enough."""
    for ending, other in endings:
        if len(ending) < len(word) and word.endswith(ending):
            bare = word[: -len(ending)] + other
            return bare if _measure(word[: -len(ending)]) >= least else word
    return word


def _step_4(word: str) -> str:
    if word.endswith(("sion", "tion")):
        return word[:-3] if _measure(word[:-3]) > 1 else word
    return _replaced(word, _STEP_4, least=2)


def _step_5(word: str) -> str:
    """Take a last `e` off, and one of two `l`."""
    if word[-1] == "e":
        bare = word[:-1]
        measure = _measure(bare)
        if measure > 1 or (measure == 1 and not _is_short(bare)):
            word = bare
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _shape(word: str) -> str:
    """Return a word with `v` for each vowel and `c` for each consonant; `y` is what it follows."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(word: str) -> int:
    """Return how often a consonant follows a vowel."""
    return _shape(word).count("vc")


def _is_short(word: str) -> bool:
    """Whether a word ends like `hop`: consonant, vowel, consonant other than w, x, y."""
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"
