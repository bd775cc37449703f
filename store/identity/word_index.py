"""The index that finds entries by what is typed of their titles and refs, and by their keys."""

from collections.abc import Collection, Iterable, Sequence

from sqlalchemy import bindparam, delete, text
from sqlmodel import Session, col

from store.identity.candidate_keys import PART, WHOLE
from store.tables.library import EntryWordRow

_INDEX = text("INSERT INTO entry_word (word, entry_id) VALUES (:word, :entry_id)")
_UNINDEX = delete(EntryWordRow).where(
    col(EntryWordRow.entry_id).in_(bindparam("entries", expanding=True))
)
# The keys stand together in the order of bytes, between these two.
KEYS = min(WHOLE, PART), chr(ord(max(WHOLE, PART)) + 1)
IS_KEY = (col(EntryWordRow.word) >= KEYS[0]) & (col(EntryWordRow.word) < KEYS[1])
_UNINDEX_KEYS = delete(EntryWordRow).where(IS_KEY)


def index(session: Session, entries: Iterable[tuple[int, str, str, Collection[str]]]) -> None:
    """Index entries, each given by database id, ref, title key and keys, not indexed yet."""
    _insert(
        session,
        [
            {"word": word, "entry_id": entry_id}
            for entry_id, ref, title_key, keys in entries
            for word in words_of(ref, title_key, keys)
        ],
    )


def index_keys(session: Session, entries: Iterable[tuple[int, Collection[str]]]) -> None:
    """Index all entries by their keys anew, each given by database id and keys."""
    session.connection().execute(_UNINDEX_KEYS)
    _insert(
        session, [{"word": key, "entry_id": entry_id} for entry_id, of in entries for key in of]
    )


def _insert(session: Session, rows: Sequence[dict[str, object]]) -> None:
    if rows:
        session.connection().execute(_INDEX, rows)


def unindex(session: Session, entry_ids: Sequence[int]) -> None:
    """Forget entries."""
    if entry_ids:
        session.connection().execute(_UNINDEX, {"entries": list(entry_ids)})


def words_of(ref: str, title_key: str, keys: Collection[str]) -> set[str]:
    """Return what an entry is found by."""
    of_source = ref.rpartition(":")[2]
    return {named(ref), named(of_source), *title_key.split(), *keys}


def named(typed: str) -> str:
    """Return what a ref, or the beginning of one, stands under."""
    return f":{typed.lower()}"
