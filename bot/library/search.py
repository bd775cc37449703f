"""What a searcher typed, as a query: words, "phrases" and -exclusions."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from bot.library.snippets import snippet
from store.database import Session
from store.library import mentions
from store.records import Mention
from store.search import SearchQuery, search
from store.text import LONGEST_WORD, MOST_WORDS, fold, typed_words

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
    """Read what was typed; signs that mean nothing here part words, whatever they are.

    Of all words, those of phrases and exclusions too, the first `MOST_WORDS` are read.
    """
    bare: list[str] = []
    left, cut = MOST_WORDS, False
    phrases: list[tuple[str, ...]] = []
    excluded: list[tuple[str, ...]] = []
    for part in _PART.finditer(text):
        found = typed_words(part["phrase"] or part["word"] or "", left)
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
    """Return what was typed with its words corrected; `None` where none was.

    What stands in quotes or is excluded stays as it is.
    """
    meant = dict(corrections)
    if not meant:
        return None

    def corrected(part: re.Match[str]) -> str:
        if part["minus"] or part["phrase"] is not None:
            return part[0]
        return _LETTERS.sub(lambda word: meant.get(fold(word[0]), word[0]), part[0])

    return _PART.sub(corrected, text)


_COMMON_CUT = "The most common of the words were left out: very many papers hold them."


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that was found, its score (higher is better) and the sentence that shows why.

    A `complete` one holds every word of the query, any other most of it.
    """

    mention: Mention
    score: float
    snippet: str
    complete: bool


@dataclass(frozen=True, slots=True)
class Hits:
    """A page of hits, best first; what holds every word stands before what doesn't.

    `corrected` is what was looked for where that is not what was typed. `cut` says in sentences
    what was left out, because a search may take only so long.
    """

    hits: tuple[Hit, ...]
    corrected: str | None
    cut: tuple[str, ...] = ()


def find_hits(session: Session, query: SearchQuery, limit: int, offset: int = 0) -> Hits:
    """Return the entries that match, best first."""
    result = search(session, query, limit, offset)
    by_entry = mentions.of_entries(session, [each.entry_id for each in result.hits])
    hits = (
        Hit(mention, each.score, snippet(mention.entry, result.terms), each.complete)
        for mention, each in zip(by_entry, result.hits, strict=True)
    )
    cut = tuple(filter(None, (CUT if query.cut else "", _COMMON_CUT if result.cut else "")))
    return Hits(tuple(hits), corrected_text(query.text, result.corrections), cut)
