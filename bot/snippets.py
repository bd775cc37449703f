"""Why a paper was found: the sentence of it that holds most of the words."""

import re

from bot.wording import shorten
from store.folding import tokens
from store.records import Entry
from store.search import SearchQuery

_SENTENCES = re.compile(r"(?<=[.!?;])\s+")
_LENGTH = 200
_STEM = 4  # so many letters in common count as the same word in another form


def snippet(entry: Entry, query: SearchQuery) -> str:
    """Return the sentence of an entry that holds most of a query's words."""
    wanted = {*query.words, *(word for phrase in query.phrases for word in phrase)}
    sentences = list(_sentences(entry))
    best = max(sentences, key=lambda sentence: _hits(sentence, wanted), default=entry.title)
    return shorten(" ".join(best.split()), _LENGTH)


def _sentences(entry: Entry) -> list[str]:
    texts = [entry.summary or ""]
    texts += [f"{h.lead}: {h.text}" if h.lead else h.text for h in entry.highlights]
    texts += [entry.section or "", entry.heading or ""]
    return [part for text in texts for part in _SENTENCES.split(text) if part.strip()]


def _hits(sentence: str, wanted: set[str]) -> int:
    words = tokens(sentence)
    return sum(any(_alike(word, other) for other in words) for word in wanted)


def _alike(word: str, other: str) -> bool:
    shared = max(_STEM, len(word) - 3)
    return word == other or (len(word) > _STEM and other[:shared] == word[:shared])
