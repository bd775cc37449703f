"""How much room text takes on a terminal, counted in cells.

Terminals differ on emoji and on scripts of the Indic family, so the count is an upper bound: a
row may end a little early, and never runs over. Unicode's own table in the standard library is
enough for that; a library of widths would take longer to import than an answer takes to print.
"""

import unicodedata
from collections.abc import Iterator

# Signs that only join or mark what stands beside them (Unicode General_Category Cf).
_JOINERS = frozenset("\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
# After a narrow sign it asks for the coloured picture, which is wide (Unicode TS 51).
_PICTURE = "\ufe0f"
# Two of them make a flag; one alone is drawn as a wide letter.
_FLAG_LETTERS = frozenset(map(chr, range(0x1F1E6, 0x1F200)))


def cells(text: str) -> int:
    """Return how many cells a text without control characters takes at most."""
    return len(text) if text.isascii() else sum(map(_cells_of, text))


def clusters(text: str) -> Iterator[str]:
    """Split a text where it may be broken: signs without a cell of their own stay with a letter."""
    cluster = ""
    for sign in text:
        if cluster and sign != _PICTURE and _cells_of(sign):
            yield cluster
            cluster = ""
        cluster += sign
    if cluster:
        yield cluster


def _cells_of(sign: str) -> int:
    if sign == _PICTURE:
        return 1
    category = unicodedata.category(sign)
    if sign in _JOINERS or category in {"Mn", "Me"}:
        return 0
    # "Cn" is a sign that is newer than the table, as emoji often are.
    wide = category == "Cn" or unicodedata.east_asian_width(sign) in {"W", "F"}
    return 2 if wide or sign in _FLAG_LETTERS else 1
