"""Rebuilding of what is derived from the entries, after a change of the rules for it."""

from datetime import datetime

from bot.domain.topics import digest, tag
from store import content_version, search
from store.consensus import refresh
from store.consensus.fusion import FUSION_RULES
from store.database import Database, Session
from store.identity import grouping
from store.library import arxiv, entries, papers
from store.readers import votes
from store.records import Entry


async def rebuild_if_outdated(database: Database, now: datetime) -> bool:
    """Rebuild topics, search index, papers and consensus if their rules changed; return whether.

    `now` is the time of change of the consensus' editions.
    """
    rules = f"{_rules_of_texts()}/{grouping.RULES}.{FUSION_RULES}"
    if await database.read(_is_current, rules):
        return False
    await database.write(_renew, rules, now)
    return True


def _rules_of_texts() -> str:
    return f"{search.INDEX_RULES}/{digest()[:16]}"


def _renew(session: Session, rules: str, now: datetime) -> None:
    if _is_current(session, rules):  # another process was faster
        return
    before = content_version.rules(session)
    texts = _rules_of_texts()
    if texts not in {before, before.rpartition("/")[0]}:
        entries.retag(session, _topics)
        entries.reindex(session)
    placed = papers.place_all(session)
    refresh.refresh(session, None, now)
    arxiv.touch_renamed(session, placed.renamed, now)
    votes.outdate_posts(session, placed.moves)
    content_version.set_rules(session, rules)
    content_version.touch(session)


def _is_current(session: Session, rules: str) -> bool:
    return content_version.rules(session) == rules and not papers.has_unkeyed(session)


def _topics(entry: Entry) -> tuple[str, ...]:
    return tuple(found.topic for found in tag(entry))
