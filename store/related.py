"""Papers that are like one."""

from sqlmodel import Session

from store import mentions
from store.folding import tokens
from store.records import Mention
from store.search import SearchQuery, search, significant


def related_to(session: Session, mention: Mention, limit: int) -> list[Mention]:
    """Return the papers most like one, the likest first, each at one mention."""
    query = SearchQuery(words=significant(tokens(mention.entry.title)))
    found = search(session, query, 4 * limit)
    papers: dict[int, Mention] = {mention.paper_id: mention}
    for other in mentions.of_entries(session, [each.entry_id for each in found]):
        papers.setdefault(other.paper_id, other)
    return list(papers.values())[1 : limit + 1]
