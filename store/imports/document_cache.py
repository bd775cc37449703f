"""A cache of parsed documents, so that the same bytes are parsed once.

It may be emptied at any time.
"""

from datetime import date, datetime
from typing import Any

from sqlalchemy import bindparam, delete, insert, select
from sqlmodel import Session, col

from store.imports import apply_edition
from store.tables.library import DocumentRow

_RECALL = select(DocumentRow).where(col(DocumentRow.key) == bindparam("of_key"))


def recall(session: Session, key: str) -> dict[str, Any] | None:
    """Return what `remember` stored under a key.

    Return `None` if the bytes were not parsed before, or if an edition changed since.
    """
    row = session.connection().execute(_RECALL, {"of_key": key}).one_or_none()
    if row is None:
        return None
    stored = apply_edition.digests(session, row.source, row.kind)
    current = all(
        stored.get(date.fromisoformat(edition["first_day"])) == edition["digest"]
        for edition in row.said["editions"]
    )
    said: dict[str, Any] | None = row.said if current else None
    return said


def remember(  # noqa: PLR0913 - a row has six columns
    session: Session, *, key: str, source: str, kind: str, said: dict[str, Any], now: datetime
) -> None:
    """Store what the bytes behind a key say; `said["editions"]` holds days and digests."""
    connection = session.connection()
    connection.execute(delete(DocumentRow).where(col(DocumentRow.key) == key))
    values = {"key": key, "source": source, "kind": kind, "said": said, "imported_at": now}
    connection.execute(insert(DocumentRow).values(**values))
