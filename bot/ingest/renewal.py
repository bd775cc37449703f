"""Making topics and indexes anew where the rules for them changed since they were made."""

from bot.ingest.topics import digest, tag
from store import content, entries, search
from store.database import Database, Session
from store.records import Entry


async def renew(database: Database) -> bool:
    """Bring what was made of the entries up to date; return whether there was anything to do."""
    rules = f"{search.INDEX_RULES}/{digest()[:16]}"
    if await database.read(content.rules) == rules:
        return False
    await database.write(_renew, rules)
    return True


def _renew(session: Session, rules: str) -> None:
    if content.rules(session) == rules:  # another process was faster
        return
    entries.tag_anew(session, _topics)
    search.reindex(session)
    content.set_rules(session, rules)
    content.touch(session)


def _topics(entry: Entry) -> tuple[str, ...]:
    return tuple(found.topic for found in tag(entry))
