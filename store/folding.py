"""One way to reduce text to what is compared: for titles, the full-text index and queries."""

import re
import unicodedata
from functools import lru_cache

_BETWEEN_WORDS = re.compile(r"[\W_]+")
_FOREIGN = re.compile(r"[^\x00-\x7f]+")  # runs that recur: a few signs and accents
_TITLE_KEY_LENGTH = 200  # a key stands in an index, whose rows Postgres limits to 2,700 bytes


def clean(text: str) -> str:
    """Drop what no database stores: NUL and lone surrogates."""
    if text.isascii() and "\0" not in text:
        return text
    return text.encode("utf-8", "ignore").decode().replace("\0", "")


def fold(text: str) -> str:
    """Return lower-case text without diacritics or typographic variants of letters."""
    return _FOREIGN.sub(lambda run: _fold_run(run[0]), text).lower()


@lru_cache(maxsize=4096)
def _fold_run(run: str) -> str:
    decomposed = unicodedata.normalize("NFKD", run)
    return "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()


def words(text: str) -> str:
    """Return the folded words, runs of letters and digits, parted by single blanks.

    Every other sign parts words, so `long-context`, `long context` and the spelling with a
    non-breaking hyphen (U+2011) are the same two.
    """
    return _BETWEEN_WORDS.sub(" ", fold(clean(text))).strip()


def tokens(text: str) -> list[str]:
    """Return the folded words as a list."""
    return words(text).split()


def title_key(title: str) -> str:
    """Return what two spellings of one title have in common."""
    return words(title)[:_TITLE_KEY_LENGTH]
