"""The index that finds entries by what is typed of their titles and refs."""

from collections.abc import Iterable, Sequence

from sqlalchemy import bindparam, delete, text
from sqlmodel import Session

from store.schema import TABLES

_ENTRY_WORD = TABLES["entry_word"]
_INDEX = text("INSERT INTO entry_word (word, entry_id) VALUES (:word, :entry_id)")
_UNINDEX = delete(_ENTRY_WORD).where(
    _ENTRY_WORD.c.entry_id.in_(bindparam("entries", expanding=True))
)


def index(session: Session, entries: Iterable[tuple[int, str, str]]) -> None:
    """Index entries, each given by database id, ref and title key, which are not indexed yet."""
    rows = [
        {"word": word, "entry_id": entry_id}
        for entry_id, ref, title_key in entries
        for word in words_of(ref, title_key)
    ]
    if rows:
        session.connection().execute(_INDEX, rows)


def unindex(session: Session, entry_ids: Sequence[int]) -> None:
    """Forget entries."""
    if entry_ids:
        session.connection().execute(_UNINDEX, {"entries": list(entry_ids)})


def words_of(ref: str, title_key: str) -> set[str]:
    """Return what an entry is found by."""
    of_source = ref.rpartition(":")[2]
    return {named(ref), named(of_source), *title_key.split()}


def named(typed: str) -> str:
    """Return what a ref, or the beginning of one, stands under."""
    return f":{typed.lower()}"
