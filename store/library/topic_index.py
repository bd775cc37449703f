"""The index that finds entries by topic."""

from collections.abc import Sequence

from sqlalchemy import bindparam, delete, text
from sqlmodel import Session, col

from store.records import Entry
from store.tables.library import EntryTopicRow

_INDEX = text("INSERT INTO entry_topic (topic, entry_id) VALUES (:topic, :entry_id)")
_CLEAR = delete(EntryTopicRow)
_UNINDEX = delete(EntryTopicRow).where(
    col(EntryTopicRow.entry_id).in_(bindparam("entries", expanding=True))
)


def index(session: Session, entries: Sequence[tuple[int, Entry]]) -> None:
    """Index entries by their topics, under their database ids, which are not indexed yet."""
    rows = [
        {"topic": topic, "entry_id": entry_id}
        for entry_id, entry in entries
        for topic in entry.topics
    ]
    if rows:
        session.connection().execute(_INDEX, rows)


def unindex(session: Session, entry_ids: Sequence[int]) -> None:
    """Forget entries."""
    if entry_ids:
        session.connection().execute(_UNINDEX, {"entries": list(entry_ids)})


def clear(session: Session) -> None:
    """Forget all entries."""
    session.connection().execute(_CLEAR)
