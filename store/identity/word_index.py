"""The index that finds entries by words of titles, by refs, and by candidate keys."""

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import bindparam, delete, insert
from sqlmodel import Session, col

from store.identity.candidate_keys import PART, WHOLE
from store.tables.library import EntryWordRow

# Candidate keys are adjacent in the order of bytes, between these two.
KEYS = min(WHOLE, PART), chr(ord(max(WHOLE, PART)) + 1)
IS_KEY = (col(EntryWordRow.word) >= KEYS[0]) & (col(EntryWordRow.word) < KEYS[1])
_INDEX = insert(EntryWordRow)
_UNINDEX = delete(EntryWordRow).where(
    col(EntryWordRow.entry_id).in_(bindparam("entries", expanding=True))
)


def index(session: Session, entries: Iterable[tuple[int, str, str, Collection[str]]]) -> None:
    """Index new entries, each as its database id, ref, title key and candidate keys."""
    rows = [
        {"word": word, "entry_id": entry_id}
        for entry_id, ref, title_key, keys in entries
        for word in indexed_words(ref, title_key, keys)
    ]
    if rows:
        session.connection().execute(_INDEX, rows)


def index_keys(session: Session, entries: Iterable[tuple[int, Collection[str]]]) -> None:
    """Replace the candidate keys of all entries, each given as its database id and keys."""
    session.connection().execute(delete(EntryWordRow).where(IS_KEY))
    rows = [{"word": key, "entry_id": entry_id} for entry_id, keys in entries for key in keys]
    if rows:
        session.connection().execute(_INDEX, rows)


def unindex(session: Session, entry_ids: Sequence[int]) -> None:
    """Remove entries from the index."""
    if entry_ids:
        session.connection().execute(_UNINDEX, {"entries": list(entry_ids)})


def indexed_words(ref: str, title_key: str, keys: Collection[str]) -> set[str]:
    """Return the words under which an entry is indexed."""
    without_source = ref.rpartition(":")[2]
    return {ref_word(ref), ref_word(without_source), *title_key.split(), *keys}


def ref_word(ref: str) -> str:
    """Return the word under which a ref, or the beginning of one, is indexed."""
    return f":{ref.lower()}"
