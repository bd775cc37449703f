"""Folding and stemming text, so that spellings compare: titles, the full-text index, queries.

Folded text has neither NUL nor lone surrogates, which no database stores.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

# The first words of a text are looked up, no more. No word of the archive has more than 23 letters,
# no title more than 20 words, and a description in sentences is understood by its first ones.
MOST_WORDS = 32
LONGEST_WORD = 64  # letters
_TITLE_KEY_LENGTH = 200  # keys are indexed, and Postgres limits an index row to 2,700 bytes
_LONGEST_CACHED = 64  # characters, so that untrusted text can't fill the cache

_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_PUNCTUATION = str.maketrans({char: " " for char in map(chr, range(128)) if not char.isalnum()})
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
# U+FF1A is the full-width colon, which needs no blank after it.
_NAME = re.compile(r"[^:\uff1a]+(?=:\s+\S|\uff1a\s*\S)")

_SHORTEST, _LONGEST = 3, 64  # bytes; a word beyond them is its own stem
_VOWEL = re.compile(r"[aeiou]|.y", re.DOTALL)
_PLURAL = re.compile(r".(ss|i)es$", re.DOTALL)
_DOUBLED = re.compile(r"([^aeioulsz])\1$", re.DOTALL)

Endings = tuple[tuple[str, str], ...]

# Endings and their replacements; a longer ending comes before one that it ends in.
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


def fold(text: str) -> str:
    """Return the folded words, runs of letters and digits, separated by single blanks.

    Letters are in lower case and without diacritics. Every other character separates words, so
    `long-context`, `long context` and the spelling with a non-breaking hyphen (U+2011) are
    the same two words.
    """
    folded = _NOT_ASCII.sub(_fold_match, text).lower()
    return " ".join(folded.translate(_PUNCTUATION).split())


def tokens(text: str) -> list[str]:
    """Return the folded words as a list."""
    return fold(text).split()


def storable(text: str) -> str:
    """Replace characters that no database stores, NUL and lone surrogates, by blanks."""
    return text if text.isprintable() else _UNSTORABLE.sub(" ", text)


@dataclass(frozen=True, slots=True)
class TypedWords:
    """The first folded words that a user typed; `cut` if there were more."""

    words: tuple[str, ...]
    cut: bool


def typed_words(text: str, most: int = MOST_WORDS) -> TypedWords:
    """Return the first folded words of a text that a user typed, without those too long.

    The limit is on folded words because one character may become many: NFKD makes 18 letters and
    blanks of U+FDFA, and six letters of U+3316.
    """
    found = tokens(text)
    short = [word for word in found if len(word) <= LONGEST_WORD][:most]
    return TypedWords(tuple(short), cut=len(short) < len(found))


def title_key(title: str) -> str:
    """Return the key that two spellings of one title have in common."""
    return fold(title)[:_TITLE_KEY_LENGTH]


def name_before_colon(title: str) -> str | None:
    """Return the name before a title's colon, `None` without one."""
    name = _NAME.match(title)
    return name[0] if name else None


def name_key(title: str) -> str | None:
    """Return the folded name before a title's colon, `None` without one."""
    return title_key(name_before_colon(title) or "") or None


def _fold_match(run: re.Match[str]) -> str:
    return (_fold_cached if len(run[0]) <= _LONGEST_CACHED else _fold_run)(run[0])


def _fold_run(run: str) -> str:
    """Fold characters beyond ASCII: accents are dropped, all but letters and digits are blanks."""
    decomposed = unicodedata.normalize("NFKD", run)
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return "".join(char if char.isalnum() else " " for char in bare.casefold())


_fold_cached = lru_cache(maxsize=4096)(_fold_run)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the stem of a folded word, as FTS5's `porter` tokenizer makes it."""
    letters = word.encode().decode("latin-1")  # FTS5 counts bytes; beyond ASCII all are consonants
    if not _SHORTEST <= len(letters) <= _LONGEST:
        return word
    stemmed = _step_1c(_step_1b(_step_1a(letters)))
    stemmed = _replaced(stemmed, _STEP_2, least=1)
    stemmed = _replaced(stemmed, _STEP_3, least=1)
    return _step_5(_step_4(stemmed)).encode("latin-1").decode()


def _step_1a(word: str) -> str:
    """Remove the ending of a plural."""
    if _PLURAL.search(word):
        return word[:-2]
    return word[:-1] if word[-1] == "s" and word[-2] != "s" else word


def _step_1b(word: str) -> str:
    """Remove the endings of past and participle."""
    if word[1:].endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        bare = word.removesuffix(ending)
        if bare != word and _VOWEL.search(bare):
            return _restored(bare)
    return word


def _restored(bare: str) -> str:
    """Return a verb as it was before its ending: `hope` for `hop`, `hop` for `hopp`."""
    if bare.endswith(("at", "bl", "iz")):
        return bare + "e"
    if _DOUBLED.search(bare):
        return bare[:-1]
    return bare + "e" if _measure(bare) == 1 and _is_short(bare) else bare


def _step_1c(word: str) -> str:
    return word[:-1] + "i" if word[-1] == "y" and _VOWEL.search(word[:-1]) else word


def _replaced(word: str, endings: Endings, least: int) -> str:
    """Replace the one ending that a word has, if the part before it is long enough."""
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
    """Remove a last `e`, and one of two `l`."""
    if word[-1] == "e":
        bare = word[:-1]
        measure = _measure(bare)
        if measure > 1 or (measure == 1 and not _is_short(bare)):
            word = bare
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _shape(word: str) -> str:
    """Return a word with `v` for each vowel and `c` for each consonant; `y` may be either."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(word: str) -> int:
    """Count the consonants that follow a vowel."""
    return _shape(word).count("vc")


def _is_short(word: str) -> bool:
    """Tell whether a word ends like `hop`: consonant, vowel, consonant other than w, x, y."""
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"
