"""One way to reduce text to what is compared: for titles, the full-text index and queries."""

import re
import unicodedata

_TOKEN = re.compile(r"[^\W_]+")
_TITLE_KEY_LENGTH = 200  # a key stands in an index, whose rows Postgres limits to 2,700 bytes


def clean(text: str) -> str:
    """Drop what no database stores: NUL and lone surrogates."""
    return text.encode("utf-8", "ignore").decode().replace("\0", "")


def fold(text: str) -> str:
    """Return lower-case text without diacritics or typographic variants of letters."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()


def tokens(text: str) -> list[str]:
    """Return the folded words: runs of letters and digits.

    Every other sign parts words, so `long-context`, `long context` and the spelling with a
    non-breaking hyphen (U+2011) are the same two.
    """
    return _TOKEN.findall(fold(clean(text)))


def title_key(title: str) -> str:
    """Return what two spellings of one title have in common."""
    return " ".join(tokens(title))[:_TITLE_KEY_LENGTH]
