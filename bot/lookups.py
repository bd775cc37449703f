"""Lookups that both the commands and the command line's verbs make."""

from dataclasses import dataclass

from bot.query import CUT, corrected_text
from bot.snippets import snippet
from store.database import Session
from store.library import mentions
from store.records import Mention
from store.search import SearchQuery, search

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
    by_entry = mentions.of_entries(session, [each.entry_id for each in result.found])
    hits = (
        Hit(mention, each.score, snippet(mention.entry, result.terms), each.complete)
        for mention, each in zip(by_entry, result.found, strict=True)
    )
    cut = tuple(filter(None, (CUT if query.cut else "", _COMMON_CUT if result.cut else "")))
    return Hits(tuple(hits), corrected_text(query.text, result.corrections), cut)
