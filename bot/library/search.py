"""Search: the parsing of a query with words, "phrases" and -exclusions, and its hits."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from bot.library.snippets import snippet
from store.database import Session
from store.library import mentions
from store.records import Mention
from store.search import SearchQuery, search
from store.text import LONGEST_WORD, MOST_WORDS, typed, words

# A quoted run, straight or curly, or a word; either may be excluded by a hyphen before it.
_PART = re.compile(r'(?P<minus>-?)(?:["“”](?P<phrase>[^"“”]*)["“”]|(?P<word>[^\s"“”]+|["“”]))')
_LETTERS = re.compile(r"[^\W_]+")

CUT = (
    f"{MOST_WORDS} words of at most {LONGEST_WORD} letters are looked for at once;"
    " the rest was left out."
)


def parse_query(
    text: str,
    source: str | None = None,
    topic: str | None = None,
    since: date | None = None,
    until: date | None = None,
) -> SearchQuery:
    """Parse a query; other signs separate words.

    Only the first `MOST_WORDS` words are read, those of phrases and exclusions among them.
    """
    bare: list[str] = []
    left, cut = MOST_WORDS, False
    phrases: list[tuple[str, ...]] = []
    excluded: list[tuple[str, ...]] = []
    for part in _PART.finditer(text):
        found = typed(part["phrase"] or part["word"] or "", left)
        cut = cut or found.cut
        left -= len(found.words)
        if not found.words:
            continue
        if part["minus"]:
            excluded.append(found.words)
        elif part["phrase"] is not None:
            phrases.append(found.words)
        else:
            bare += found.words
    return SearchQuery(
        words=tuple(bare),
        phrases=tuple(phrases),
        excluded=tuple(excluded),
        source=source,
        topic=topic,
        since=since,
        until=until,
        text=text,
        cut=cut,
    )


def corrected_text(text: str, corrections: Iterable[tuple[str, str]]) -> str | None:
    """Return a query with its words corrected, `None` without corrections.

    Phrases and exclusions stay as they are.
    """
    meant = dict(corrections)
    if not meant:
        return None

    def corrected(part: re.Match[str]) -> str:
        if part["minus"] or part["phrase"] is not None:
            return part[0]
        return _LETTERS.sub(lambda word: meant.get(words(word[0]), word[0]), part[0])

    return _PART.sub(corrected, text)


_COMMON_CUT = "The most common of the words were left out: very many papers hold them."


@dataclass(frozen=True, slots=True)
class Hit:
    """A found entry, its score (higher is better) and its snippet.

    A `complete` one has every word of the query, any other has most of them.
    """

    mention: Mention
    score: float
    snippet: str
    complete: bool


@dataclass(frozen=True, slots=True)
class Hits:
    """A page of hits, best first, complete ones before others.

    `corrected` is the query with corrected spelling, if it was corrected. `cut` has a sentence for
    each part of the query that was left out, because the time of a search is limited.
    """

    hits: tuple[Hit, ...]
    corrected: str | None
    cut: tuple[str, ...] = ()


def find_hits(session: Session, query: SearchQuery, limit: int, offset: int = 0) -> Hits:
    """Return the entries that match, best first."""
    result = search(session, query, limit, offset)
    by_entry = mentions.of_entries(session, [each.entry_id for each in result.found])
    hits = (
        Hit(mention, each.score, snippet(mention.entry, result.terms), each.complete)
        for mention, each in zip(by_entry, result.found, strict=True)
    )
    cut = tuple(filter(None, (CUT if query.cut else "", _COMMON_CUT if result.cut else "")))
    return Hits(tuple(hits), corrected_text(query.text, result.corrections), cut)
