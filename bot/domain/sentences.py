"""Where a sentence of a stored text ends. Pure."""

import re
from collections.abc import Iterator

# A stop, with the marks that close with it, or a semicolon, where a summary begins another thought;
# `[…]` marks a gap and ends nothing.
_END = re.compile(r"(?:(?:[.!?]|(?<!\[)…)[\"”’')\]*]*|;)(?=\s)|\n\s*\n")
# Words before a stop that ends no sentence; a letter by itself is an initial.
_ABBREVIATED = re.compile(
    r"(?:^|[\s(\[\"“])(?:e\.g|i\.e|w\.r\.t|a\.k\.a|et al|etc|vs|cf|approx|avg|resp|figs?|eq"
    r"|sec|no|dr|prof|st|mr|ms|inc|[a-z])\.$",
    re.IGNORECASE,
)
_LONGEST_ABBREVIATION = 12  # characters, with what stands before


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text word for word, in order; what a semicolon ends is one too."""
    start = read = depth = 0
    for end in _END.finditer(text):
        depth += text.count("(", read, end.end()) - text.count(")", read, end.end())
        read = end.end()
        before = text[max(start, read - _LONGEST_ABBREVIATION) : read]
        if _ABBREVIATED.search(before) or (end[0] == ";" and depth > 0):
            continue
        if bare := text[start:read].strip():
            yield bare
        start, depth = read, 0
    if bare := text[start:].strip():
        yield bare
