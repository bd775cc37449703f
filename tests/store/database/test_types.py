"""Column types: instants keep their moment, on both databases."""

from datetime import datetime, timedelta, timezone

import pytest
from sqlalchemy.exc import StatementError

from store.database import Database, Session
from store.tables.library import DocumentRow

NOON_IN_INDIA = datetime(2026, 3, 2, 12, 0, tzinfo=timezone(timedelta(hours=5, minutes=30)))


def _document(session: Session, at: datetime) -> None:
    session.add(DocumentRow(key="k", source="s", kind="k", parsed={}, imported_at=at))
    session.flush()


async def test_an_instant_keeps_its_moment_and_comes_back_in_utc(database: Database) -> None:
    """Noon in India is half past six in UTC, before and after the store."""
    await database.write(_document, NOON_IN_INDIA)

    def read_back(session: Session) -> datetime:
        return session.get_one(DocumentRow, "k").imported_at

    back = await database.read(read_back)
    assert back == NOON_IN_INDIA
    assert (back.utcoffset(), back.hour, back.minute) == (timedelta(), 6, 30)


async def test_a_naive_instant_is_refused(database: Database) -> None:
    """A datetime without zone is no instant: nothing is written."""
    with pytest.raises(StatementError, match="no zone"):
        await database.write(_document, NOON_IN_INDIA.replace(tzinfo=None))
