"""The sentences of stored texts, and the stems of their words. Pure."""

import re
from collections.abc import Iterable, Iterator

from store.records import Entry
from store.text import stem, tokens

# A stop, with the marks that close with it, or a semicolon, where a summary begins another thought;
# `[…]` marks a gap and ends nothing.
_END = re.compile(r"(?:(?:[.!?]|(?<!\[)…)[\"”’')\]*]*|;)(?=\s)|\n\s*\n")
# Words before a stop that ends no sentence; a letter by itself is an initial.
_ABBREVIATED = re.compile(
    r"(?:^|[\s(\[\"“])(?:e\.g|i\.e|w\.r\.t|a\.k\.a|et al|etc|vs|cf|approx|avg|resp|figs?|eq"
    r"|sec|no|dr|prof|st|mr|ms|inc|(?:[a-z]\.)*[a-z])\.$",
    re.IGNORECASE,
)
_SPEAKS_OF_BEFORE = re.compile(
    r"(?:its?|this|these|those|that|they|their|such|he|she|(?:in|with) (?:this|these|such)"
    r"|the (?:model|method|approach|framework|system|paper|authors?|results?))\b",
    re.IGNORECASE,
)
_PARAGRAPH = re.compile(r"\n\s*\n")
_LONGEST_ABBREVIATION = 12  # characters, with what stands before


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text word for word, in order; what a semicolon ends is one too."""
    return (text[start:end] for start, end in _spans(text))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = read = depth = 0
    for end in _END.finditer(text):
        depth += text.count("(", read, end.end()) - text.count(")", read, end.end())
        read = end.end()
        before = text[max(start, read - _LONGEST_ABBREVIATION) : read]
        if _ABBREVIATED.search(before) or (end[0] == ";" and depth > 0):
            continue
        yield from _bare(text, start, read)
        start, depth = read, 0
    yield from _bare(text, start, len(text))


def _bare(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the place of a part of a text without the blanks around it, if there is more."""
    if bare := text[start:end].strip():
        first = text.index(bare, start)
        yield first, first + len(bare)


def of_entry(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield the sentences of an entry's summary and highlights, each with the lead above it."""
    for sentence in sentences(entry.summary or ""):
        yield sentence, ""
    for highlight in entry.highlights:
        for sentence in sentences(highlight.text):
            yield sentence, highlight.lead or ""


def with_neighbours(entry: Entry, sentence: str, longest: int) -> str:
    """Return a sentence of an entry with those after it in its paragraph, word for word.

    One that speaks of something before it has those ahead of it too; all are at most so long.
    """
    texts = (entry.summary or "", *(each.text for each in entry.highlights))
    for paragraph in (each for text in texts for each in _PARAGRAPH.split(text)):
        spans = list(_spans(paragraph))
        places = [paragraph[slice(*each)].removesuffix(";") for each in spans]
        if sentence not in places:
            continue
        place = places.index(sentence)
        start, end = spans[place]
        end = max(end, *(last for _, last in spans[place:] if last - start <= longest), 0)
        ahead = spans[:place] if _SPEAKS_OF_BEFORE.match(sentence) else []
        start = min(start, *(first for first, _ in ahead if end - first <= longest), end)
        return paragraph[start:end].removesuffix(";")
    return sentence


def stems(words: Iterable[str]) -> str:
    """Return the stems of folded words, each between blanks, so that a run is found in them."""
    return f" {' '.join(map(stem, words))} "


def stems_of(text: str) -> str:
    """Return the stems of a text's words, each between blanks."""
    return stems(tokens(text))
