"""Snippets: the sentence of a paper that matches a query best."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bot.replies.wording import shorten
from store.records import Entry
from store.search import Term
from store.text import stem, tokens

_SENTENCES = re.compile(r"(?<=[.!?;])\s+")
_LENGTH = 200  # characters
_LEAD_IN = 60  # characters at most before the first word that counts
_MOST_PLACES = 50  # a "sentence" that has more of these words is a list of them


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A term by the stems of its forms, each between blanks."""

    forms: tuple[str, ...]
    weight: int


def snippet(entry: Entry, terms: Iterable[Term]) -> str:
    """Return the sentence of an entry with most weight, cut around the matching words if long."""
    wanted = [_Wanted(tuple(_stems(form) for form in term.forms), term.weight) for term in terms]
    sentences = (" ".join(sentence.split()) for sentence in _sentences(entry))
    best = max(sentences, key=lambda sentence: _weight(sentence, wanted), default=entry.title)
    return best if len(best) <= _LENGTH else _cut(best, wanted)


def _sentences(entry: Entry) -> Iterator[str]:
    texts = [entry.summary or ""]
    texts += [f"{h.lead}: {h.text}" if h.lead else h.text for h in entry.highlights]
    texts += [entry.section or "", entry.heading or ""]
    return (part for text in texts for part in _SENTENCES.split(text) if part.strip())


def _weight(text: str, wanted: Iterable[_Wanted]) -> int:
    stems = _stems(tokens(text))
    return sum(each.weight for each in wanted if any(form in stems for form in each.forms))


def _cut(sentence: str, wanted: Sequence[_Wanted]) -> str:
    """Return the part of a sentence with most weight."""
    words = sentence.split(" ")
    first = {form.split()[0] for each in wanted for form in each.forms}
    places = [
        place for place, word in enumerate(words) if first & set(_stems(tokens(word)).split())
    ]
    windows = (_window(words, place) for place in places[:_MOST_PLACES] or [0])
    return max(windows, key=lambda window: _weight(window, wanted))


def _window(words: Sequence[str], place: int) -> str:
    """Return the text around a word, more after it than before."""
    start, lead_in = place, len(words[place - 1]) if place else 0
    while start and lead_in <= _LEAD_IN:
        start -= 1
        lead_in += 1 + len(words[start - 1]) if start else 0
    # A word has a letter at least, so what is farther away than these can't fit: a "sentence"
    # may be a whole document without a full stop.
    last = max(0, len(words) - _LENGTH)
    while last < start and len(" ".join(words[last:])) >= _LENGTH:
        last += 1
    start = min(start, last)
    ellipsis = "…" if start else ""
    return ellipsis + shorten(" ".join(words[start : start + _LENGTH]), _LENGTH - len(ellipsis))


def _stems(words: Iterable[str]) -> str:
    return f" {' '.join(map(stem, words))} "
