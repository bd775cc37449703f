"""One way to reduce text to what is compared: for titles, the full-text index and queries.

What it leaves holds neither NUL nor lone surrogates, which no database stores.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

# Runs that recur, a few signs and accents: each is folded once.
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_SIGNS_TO_BLANKS = str.maketrans({sign: " " for sign in map(chr, range(128)) if not sign.isalnum()})
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
# U+FF1A is the colon of full width, which no blank follows.
_NAME = re.compile(r"[^:\uff1a]+(?=:\s+\S|\uff1a\s*\S)")
# Of what somebody typed no more is looked up. No word of the archive has more than 23 letters, no
# title more than 20 words; who describes a paper in sentences is understood by the first ones.
MOST_WORDS = 32
LONGEST_WORD = 64  # letters
_LONGEST_KEPT = 64  # characters: what is kept must not grow with what strangers type
_TITLE_KEY_LENGTH = 200  # a key stands in an index, whose rows Postgres limits to 2,700 bytes


def words(text: str) -> str:
    """Return the folded words, runs of letters and digits, parted by single blanks.

    Letters are in lower case and without diacritics. Every other sign parts words, so
    `long-context`, `long context` and the spelling with a non-breaking hyphen (U+2011) are
    the same two.
    """
    folded = _FOREIGN.sub(_fold_found, text).lower()
    return " ".join(folded.translate(_SIGNS_TO_BLANKS).split())


def storable(text: str) -> str:
    """Return a text with a blank for each sign that no database stores: NUL, lone surrogates."""
    return _UNSTORABLE.sub(" ", text)


def tokens(text: str) -> list[str]:
    """Return the folded words as a list."""
    return words(text).split()


@dataclass(frozen=True, slots=True)
class Typed:
    """The folded words of what somebody typed, as many as are looked up; `cut` if it had more."""

    words: tuple[str, ...]
    cut: bool


def typed(text: str, most: int = MOST_WORDS) -> Typed:
    """Return the first folded words of a text that somebody typed, without those too long.

    The bound is on folded words because one character may be many: NFKD makes 18 letters and
    blanks of U+FDFA, and six letters of U+3316.
    """
    found = tokens(text)
    short = [word for word in found if len(word) <= LONGEST_WORD][:most]
    return Typed(tuple(short), cut=len(short) < len(found))


def title_key(title: str) -> str:
    """Return what two spellings of one title have in common."""
    return words(title)[:_TITLE_KEY_LENGTH]


def name_key(title: str) -> str | None:
    """Return the folded name that stands before a title's colon, `None` where there is none."""
    name = _NAME.match(title)
    return (title_key(name[0]) or None) if name else None


def _fold_found(run: re.Match[str]) -> str:
    return (_fold_once if len(run[0]) <= _LONGEST_KEPT else _fold)(run[0])


def _fold(run: str) -> str:
    """Fold signs beyond ASCII; what is no letter or digit becomes a blank, an accent nothing."""
    decomposed = unicodedata.normalize("NFKD", run)
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return "".join(char if char.isalnum() else " " for char in bare.casefold())


_fold_once = lru_cache(maxsize=4096)(_fold)
