"""Width of text on a terminal, in cells.

Terminals differ on emoji and on scripts of the Indic family, so the count is an upper bound: a
row may end a little early, and never runs over. Unicode's own table in the standard library is
enough for that; a library of widths would take longer to import than an answer takes to print.
"""

import unicodedata
from collections.abc import Iterator

# Characters without a width (Unicode General_Category Cf).
_ZERO_WIDTH = frozenset("\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
# The variation selector that turns a narrow character into a wide emoji (Unicode TS 51).
_EMOJI_SELECTOR = "\ufe0f"
# Two of them make a flag; a single one is drawn as a wide letter.
_REGIONAL_INDICATORS = frozenset(map(chr, range(0x1F1E6, 0x1F200)))


def cells(text: str) -> int:
    """Return the greatest width of a text without control characters."""
    return len(text) if text.isascii() else sum(map(_width, text))


def clusters(text: str) -> Iterator[str]:
    """Split a text where it may be broken: zero-width characters stay with the one before."""
    cluster = ""
    for character in text:
        if cluster and character != _EMOJI_SELECTOR and _width(character):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def _width(character: str) -> int:
    if character == _EMOJI_SELECTOR:
        return 1
    category = unicodedata.category(character)
    if character in _ZERO_WIDTH or category in {"Mn", "Me"}:
        return 0
    # "Cn" is a character that is newer than Python's table, as emoji often are.
    wide = category == "Cn" or unicodedata.east_asian_width(character) in {"W", "F"}
    return 2 if wide or character in _REGIONAL_INDICATORS else 1
