"""The sentences of an entry, and the stems of words. Pure."""

from collections.abc import Iterable, Iterator

from bot.domain.sentences import sentences
from store.records import Entry
from store.text import stem, tokens


def of_entry(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield the sentences of an entry's summary and highlights, each with the lead above it."""
    for sentence in sentences(entry.summary or ""):
        yield sentence, ""
    for highlight in entry.highlights:
        for sentence in sentences(highlight.text):
            yield sentence, highlight.lead or ""


def stems(words: Iterable[str]) -> str:
    """Return the stems of folded words, each between blanks, so that a run is found in them."""
    return f" {' '.join(map(stem, words))} "


def stems_of(text: str) -> str:
    """Return the stems of a text's words, each between blanks."""
    return stems(tokens(text))
