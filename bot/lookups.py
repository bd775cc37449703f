"""Lookups that both the commands and the command line's verbs make."""

from dataclasses import dataclass

from bot.snippets import snippet
from store import mentions
from store.database import Session
from store.records import Mention
from store.search import SearchQuery, search


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that was found, its score (higher is better) and the sentence that shows why."""

    mention: Mention
    score: float
    snippet: str


def find_hits(session: Session, query: SearchQuery, limit: int, offset: int = 0) -> list[Hit]:
    """Return the entries that match, best first."""
    found = search(session, query, limit, offset)
    by_entry = mentions.of_entries(session, [each.entry_id for each in found])
    return [
        Hit(mention, each.score, snippet(mention.entry, query))
        for mention, each in zip(by_entry, found, strict=True)
    ]
